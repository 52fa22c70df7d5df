import type { Frame } from '../../core/analysis.ts'

/** The samples of one item: how many there are, how many are right, and its first row. */
export interface SampleCount {
  readonly row: number
  readonly n: number
  readonly right: number
}

/**
 * What pass@k is made of, an item each in order of appearance. `right` is 1 or 0 a row, NaN where there is no score.
 *
 * @example
 * import { allRows, correctness, memoryFrame, sampleCounts, scores } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], state: ['graded', 'unparsed', 'graded'], value: [1, null, 0.5] })
 * console.log(sampleCounts(frame, correctness(scores(frame)), allRows(frame))) // [ { row: 0, n: 3, right: 1 } ]
 */
export function sampleCounts(frame: Frame, right: Float64Array, rows: Int32Array): readonly SampleCount[] {
  const items = frame.category('item').codes
  const counts = new Map<number, { row: number; n: number; right: number }>()
  for (const row of rows) {
    const score = right[row] as number
    if (Number.isNaN(score)) continue
    const known = counts.get(items[row] as number)
    if (known === undefined) counts.set(items[row] as number, { row, n: 1, right: score })
    else {
      known.n++
      known.right += score
    }
  }
  return [...counts.values()]
}
