import type { Frame } from '../../../core/analysis.ts'
import { clustering, clusterSums } from '../clusters.ts'
import { rowsWhere, take } from './partition.ts'

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
  const graded = rowsWhere(rows, (row) => !Number.isNaN(right[row]))
  const items = clustering(take(frame.category('item').codes, graded))
  const sums = clusterSums(take(right, graded), items)
  return Array.from(items.firsts, (first, i) => ({
    row: graded[first] as number,
    n: items.sizes[i] as number,
    right: sums[i] as number,
  }))
}
