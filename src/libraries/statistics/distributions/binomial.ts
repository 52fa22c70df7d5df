import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { binomialMass, incompleteBeta, logGamma } from './special-functions.ts'

/** The binomial distribution of k successes in n trials, each with probability p. */
export function binomialPmf(k: number, n: number, p: number): number {
  check(n, p)
  if (!Number.isInteger(k) || k < 0 || k > n) return 0
  return binomialMass(k, n, p, 1 - p)
}

/** P(X <= k). */
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

/** Expected successes from which on counting up from 0 takes longer than the rejection of {@link rejected}. */
const COUNTED = 10

/**
 * The successes of n trials, each with probability p. Few are counted up by inversion; of many the time does not grow
 * with n: W. Hörmann, "The generation of binomial random variates" (1993), algorithm BTRS.
 *
 * @throws RangeError where n is no whole number of trials or p no probability.
 */
export function drawBinomial(stream: Stream, n: number, p: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`a binomial needs a whole number of trials, got ${n}`)
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a binomial needs 0 <= p <= 1, got ${p}`)
  if (p > 0.5) return n - drawBinomial(stream, n, 1 - p)
  if (n === 0 || p === 0) return 0
  return n * p < COUNTED ? inverted(stream, n, p) : rejected(stream, n, p)
}

function inverted(stream: Stream, n: number, p: number): number {
  const odds = p / (1 - p)
  const none = Math.exp(n * Math.log1p(-p))
  for (;;) {
    let mass = none
    let left = float(stream)
    for (let k = 0; k <= n; k++) {
      if (left < mass) return k
      left -= mass
      mass *= (odds * (n - k)) / (k + 1)
    }
    // Masses that are rounded down do not reach the last of the uniform draws.
  }
}

function rejected(stream: Stream, n: number, p: number): number {
  const deviation = Math.sqrt(n * p * (1 - p))
  const b = 1.15 + 2.53 * deviation
  const a = -0.0873 + 0.0248 * b + 0.01 * p
  const centre = n * p + 0.5
  const surely = 0.92 - 4.2 / b
  const height = (2.83 + 5.1 / b) * deviation
  const logOdds = Math.log(p / (1 - p))
  const mode = Math.floor((n + 1) * p)
  const atMode = logGamma(mode + 1) + logGamma(n - mode + 1)
  for (;;) {
    const u = float(stream) - 0.5
    const v = float(stream)
    const us = 0.5 - Math.abs(u)
    const k = Math.floor(((2 * a) / us + b) * u + centre)
    if (us >= 0.07 && v <= surely) return k
    if (k < 0 || k > n) continue
    const accepted = atMode - logGamma(k + 1) - logGamma(n - k + 1) + (k - mode) * logOdds
    if (Math.log((v * height) / (a / (us * us) + b)) <= accepted) return k
  }
}
