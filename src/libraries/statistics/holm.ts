/**
 * Holm's step-down adjusted p values, in the order given: reject where the adjusted value is at most alpha, and the chance of
 * any false rejection is at most alpha (Holm, Scand. J. Statist. 6, 1979). p_(i) becomes max_{j <= i} min(1, (m - j + 1) p_(j)).
 *
 * @example
 * import { holm } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(holm([0.01, 0.04, 0.03])) // [ 0.03, 0.06, 0.06 ]
 */
export function holm(p: readonly number[]): number[] {
  for (const value of p) if (!(value >= 0 && value <= 1)) throw new RangeError(`a p value lies in 0..1, got ${value}`)
  const order = p.map((_, i) => i).sort((i, j) => (p[i] as number) - (p[j] as number) || i - j)
  const adjusted = p.map(() => 1)
  let running = 0
  order.forEach((at, rank) => {
    running = Math.max(running, Math.min(1, (p.length - rank) * (p[at] as number)))
    adjusted[at] = running
  })
  return adjusted
}
