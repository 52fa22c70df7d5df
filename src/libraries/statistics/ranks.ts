/** Ranks 1..n; equal values share the mean of their ranks. `ties` holds the sizes of the groups of equal values larger than one. */
export interface Ranks {
  readonly ranks: Float64Array
  readonly ties: readonly number[]
}

/**
 * Ranks 1..n from the least; equal values share the mean of their ranks.
 *
 * @example
 * import { midranks } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(midranks([0.5, 0.2, 0.5]).ranks) // Float64Array(3) [ 2.5, 1, 2.5 ]
 */
export function midranks(values: ArrayLike<number>): Ranks {
  const n = values.length
  // Each value once with how often it is there: scores are few values, and numbers sort without a comparison of ours.
  const counts = new Map<number, number>()
  for (let i = 0; i < n; i++) {
    const value = values[i] as number
    if (Number.isNaN(value)) throw new RangeError(`ranks need numbers, got NaN at ${i}; leave missing values out first`)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const rankOf = new Map<number, number>()
  const ties: number[] = []
  let before = 0
  for (const value of Float64Array.from(counts.keys()).sort()) {
    const count = counts.get(value) as number
    rankOf.set(value, (before + 1 + before + count) / 2)
    if (count > 1) ties.push(count)
    before += count
  }
  const ranks = new Float64Array(n)
  for (let i = 0; i < n; i++) ranks[i] = rankOf.get(values[i] as number) as number
  return { ranks, ties }
}
