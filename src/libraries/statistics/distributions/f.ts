import { incompleteBeta } from './beta.ts'
import { chiSquaredUpper } from './chi-squared.ts'
import { invert } from './invert.ts'

/** Fisher's F distribution with `top` and `bottom` degrees of freedom, on x >= 0; an infinite `bottom` is chi-squared / top. */

/**
 * P(F > x): the p value of an F statistic.
 *
 * @example
 * import { fUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(fUpper(4.9646, 1, 10).toFixed(4)) // 0.0500
 */
export function fUpper(x: number, top: number, bottom: number): number {
  if (x <= 0) return 1
  if (bottom === Number.POSITIVE_INFINITY) return chiSquaredUpper(x * top, top)
  const whole = top * x + bottom
  if (whole === Number.POSITIVE_INFINITY) return 0
  return incompleteBeta((top * x) / whole, top / 2, bottom / 2, bottom / whole).upper
}

/**
 * @example
 * import { fCdf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(fCdf(1, 4, 4).toFixed(4)) // 0.5000
 */
export function fCdf(x: number, top: number, bottom: number): number {
  if (x <= 0) return 0
  if (bottom === Number.POSITIVE_INFINITY) return 1 - chiSquaredUpper(x * top, top)
  const whole = top * x + bottom
  if (whole === Number.POSITIVE_INFINITY) return 1
  return incompleteBeta((top * x) / whole, top / 2, bottom / 2, bottom / whole).lower
}

/**
 * The x with P(F <= x) = p.
 *
 * @example
 * import { fQuantile } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(fQuantile(0.95, 1, 10).toFixed(4)) // 4.9646
 */
export function fQuantile(p: number, top: number, bottom: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  if (p === 0) return 0
  if (p === 1) return Number.POSITIVE_INFINITY
  const tails = (x: number) => ({ lower: fCdf(x, top, bottom), upper: fUpper(x, top, bottom) })
  return invert(tails, { lower: p, upper: 1 - p }, 0, Number.POSITIVE_INFINITY)
}
