/**
 * Natural logarithm by + - * / alone, so that its bits are the same on every platform (Math.log is
 * implementation-defined): reduction to [sqrt(1/2), sqrt 2) by exact powers of two, then the series of artanh.
 * Relative error below 1e-15; ln(0) = -Infinity, ln of a negative number is NaN.
 */
export function ln(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY
  if (!(x > 0)) return Number.NaN
  if (x === Number.POSITIVE_INFINITY) return x
  let mantissa = x
  let exponent = 0
  for (let i = 0; i < steps.length; i++) {
    const [factor, step] = [factors[i] as number, steps[i] as number]
    while (mantissa >= factor) {
      mantissa /= factor
      exponent += step
    }
    while (mantissa * factor < 2) {
      mantissa *= factor
      exponent -= step
    }
  }
  // Now 1 <= mantissa < 2.
  if (mantissa > Math.SQRT2) {
    mantissa /= 2
    exponent++
  }
  const z = (mantissa - 1) / (mantissa + 1)
  const square = z * z
  let sum = 0
  for (let n = 23; n >= 1; n -= 2) sum = sum * square + 1 / n
  return exponent * Math.LN2 + 2 * z * sum
}

/** Powers of two that are taken out, the greatest first: 2 to the power of each step. */
const steps = [256, 32, 8, 1] as const
const factors = [1.157920892373162e77, 4294967296, 256, 2] as const

/** -sum p ln p of a list of probabilities, in nats. */
export function entropyOf(probabilities: Iterable<number>): number {
  let sum = 0
  for (const p of probabilities) if (p > 0) sum -= p * ln(p)
  return sum
}
