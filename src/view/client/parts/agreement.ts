/** Cohen's kappa (1960) of two raters; null: undefined. */
export function kappa(
  a: readonly string[],
  b: readonly string[],
): { readonly agreed: number; readonly n: number; readonly kappa: number | null } {
  const n = Math.min(a.length, b.length)
  let agreed = 0
  const left = new Map<string, number>()
  const right = new Map<string, number>()
  for (let i = 0; i < n; i++) {
    const [x = '', y = ''] = [a[i], b[i]]
    if (x === y) agreed++
    left.set(x, (left.get(x) ?? 0) + 1)
    right.set(y, (right.get(y) ?? 0) + 1)
  }
  let byHabit = 0
  for (const [label, count] of left) byHabit += (count / n) * ((right.get(label) ?? 0) / n)
  return { agreed, n, kappa: n === 0 || byHabit >= 1 ? null : (agreed / n - byHabit) / (1 - byHabit) }
}
