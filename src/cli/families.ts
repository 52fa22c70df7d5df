/** Of so many names, all are shown. */
const FEW = 4

/** Names that differ in their last part as one: `markov:1`, `markov:2` become `markov:{1, 2}`; of many, the first two and the last. */
export function families(names: readonly string[]): readonly string[] {
  const lasts = new Map<string, string[]>()
  for (const name of names) {
    const cut = name.lastIndexOf(':')
    const head = name.slice(0, cut + 1)
    // What has no parts is a family of its own.
    const key = head === '' ? name : head
    const last = name.slice(cut + 1)
    const known = lasts.get(key)
    if (known === undefined) lasts.set(key, [last])
    else known.push(last)
  }
  return [...lasts].map(([head, [first, ...others]]) => {
    if (!head.endsWith(':')) return head
    return others.length === 0 ? `${head}${first}` : `${head}{${shown([first as string, ...others])}}`
  })
}

const shown = (lasts: readonly string[]): string =>
  (lasts.length <= FEW ? lasts : [...lasts.slice(0, 2), '..', ...lasts.slice(-1)]).join(', ')
