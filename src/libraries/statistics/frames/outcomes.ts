import type { Frame } from '../../../core/analysis.ts'
import { memoizeWeak } from '../../../core/memo.ts'

/** How many rows ended in each state. */
export interface StateCounts {
  readonly planned: number
  readonly graded: number
  readonly unparsed: number
  readonly truncated: number
  readonly refused: number
  readonly failed: number
}

/**
 * How many of these rows ended in which state.
 *
 * @example
 * import { allRows, memoryFrame, stateCounts } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], state: ['graded', 'unparsed', 'graded'], value: [1, null, 0.5] })
 * const { planned, graded, unparsed } = stateCounts(frame, allRows(frame))
 * console.log(planned, graded, unparsed) // 3 2 1
 */
export function stateCounts(frame: Frame, rows: Int32Array): StateCounts {
  const { codes, levels } = frame.category('state')
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
    failed: of('failed'),
  }
}

/**
 * The score of each row as the headline counts it (0..1): its value where graded, 0 where unparsed, truncated or refused, NaN (no cell of
 * the denominator) where failed or not read by a parser at all. Not to be written into: who asks again may get the same.
 *
 * @example
 * import { memoryFrame, scores } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], state: ['graded', 'unparsed', 'graded'], value: [1, null, 0.5] })
 * console.log(scores(frame)) // Float64Array(3) [ 1, 0, 0.5 ]
 */
export const scores: (frame: Frame) => Float64Array = memoizeWeak((frame) => {
  const { codes, levels } = frame.category('state')
  const value = frame.number('value')
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
 * 1 where a score is full, 0 where it is less, NaN where there is none. Not to be written into, as those of {@link scores}.
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
