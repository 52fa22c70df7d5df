import type { Estimate } from '../../../core/index.ts'
import { clusteredMeanEstimate, moments, normalQuantile } from '../../../stats/index.ts'
import type { Context, ScoredString } from './cells.ts'

/**
 * The mean over all values. With several repetitions the interval clusters by them; with one it is that of independent
 * strings in that context. null where there is no value or a value is missing.
 */
export function meanEstimate(byRepetition: readonly (readonly number[])[]): Estimate | null {
  const values = byRepetition.flat()
  if (values.length === 0 || values.some(Number.isNaN)) return null
  if (byRepetition.length > 1)
    return clusteredMeanEstimate(
      values,
      byRepetition.flatMap((list, i) => list.map(() => i)),
    )
  const { mean, variance, n } = moments(values)
  const half = n > 1 ? normalQuantile(0.975) * Math.sqrt(variance / n) : 0
  return n < 2
    ? { value: mean, low: mean, high: mean, n, method: 'a single string: no interval' }
    : { value: mean, low: mean - half, high: mean + half, n, method: 'normal 95 %, strings of one repetition' }
}

/** The mean over the strings at one distance, by repetition. */
export const meanAt = (
  contexts: readonly Context[],
  distance: string,
  value: (string: ScoredString) => number,
): Estimate | null =>
  meanEstimate(
    contexts
      .map(({ strings }) => strings.filter((s) => s.distance === distance).map(value))
      .filter((list) => list.length > 0),
  )
