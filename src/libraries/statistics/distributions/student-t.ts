import { incompleteBeta } from './beta.ts'
import { invert } from './invert.ts'
import { normalQuantile, normalTwoSided, normalUpper } from './normal.ts'

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

/**
 * P(T <= t).
 *
 * @example
 * import { tCdf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(tCdf(2.228, 10).toFixed(4)) // 0.9750
 */
export const tCdf = (t: number, df: number): number => tUpper(-t, df)

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
