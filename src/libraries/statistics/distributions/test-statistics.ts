import { normalQuantile, normalTwoSided, normalUpper } from './normal.ts'
import { incompleteBeta, incompleteGamma, invert } from './special-functions.ts'

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

/** Fisher's F distribution with `top` and `bottom` degrees of freedom, on x >= 0; an infinite `bottom` is chi-squared / top. */

/** P(F > x): the p value of an F statistic. */
export function fUpper(x: number, top: number, bottom: number): number {
  if (x <= 0) return 1
  if (bottom === Number.POSITIVE_INFINITY) return chiSquaredUpper(x * top, top)
  const whole = top * x + bottom
  if (whole === Number.POSITIVE_INFINITY) return 0
  return incompleteBeta((top * x) / whole, top / 2, bottom / 2, bottom / whole).upper
}

/** Student's t distribution; `df` > 0 may be fractional or infinite (the normal distribution). */

/**
 * P(T > t).
 *
 * @example
 * import { tUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(tUpper(2.228, 10).toFixed(4)) // 0.0250
 */
export function tUpper(t: number, df: number): number {
  checkDf(df)
  if (df === Number.POSITIVE_INFINITY) return normalUpper(t)
  const half = tTwoSided(t, df) / 2
  return t >= 0 ? half : 1 - half
}

/** P(|T| >= |t|): the two-sided p value. */
export function tTwoSided(t: number, df: number): number {
  checkDf(df)
  if (df === Number.POSITIVE_INFINITY) return normalTwoSided(t)
  const square = t * t
  if (square === Number.POSITIVE_INFINITY) return 0
  return incompleteBeta(df / (df + square), df / 2, 0.5, square / (df + square)).lower
}

/**
 * The t with P(T <= t) = p.
 *
 * @example
 * import { tQuantile } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(tQuantile(0.975, 10).toFixed(4)) // 2.2281
 */
export function tQuantile(p: number, df: number): number {
  checkDf(df)
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  if (df === Number.POSITIVE_INFINITY) return normalQuantile(p)
  if (p === 0.5) return 0
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p === 1) return Number.POSITIVE_INFINITY
  const size = (upper: number) => invert((x) => tails(x, df), { lower: 1 - upper, upper }, 0, Number.POSITIVE_INFINITY)
  return p < 0.5 ? -size(p) : size(1 - p)
}

const tails = (t: number, df: number) => ({ lower: 1 - tUpper(t, df), upper: tUpper(t, df) })

function checkDf(df: number): void {
  if (!(df > 0)) throw new RangeError(`Student's t needs more than 0 degrees of freedom, got ${df}`)
}
