import { deviance, stirlingError } from './loader.ts'
import { logGamma } from './log-gamma.ts'

/**
 * Regularised incomplete gamma functions P(a, x) + Q(a, x) = 1, for a > 0 and x >= 0; whichever is smaller is computed
 * directly, so both tails keep their relative precision. Series and continued fraction of Abramowitz and Stegun 6.5.29
 * and 6.5.31, scaled by the saddle-point form of the Poisson mass (Loader 2000).
 *
 * @example
 * import { incompleteGamma } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(incompleteGamma(1, 1).upper.toFixed(6)) // 0.367879
 */
export function incompleteGamma(a: number, x: number): { readonly lower: number; readonly upper: number } {
  if (!(a > 0)) throw new RangeError(`incomplete gamma needs a > 0, got ${a}`)
  if (!(x >= 0)) throw new RangeError(`incomplete gamma needs x >= 0, got ${x}`)
  if (x === 0) return { lower: 0, upper: 1 }
  if (x === Number.POSITIVE_INFINITY) return { lower: 1, upper: 0 }
  if (x < a + 1) {
    const lower = series(a, x)
    return { lower, upper: 1 - lower }
  }
  const upper = fraction(a, x)
  return { lower: 1 - upper, upper }
}

/** x^a e^-x / Gamma(a + 1), without cancellation for large a. */
function scale(a: number, x: number): number {
  if (a < 1) return Math.exp(a * Math.log(x) - x - logGamma(a + 1))
  return Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a)
}

function series(a: number, x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; k < 100000; k++) {
    term *= x / (a + k)
    sum += term
    if (term < sum * 1e-17) break
  }
  return Math.min(1, sum * scale(a, x))
}

/** Lentz's method on the even part of the continued fraction. */
function fraction(a: number, x: number): number {
  const tiny = 1e-300
  let b = x + 1 - a
  let c = 1 / tiny
  let d = 1 / b
  let h = d
  for (let i = 1; i < 100000; i++) {
    const an = -i * (i - a)
    b += 2
    d = an * d + b
    if (Math.abs(d) < tiny) d = tiny
    c = b + an / c
    if (Math.abs(c) < tiny) c = tiny
    d = 1 / d
    const factor = d * c
    h *= factor
    if (Math.abs(factor - 1) < 1e-16) break
  }
  return Math.min(1, h * scale(a, x) * a)
}
