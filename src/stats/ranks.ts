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
  const order = new Uint32Array(n)
  for (let i = 0; i < n; i++) {
    if (Number.isNaN(values[i]))
      throw new RangeError(`ranks need numbers, got NaN at ${i}; leave missing values out first`)
    order[i] = i
  }
  order.sort((i, j) => compare(values[i] as number, values[j] as number))
  const ranks = new Float64Array(n)
  const ties: number[] = []
  for (let from = 0; from < n; ) {
    let to = from + 1
    while (to < n && values[order[to] as number] === values[order[from] as number]) to++
    for (let k = from; k < to; k++) ranks[order[k] as number] = (from + 1 + to) / 2
    if (to - from > 1) ties.push(to - from)
    from = to
  }
  return { ranks, ties }
}

/** Infinities are equal to themselves, which a difference would not see. */
const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
