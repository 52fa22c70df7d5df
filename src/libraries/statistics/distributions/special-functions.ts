/** Coefficients of the asymptotic series of ln Gamma, B(2k) / (2k (2k - 1)). */
const SERIES = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156, -3617 / 122400] as const

const HALF_LOG_TWO_PI = 0.9189385332046728

/** ln Gamma(x) for x > 0: Stirling's series above 15, the recurrence below. Abramowitz and Stegun 6.1.41. */
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

/**
 * The two pieces of the saddle-point expansion of binomial and Poisson masses: C. Loader, "Fast and Accurate
 * Computation of Binomial Probabilities" (2000). They keep full relative precision where sums of ln Gamma cancel.
 */

/** ln(n!) - ln(sqrt(2 pi n) (n/e)^n), for real n > 0. */
export function stirlingError(n: number): number {
  if (n >= 15) return stirlingSeries(n)
  return SMALL_ERRORS[2 * n] ?? smallError(n)
}

const smallError = (n: number): number => logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI

/** Of the halves below 15, which counts ask for again and again. */
const SMALL_ERRORS: readonly number[] = Array.from({ length: 30 }, (_, twice) => smallError(twice / 2))

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

/**
 * Regularised incomplete gamma functions P(a, x) + Q(a, x) = 1, for a > 0 and x >= 0; whichever is smaller is computed
 * directly, so both tails keep their relative precision. Series and continued fraction of Abramowitz and Stegun 6.5.29
 * and 6.5.31, scaled by the saddle-point form of the Poisson mass (Loader 2000).
 */
export function incompleteGamma(a: number, x: number): { readonly lower: number; readonly upper: number } {
  if (!(a > 0)) throw new RangeError(`incomplete gamma needs a > 0, got ${a}`)
  if (!(x >= 0)) throw new RangeError(`incomplete gamma needs x >= 0, got ${x}`)
  if (x === 0) return { lower: 0, upper: 1 }
  if (x === Number.POSITIVE_INFINITY) return { lower: 1, upper: 0 }
  if (x < a + 1) {
    const lower = gammaSeries(a, x)
    return { lower, upper: 1 - lower }
  }
  const upper = gammaFraction(a, x)
  return { lower: 1 - upper, upper }
}

/** x^a e^-x / Gamma(a + 1), without cancellation for large a. */
function gammaScale(a: number, x: number): number {
  if (a < 1) return Math.exp(a * Math.log(x) - x - logGamma(a + 1))
  return Math.exp(-stirlingError(a) - deviance(a, x)) / Math.sqrt(2 * Math.PI * a)
}

function gammaSeries(a: number, x: number): number {
  let term = 1
  let sum = 1
  for (let k = 1; k < 100000; k++) {
    term *= x / (a + k)
    sum += term
    if (term < sum * 1e-17) break
  }
  return Math.min(1, sum * gammaScale(a, x))
}

/** Lentz's method on the even part of the continued fraction. */
function gammaFraction(a: number, x: number): number {
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
  return Math.min(1, h * gammaScale(a, x) * a)
}

/**
 * Regularised incomplete beta function I_x(a, b) and its complement, a, b > 0. `y` is 1 - x, given apart so that callers
 * who know it exactly lose nothing. Continued fraction of Abramowitz and Stegun 26.5.8, on the side where it converges
 * fast.
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
    const lower = betaFraction(x, y, a, b)
    return { lower, upper: 1 - lower }
  }
  const upper = betaFraction(y, x, b, a)
  return { lower: 1 - upper, upper }
}

/** The x with I_x(a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  if (p === 0 || p === 1) return p
  return invert((x) => incompleteBeta(x, a, b), { lower: p, upper: 1 - p }, 0, 1)
}

/** x^a y^b / B(a, b) times the continued fraction, by the modified Lentz method. */
function betaFraction(x: number, y: number, a: number, b: number): number {
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

/** The two tails of a distribution function at a point. */
export interface Tails {
  readonly lower: number
  readonly upper: number
}

/**
 * The x in [low, high] whose tails are `wanted`, by bisection down to the last bit; the smaller tail is compared, so
 * quantiles near 0 and 1 keep their relative precision. `high` may be infinite: it is then found by doubling.
 */
export function invert(tails: (x: number) => Tails, wanted: Tails, low: number, high: number): number {
  const below = (x: number) => {
    const { lower, upper } = tails(x)
    return wanted.lower <= wanted.upper ? lower < wanted.lower : upper > wanted.upper
  }
  let from = low
  let to = high
  if (to === Number.POSITIVE_INFINITY) {
    to = Math.max(1, from * 2)
    while (below(to)) {
      from = to
      to *= 2
      if (to === Number.POSITIVE_INFINITY) return to
    }
  }
  for (let i = 0; i < 1100; i++) {
    // The geometric mean reaches small quantiles in the exponent's bits instead of walking to them.
    const middle = from > 0 && to / from > 4 ? Math.sqrt(from) * Math.sqrt(to) : (from + to) / 2
    if (middle <= from || middle >= to) break
    if (below(middle)) from = middle
    else to = middle
  }
  return to
}
