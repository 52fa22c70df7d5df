import type { Frame } from '../../../core/analysis.ts'
import { memoizeWeak } from '../../../core/memo.ts'
import { areBinary, clustering, clusterSums } from '../clusters.ts'
import { rowsWhere, take } from './partition.ts'

/** Numbers of rows by status. */
export interface StateCounts {
  readonly planned: number
  readonly graded: number
  readonly unparsed: number
  readonly truncated: number
  readonly refused: number
  readonly failed: number
}

/**
 * Counts rows by status.
 *
 * @example
 * import { allRows, memoryFrame, stateCounts } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], status: ['graded', 'unparsed', 'graded'], score: [1, null, 0.5] })
 * const { planned, graded, unparsed } = stateCounts(frame, allRows(frame))
 * console.log(planned, graded, unparsed) // 3 2 1
 */
export function stateCounts(frame: Frame, rows: Int32Array): StateCounts {
  const { codes, levels } = frame.category('status')
  const counts = levels.map(() => 0)
  for (const row of rows) {
    const code = codes[row] as number
    if (code >= 0) counts[code] = (counts[code] as number) + 1
  }
  const of = (state: string) => counts[levels.indexOf(state)] ?? 0
  return {
    planned: rows.length,
    graded: of('graded'),
    unparsed: of('unparsed'),
    truncated: of('truncated'),
    refused: of('refused'),
    failed: of('error'),
  }
}

/**
 * The score of each row (0..1) as in accuracies: its value if graded, 0 if unparsed, truncated or refused, NaN (excluded) for
 * errors and rows without a parser. Shared: do not modify.
 *
 * @example
 * import { memoryFrame, scores } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], status: ['graded', 'unparsed', 'graded'], score: [1, null, 0.5] })
 * console.log(scores(frame)) // Float64Array(3) [ 1, 0, 0.5 ]
 */
export const scores: (frame: Frame) => Float64Array = memoizeWeak((frame) => {
  const { codes, levels } = frame.category('status')
  const value = frame.number('score')
  const graded = levels.indexOf('graded')
  const wrong = levels.map((state) => ['unparsed', 'truncated', 'refused'].includes(state))
  const found = new Float64Array(codes.length)
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    found[i] = code < 0 ? Number.NaN : code === graded ? (value[i] as number) : wrong[code] === true ? 0 : Number.NaN
  }
  return found
})

/**
 * 1 for a score of 1, 0 for less, NaN for none. Shared: do not modify.
 *
 * @example
 * import { correctness } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(correctness(Float64Array.of(1, 0.5, 0, Number.NaN))) // Float64Array(4) [ 1, 0, 0, NaN ]
 */
export const correctness: (values: Float64Array) => Float64Array = memoizeWeak((values) => {
  const found = new Float64Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    found[i] = Number.isNaN(value) ? Number.NaN : value >= 1 ? 1 : 0
  }
  return found
})

/**
 * The truth of each row as people say it, 0..1; NaN where nobody did. null: none of some rows has the score of a judge, or was labelled by people.
 *
 * @example
 * import { allRows, memoryFrame, peoplesScores } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a'], item: ['i1'], status: ['graded'], score: [1] })
 * console.log(peoplesScores(frame, allRows(frame))) // null
 */
export function peoplesScores(frame: Frame, rows: Int32Array): Float64Array | null {
  const has = (name: string): boolean => {
    const values = frame.has(name) ? frame.number(name) : null
    return values !== null && rows.some((row) => !Number.isNaN(values[row]))
  }
  if (has('subscore_truth')) return frame.number('subscore_truth')
  return has('subscore_judge') ? new Float64Array(frame.length).fill(Number.NaN) : null
}

/** The samples of one item: their number, how many are correct, and the first row. */
export interface SampleCount {
  readonly row: number
  readonly n: number
  readonly right: number
}

/**
 * Sample counts of each item, for pass@k, in order of appearance. `right` is 1 or 0 per row, NaN without a score.
 *
 * @example
 * import { allRows, correctness, memoryFrame, sampleCounts, scores } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], status: ['graded', 'unparsed', 'graded'], score: [1, null, 0.5] })
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

/**
 * The cluster of each row: its group, so that items of one grammar and samples of one item count together. Groups of several
 * configs with the same random draw are one cluster, since their items may differ in their words only. Rows without a
 * group are clustered by item; so are all rows if there is only one group, unless `values`, of which an interval is wanted,
 * are all right or wrong (0 or 1): what one group tells of others is part of the method of shares.
 *
 * @example
 * import { allRows, clusterCodes, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], status: ['graded', 'unparsed', 'graded'], score: [1, null, 0.5] })
 * const codes = clusterCodes(frame, allRows(frame))
 * console.log(codes[0] === codes[2]) // true
 */
export function clusterCodes(frame: Frame, rows: Int32Array, ...values: readonly ArrayLike<number>[]): Int32Array {
  const items = frame.category('item').codes
  const codes = new Int32Array(rows.length)
  if (!frame.has('group')) {
    for (let i = 0; i < rows.length; i++) codes[i] = items[rows[i] as number] as number
    return codes
  }
  const groups = drawnGroups(frame)
  const one = inOneGroup(frame, rows) && !(values.length > 0 && values.every(areBinary))
  // Items are numbered below the groups, so that the two never meet.
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const code = groups[row] as number
    codes[i] = !one && code >= 0 ? code : -1 - (items[row] as number)
  }
  return codes
}

/** The group of each row, as the first of the groups with its draw. */
const drawnGroups = memoizeWeak((frame: Frame): Int32Array => {
  const { codes, levels } = frame.category('group')
  if (!frame.has('draw')) return codes
  const draws = frame.category('draw')
  const [ofDraw, ofGroup] = [new Int32Array(draws.levels.length).fill(-1), new Int32Array(levels.length).fill(-1)]
  return codes.map((group, row) => {
    const draw = draws.codes[row] as number
    if (group < 0 || draw < 0) return group
    if (ofGroup[group] === -1) {
      if (ofDraw[draw] === -1) ofDraw[draw] = group
      ofGroup[group] = ofDraw[draw] as number
    }
    return ofGroup[group] as number
  })
})

/**
 * True if all rows with a group have the same one. Results then hold for this group only.
 *
 * @example
 * import { allRows, inOneGroup, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a'], item: ['i1', 'i2'], group: ['g', 'g'], status: ['graded', 'graded'], score: [1, 0] })
 * console.log(inOneGroup(frame, allRows(frame))) // true
 */
export function inOneGroup(frame: Frame, rows: Int32Array): boolean {
  if (!frame.has('group')) return false
  const { codes } = frame.category('group')
  let first = -1
  for (const row of rows) {
    const code = codes[row] as number
    if (code < 0 || code === first) continue
    if (first >= 0) return false
    first = code
  }
  return first >= 0
}
