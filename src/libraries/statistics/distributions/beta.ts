import { invert } from './invert.ts'
import { binomialMass } from './loader.ts'

/**
 * Regularised incomplete beta function I_x(a, b) and its complement, a, b > 0. `y` is 1 - x, given apart so that callers
 * who know it exactly lose nothing. Continued fraction of Abramowitz and Stegun 26.5.8, on the side where it converges
 * fast.
 *
 * @example
 * import { incompleteBeta } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(incompleteBeta(0.5, 2, 2).lower.toFixed(6)) // 0.500000
 */
export function incompleteBeta(
  x: number,
  a: number,
  b: number,
  y: number = 1 - x,
): { readonly lower: number; readonly upper: number } {
  if (!(a > 0 && b > 0)) throw new RangeError(`incomplete beta needs a, b > 0, got a = ${a}, b = ${b}`)
  if (!(x >= 0 && y >= 0)) throw new RangeError(`incomplete beta needs 0 <= x <= 1, got ${x}`)
  if (x === 0) return { lower: 0, upper: 1 }
  if (y === 0) return { lower: 1, upper: 0 }
  if (x <= (a + 1) / (a + b + 2)) {
    const lower = fraction(x, y, a, b)
    return { lower, upper: 1 - lower }
  }
  const upper = fraction(y, x, b, a)
  return { lower: 1 - upper, upper }
}

/**
 * The x with I_x(a, b) = p.
 *
 * @example
 * import { betaQuantile } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(betaQuantile(0.5, 2, 2).toFixed(6)) // 0.500000
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  if (p === 0 || p === 1) return p
  return invert((x) => incompleteBeta(x, a, b), { lower: p, upper: 1 - p }, 0, 1)
}

/** x^a y^b / B(a, b) times the continued fraction, by the modified Lentz method. */
function fraction(x: number, y: number, a: number, b: number): number {
  const front = (binomialMass(a, a + b, x, y) * a * b) / (a + b)
  const tiny = 1e-300
  let c = 1
  let d = 1 - ((a + b) * x) / (a + 1)
  if (Math.abs(d) < tiny) d = tiny
  d = 1 / d
  let h = d
  for (let m = 1; m < 100000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 + even * d
    if (Math.abs(d) < tiny) d = tiny
    c = 1 + even / c
    if (Math.abs(c) < tiny) c = tiny
    d = 1 / d
    h *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 + odd * d
    if (Math.abs(d) < tiny) d = tiny
    c = 1 + odd / c
    if (Math.abs(c) < tiny) c = tiny
    d = 1 / d
    const factor = d * c
    h *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return Math.min(1, (front * h) / a)
}
