/** All strings over `letters` up to a length, shortest first. */
export function stringsUpTo(letters: string, length: number, from = 0): string[] {
  const out: string[] = []
  let layer = ['']
  for (let n = 0; n <= length; n++) {
    if (n >= from) out.push(...layer)
    layer = layer.flatMap((text) => [...letters].map((letter) => text + letter))
  }
  return out
}

const occurrences = (text: string, part: string): number => {
  let count = 0
  for (let at = 0; at + part.length <= text.length; at++) if (text.slice(at, at + part.length) === part) count++
  return count
}

/** What a rule can do to a left side, by trying every string: [feeds, bleeds]. */
export function tryAll(left: string, right: string, target: string, strings: readonly string[]): readonly boolean[] {
  const found = [false, false]
  if (left === right) return found
  for (const u of strings) {
    const [before, after] = [occurrences(u, target), occurrences(u.split(left).join(right), target)]
    if (after > before) found[0] = true
    if (after < before) found[1] = true
  }
  return found
}
