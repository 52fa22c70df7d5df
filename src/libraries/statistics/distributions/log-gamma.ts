/** Coefficients of the asymptotic series of ln Gamma, B(2k) / (2k (2k - 1)). */
const SERIES = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400] as const

const HALF_LOG_TWO_PI = 0.9189385332046728

/**
 * ln Gamma(x) for x > 0: Stirling's series above 15, the recurrence below. Abramowitz and Stegun 6.1.41.
 *
 * @example
 * import { logGamma } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(Math.exp(logGamma(5)).toFixed(6)) // 24.000000
 */
export function logGamma(x: number): number {
  if (!(x > 0)) throw new RangeError(`ln Gamma is computed for x > 0, got ${x}`)
  if (x === 1 || x === 2) return 0
  let shifted = x
  let product = 1
  while (shifted < 15) {
    product *= shifted
    shifted += 1
  }
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TWO_PI + stirlingSeries(shifted) - Math.log(product)
}

/** ln Gamma(x) - [(x - 1/2) ln x - x + ln sqrt(2 pi)] for x >= 15. */
export function stirlingSeries(x: number): number {
  const square = 1 / (x * x)
  let sum = 0
  for (let k = SERIES.length - 1; k >= 0; k--) sum = sum * square + (SERIES[k] as number)
  return sum / x
}
