import { incompleteBeta } from './beta.ts'
import { binomialMass } from './loader.ts'

/**
 * The binomial distribution of k successes in n trials, each with probability p.
 *
 * @example
 * import { binomialPmf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(binomialPmf(1, 2, 0.5).toFixed(6)) // 0.500000
 */
export function binomialPmf(k: number, n: number, p: number): number {
  check(n, p)
  if (!Number.isInteger(k) || k < 0 || k > n) return 0
  return binomialMass(k, n, p, 1 - p)
}

/**
 * P(X <= k).
 *
 * @example
 * import { binomialCdf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(binomialCdf(1, 2, 0.5).toFixed(6)) // 0.750000
 */
export function binomialCdf(k: number, n: number, p: number): number {
  check(n, p)
  const whole = Math.floor(k)
  if (whole < 0) return 0
  if (whole >= n) return 1
  return incompleteBeta(p, whole + 1, n - whole).upper
}

/**
 * P(X > k).
 *
 * @example
 * import { binomialUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(binomialUpper(1, 2, 0.5).toFixed(6)) // 0.250000
 */
export function binomialUpper(k: number, n: number, p: number): number {
  check(n, p)
  const whole = Math.floor(k)
  if (whole < 0) return 1
  if (whole >= n) return 0
  return incompleteBeta(p, whole + 1, n - whole).lower
}

function check(n: number, p: number): void {
  if (!Number.isInteger(n) || n < 0) throw new RangeError(`a binomial needs a whole number of trials, got ${n}`)
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a binomial needs 0 <= p <= 1, got ${p}`)
}
