/** The standard normal distribution. */

const SQRT_TWO_PI = 2.5066282746310007

/** P(Z <= x), with full relative precision in the lower tail. */
export const normalCdf = (x: number): number => (x <= 0 ? tail(-x) : 1 - tail(x))

/**
 * P(Z > x), with full relative precision in the upper tail.
 *
 * @example
 * import { normalUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(normalUpper(1.96).toFixed(4)) // 0.0250
 */
export const normalUpper = (x: number): number => (x >= 0 ? tail(x) : 1 - tail(-x))

/**
 * P(|Z| >= |x|): the two-sided p value of a z statistic.
 *
 * @example
 * import { normalTwoSided } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(normalTwoSided(1.96).toFixed(4)) // 0.0500
 */
export const normalTwoSided = (x: number): number => Math.min(1, 2 * tail(Math.abs(x)))

/** P(Z > x) for x >= 0: a positive series below 3, a continued fraction (Abramowitz and Stegun 26.2.14) above. */
function tail(x: number): number {
  if (x > 38.6) return 0
  const density = gaussian(x) / SQRT_TWO_PI
  if (x < 3) {
    // Abramowitz and Stegun 26.2.11: no cancellation within the sum.
    let term = x
    let sum = x
    for (let k = 3; term > sum * 1e-18; k += 2) {
      term *= (x * x) / k
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let k = Math.ceil(30 + 600 / (x * x)); k >= 1; k--) fraction = k / (x + fraction)
  return density / (x + fraction)
}

/** exp(-x^2/2) with the square split, so that its rounding error is not magnified. */
function gaussian(x: number): number {
  const high = Math.trunc(x * 16) / 16
  return Math.exp((-high * high) / 2) * Math.exp((-(x - high) * (x + high)) / 2)
}

const CENTRE = {
  top: [
    3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
    33430.57558358813, 2509.0809287301227,
  ],
  bottom: [
    1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
    28729.085735721943, 5226.495278852854,
  ],
} as const
const NEAR = {
  top: [
    1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
    0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
  ],
  bottom: [
    1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
    0.0005475938084995345, 1.0507500716444169e-9,
  ],
} as const
const FAR = {
  top: [
    6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
    0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
  ],
  bottom: [
    1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
    1.421511758316446e-7, 2.0442631033899397e-15,
  ],
} as const

/**
 * The x with P(Z <= x) = p: M. J. Wichura, algorithm AS 241 (PPND16), about 16 digits.
 *
 * @example
 * import { normalQuantile } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(normalQuantile(0.975).toFixed(4)) // 1.9600
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  if (p === 0) return Number.NEGATIVE_INFINITY
  if (p === 1) return Number.POSITIVE_INFINITY
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return (q * polynomial(CENTRE.top, r)) / polynomial(CENTRE.bottom, r)
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  const { top, bottom } = r <= 5 ? NEAR : FAR
  const at = r - (r <= 5 ? 1.6 : 5)
  const x = polynomial(top, at) / polynomial(bottom, at)
  return q < 0 ? -x : x
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0
  for (let k = coefficients.length - 1; k >= 0; k--) sum = sum * x + (coefficients[k] as number)
  return sum
}
