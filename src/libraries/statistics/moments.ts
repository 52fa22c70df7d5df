/** Sums and moments of a list of numbers. An empty list has no mean: callers get an error, not a zero. */

export interface Moments {
  readonly n: number
  readonly mean: number
  /** Unbiased (n - 1); 0 for a single value. */
  readonly variance: number
}

/**
 * Mean and unbiased variance in two passes.
 *
 * @example
 * import { moments } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(moments([1, 2, 6])) // { n: 3, mean: 3, variance: 7 }
 */
export function moments(values: ArrayLike<number>): Moments {
  const n = values.length
  if (n === 0) throw new RangeError('the mean of no values does not exist; count first')
  const mean = sum(values) / n
  let squares = 0
  let rest = 0
  for (let i = 0; i < n; i++) {
    const d = (values[i] as number) - mean
    squares += d * d
    rest += d
  }
  // Chan, Golub and LeVeque (1983): the second term removes the rounding of the mean.
  return { n, mean, variance: n > 1 ? Math.max(0, (squares - (rest * rest) / n) / (n - 1)) : 0 }
}

/**
 * Neumaier's compensated sum: exact to the last bit or two, whatever the order of magnitude.
 *
 * @example
 * import { sum } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(sum([1e100, 1, -1e100])) // 1
 */
export function sum(values: ArrayLike<number>): number {
  let total = 0
  let lost = 0
  for (let i = 0; i < values.length; i++) {
    const x = values[i] as number
    const next = total + x
    lost += Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total
    total = next
  }
  return total + lost
}

/**
 * The arithmetic mean.
 *
 * @throws RangeError of no values
 *
 * @example
 * import { mean } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(mean([1, 2, 6])) // 3
 */
export const mean = (values: ArrayLike<number>): number => moments(values).mean

/**
 * The arithmetic mean; null of no values.
 *
 * @example
 * import { meanOrNull } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(meanOrNull([1, 2, 6]), meanOrNull([])) // 3 null
 */
export const meanOrNull = (values: ArrayLike<number>): number | null => (values.length === 0 ? null : mean(values))

/**
 * Standard error of the mean of independent values, sd / sqrt(n) with ddof 1; null for fewer than two.
 *
 * @example
 * import { standardError } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(standardError([0, 1, 0, 1])?.toFixed(4)) // 0.2887
 */
export function standardError(values: ArrayLike<number>): number | null {
  if (values.length < 2) return null
  const { variance, n } = moments(values)
  return Math.sqrt(variance / n)
}

/**
 * The quantile by linear interpolation of order statistics (type 7 of Hyndman and Fan 1996, the default of R and numpy).
 *
 * @example
 * import { quantile } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(quantile([4, 1, 3, 2], 0.25)) // 1.75
 */
export function quantile(values: ArrayLike<number>, p: number): number {
  if (values.length === 0) throw new RangeError('the quantile of no values does not exist; count first')
  if (!(p >= 0 && p <= 1)) throw new RangeError(`a quantile needs 0 <= p <= 1, got ${p}`)
  return quantileSorted(Float64Array.from(values).sort(), p)
}

/**
 * The middle value, of an even number the mean of the two in the middle; null of no values.
 *
 * @example
 * import { median } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(median([1, 2, 6, 7]), median([])) // 4 null
 */
export const median = (values: ArrayLike<number>): number | null => (values.length === 0 ? null : quantile(values, 0.5))

/**
 * As {@link quantile}, of values already in ascending order.
 *
 * @example
 * import { quantileSorted } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(quantileSorted([1, 2, 3, 4], 0.25)) // 1.75
 */
export function quantileSorted(sorted: ArrayLike<number>, p: number): number {
  const at = (sorted.length - 1) * p
  const low = Math.floor(at)
  const a = sorted[low] as number
  const b = sorted[Math.min(low + 1, sorted.length - 1)] as number
  return a + (at - low) * (b - a)
}
