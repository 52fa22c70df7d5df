import type { Estimate } from '../../../core/index.ts'
import { clusteredMeanEstimate, clusteredShare } from '../../../libraries/statistics/index.ts'
import type { Context, ScoredString } from './contexts.ts'

/** A mean with its interval; a plain number where a single value has none. */
export type Mean = Estimate | number

/**
 * The mean over all values, in any unit. With several repetitions the interval clusters by them, with one it takes strings as
 * independent. null where there is no value or a value is missing.
 */
export function meanEstimate(byRepetition: readonly (readonly number[])[]): Mean | null {
  const values = byRepetition.flat()
  if (values.some(Number.isNaN)) return null
  return clusteredMeanEstimate(values, clustersOf(byRepetition)) ?? values[0] ?? null
}

/** As {@link meanEstimate}, of values in 0..1: the interval stays there. */
export const shareEstimate = (byRepetition: readonly (readonly number[])[]): Estimate | null =>
  clusteredShare(byRepetition.flat(), clustersOf(byRepetition))

export const centreOf = (mean: Mean): number => (typeof mean === 'number' ? mean : mean.value)

const clustersOf = (byRepetition: readonly (readonly number[])[]): number[] =>
  byRepetition.length > 1
    ? byRepetition.flatMap((list, i) => list.map(() => i))
    : (byRepetition[0] ?? []).map((_, i) => i)

/** The mean over the strings at one distance, by repetition. */
export const meanAt = (
  contexts: readonly Context[],
  distance: string,
  value: (string: ScoredString) => number,
): Mean | null =>
  meanEstimate(
    contexts
      .map(({ strings }) => strings.filter((s) => s.distance === distance).map(value))
      .filter((list) => list.length > 0),
  )
