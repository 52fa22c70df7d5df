import { logGamma, stirlingSeries } from './log-gamma.ts'

/**
 * The two pieces of the saddle-point expansion of binomial and Poisson masses: C. Loader, "Fast and Accurate
 * Computation of Binomial Probabilities" (2000). They keep full relative precision where sums of ln Gamma cancel.
 */

const HALF_LOG_TWO_PI = 0.9189385332046728

/** ln(n!) - ln(sqrt(2 pi n) (n/e)^n), for real n > 0. */
export function stirlingError(n: number): number {
  if (n >= 15) return stirlingSeries(n)
  return logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI
}

/** Half the Poisson deviance, x ln(x/m) + m - x, for x >= 0 and m > 0, without cancellation near x = m. */
export function deviance(x: number, m: number): number {
  if (x === 0) return m
  if (Math.abs(x - m) < 0.1 * (x + m)) {
    const v = (x - m) / (x + m)
    let sum = (x - m) * v
    let term = 2 * x * v
    for (let j = 1; j < 1000; j++) {
      term *= v * v
      const next = sum + term / (2 * j + 1)
      if (next === sum) return next
      sum = next
    }
  }
  return x * Math.log(x / m) + m - x
}

/** Gamma(n+1) / (Gamma(k+1) Gamma(n-k+1)) p^k q^(n-k) for real 0 <= k <= n, with q = 1 - p given apart. */
export function binomialMass(k: number, n: number, p: number, q: number): number {
  if (p === 0) return k === 0 ? 1 : 0
  if (q === 0) return k === n ? 1 : 0
  if (k === 0) return n === 0 ? 1 : Math.exp(n * logOneMinus(p, q))
  if (k === n) return Math.exp(n * logOneMinus(q, p))
  const exponent =
    stirlingError(n) - stirlingError(k) - stirlingError(n - k) - deviance(k, n * p) - deviance(n - k, n * q)
  return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * k * (n - k)))
}

/** ln(1 - p) where q = 1 - p: whichever argument holds the digits. */
const logOneMinus = (p: number, q: number): number => (p < 0.5 ? Math.log1p(-p) : Math.log(q))
