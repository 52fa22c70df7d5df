import type { Column, Estimate, Frame } from '../../../core/analysis.ts'
import { column } from '../../../core/tables.ts'
import { clusteredShare } from '../clustered-mean.ts'
import { clusterCodes } from './outcomes.ts'
import { allRows, partition, take } from './partition.ts'
import { systemsIn } from './systems.ts'

/** The cells of a table that name what its rows are about. */
export type RowKey = { readonly [column: string]: string | null }

/** The rows of one model with its settings, within a condition. */
export interface SystemRows {
  readonly key: RowKey & { readonly model: string }
  /** The same in one text, for titles: `MODEL, CONDITION`. */
  readonly name: string
  readonly rows: Int32Array
}

/** Rows that may be compared with one another: they agree on task, config, prompt style. */
export interface Condition {
  readonly key: RowKey
  /** The key in one text; empty where there is one condition. */
  readonly name: string
  readonly rows: Int32Array
  readonly systems: readonly SystemRows[]
}

/** The conditions of a frame, their systems, and the columns of a table about them. */
export interface Conditions {
  readonly conditions: readonly Condition[]
  /** Those of all conditions. */
  readonly systems: readonly SystemRows[]
  /** The columns of the keys. */
  readonly columns: readonly Column[]
}

const LABELS: { readonly [axis: string]: string } = { task: 'Task', config: 'Config', style: 'Style' }

/**
 * The columns among these on which the rows of a frame differ.
 *
 * @example
 * import { memoryFrame, varying } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['m', 'm'], style: ['plain', 'terse'], item: ['x', 'y'], score: [1, 0] })
 * console.log(varying(frame, ['model', 'style'])) // [ 'style' ]
 */
export const varying = (frame: Frame, axes: readonly string[]): readonly string[] =>
  axes.filter((axis) => frame.has(axis) && partition(frame, [axis]).length > 1)

/**
 * A title about one condition.
 *
 * @example
 * import { titled } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(titled('Accuracy', 'zero-shot')) // Accuracy, zero-shot
 */
export const titled = (title: string, condition: string): string =>
  condition === '' ? title : `${title}, ${condition}`

/**
 * The rows of a frame by the levels of some columns, and in each by system; so that no row of a table mixes conditions.
 *
 * @example
 * import { conditions, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['m', 'm'], style: ['plain', 'terse'], item: ['x', 'y'], score: [1, 0] })
 * console.log(conditions(frame, ['style']).conditions.map(({ name }) => name)) // [ 'plain', 'terse' ]
 */
export function conditions(frame: Frame, axes: readonly string[]): Conditions {
  const all = partition(frame, axes, allRows(frame)).map(({ key, rows }): Condition => {
    const name = Object.values(key).join(', ')
    const systems = systemsIn(frame, rows).map(({ model, rows: own }) => ({
      key: { ...key, model },
      name: titled(model, name),
      rows: own,
    }))
    return { key, name, rows, systems }
  })
  return {
    conditions: all,
    systems: all.flatMap(({ systems }) => systems),
    columns: axes.map((axis) => column.text(axis, LABELS[axis] ?? axis)),
  }
}

/**
 * The mean of some values 0..1 over rows, with an interval clustered by group.
 *
 * @example
 * import { allRows, memoryFrame, shareOver } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['m', 'm'], style: ['plain', 'terse'], item: ['x', 'y'], score: [1, 0] })
 * console.log(shareOver(frame, frame.number('score'), allRows(frame))?.value) // 0.5
 */
export const shareOver = (
  frame: Frame,
  values: ArrayLike<number>,
  rows: Int32Array,
  confidence?: number,
): Estimate | null => {
  const own = take(values, rows)
  return clusteredShare(own, clusterCodes(frame, rows, own), confidence)
}
