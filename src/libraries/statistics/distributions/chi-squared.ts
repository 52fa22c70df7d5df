import { incompleteGamma } from './gamma.ts'
import { invert } from './invert.ts'

/**
 * The chi-squared distribution with `df` > 0 degrees of freedom, on x >= 0.
 *
 * @example
 * import { chiSquaredCdf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(chiSquaredCdf(3.841459, 1).toFixed(4)) // 0.9500
 */
export const chiSquaredCdf = (x: number, df: number): number => (x <= 0 ? 0 : incompleteGamma(df / 2, x / 2).lower)

/**
 * P(X > x): the p value of a chi-squared statistic.
 *
 * @example
 * import { chiSquaredUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(chiSquaredUpper(3.841459, 1).toFixed(4)) // 0.0500
 */
export const chiSquaredUpper = (x: number, df: number): number => (x <= 0 ? 1 : incompleteGamma(df / 2, x / 2).upper)

/**
 * The x with P(X <= x) = p.
 *
 * @example
 * import { chiSquaredQuantile } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(chiSquaredQuantile(0.95, 1).toFixed(4)) // 3.8415
 */
export function chiSquaredQuantile(p: number, df: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  if (p === 0) return 0
  if (p === 1) return Number.POSITIVE_INFINITY
  return 2 * invert((x) => incompleteGamma(df / 2, x), { lower: p, upper: 1 - p }, 0, Number.POSITIVE_INFINITY)
}
