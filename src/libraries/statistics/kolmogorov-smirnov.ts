/** A two-sample test of one distribution: the distance in 0..1 and its p. */
export interface KolmogorovSmirnov {
  /** Largest distance between the two empirical distribution functions. */
  readonly statistic: number
  /** Two-sided, asymptotic; too large (safe) for tied values. */
  readonly p: number
}

/**
 * Two-sample Kolmogorov-Smirnov test. Both samples must hold something.
 *
 * @example
 * import { kolmogorovSmirnov } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(kolmogorovSmirnov([1, 2, 3, 4], [3, 4, 5, 6]).statistic) // 0.5
 */
export function kolmogorovSmirnov(a: ArrayLike<number>, b: ArrayLike<number>): KolmogorovSmirnov {
  if (a.length === 0 || b.length === 0) throw new RangeError('a two-sample test needs values in both samples')
  const x = Float64Array.from(a).sort()
  const y = Float64Array.from(b).sort()
  let [i, j, statistic] = [0, 0, 0]
  while (i < x.length && j < y.length) {
    const at = Math.min(x[i] as number, y[j] as number)
    while (i < x.length && (x[i] as number) <= at) i++
    while (j < y.length && (y[j] as number) <= at) j++
    statistic = Math.max(statistic, Math.abs(i / x.length - j / y.length))
  }
  const effective = (x.length * y.length) / (x.length + y.length)
  return { statistic, p: kolmogorovUpper(Math.sqrt(effective) * statistic) }
}

/**
 * P(K > x) of Kolmogorov's distribution: 2 sum (-1)^(k-1) exp(-2 k^2 x^2), or its theta transform where x is small.
 *
 * @example
 * import { kolmogorovUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(kolmogorovUpper(1.3581).toFixed(3)) // 0.050
 */
export function kolmogorovUpper(x: number): number {
  if (x <= 0) return 1
  if (x < 1) {
    let sum = 0
    for (let k = 1; k <= 20; k++) sum += Math.exp((-((2 * k - 1) ** 2) * Math.PI ** 2) / (8 * x * x))
    return Math.max(0, 1 - (Math.sqrt(2 * Math.PI) / x) * sum)
  }
  let sum = 0
  for (let k = 1; k <= 20; k++) sum += (k % 2 === 1 ? 1 : -1) * Math.exp(-2 * k * k * x * x)
  return Math.min(1, 2 * sum)
}
