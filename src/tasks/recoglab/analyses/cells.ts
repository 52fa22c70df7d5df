import type { Column, Estimate, Frame } from '../../../core/analysis.ts'
import { column } from '../../../core/columns.ts'
import { memoize } from '../../../core/memo.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  clusteredShare,
  clustering,
  clusterMeans,
  inOrder,
  meanOrNull,
  partition,
  rowsWhere,
  scores,
  systems,
  take,
  takeKnown,
} from '../../../libraries/statistics/index.ts'

export const paper = 'ReCogLab (Liu et al., ICLR 2025)'

export const { text, number, share, estimate } = column

/** A level as a number where it is one, else as it stands. */
export const level = (value: string | null): string | number | null =>
  value !== null && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value

/** One model's rows that agree on some columns. */
interface Cell {
  readonly model: string
  readonly key: { readonly [column: string]: string | null }
  readonly rows: Int32Array
  /** Full marks over all planned cells but the failed ones, clustered by context. */
  readonly accuracy: Estimate
  /** What guessing among the possible answers earns on these rows; null where it is known of none. */
  readonly chance: number | null
}

/** {@link scores}, once a frame: settings are many. */
export const scoresOf = memoize(scores)

/** {@link systems}, once a frame. */
export const whoIn = memoize(systems)

/** Accuracy of every model at every combination of levels, in reading order; cells with nothing counted are left out. */
export function accuracyBy(frame: Frame, columns: readonly string[], rows: Int32Array = allRows(frame)): Cell[] {
  const value = scoresOf(frame)
  const clusters = contextCodes(frame)
  const usable = rowsWhere(rows, (row) => !Number.isNaN(value[row]))
  const cells = bySystem(whoIn(frame), usable).flatMap(({ contestant, rows: mine }) =>
    partition(frame, columns, mine).flatMap((part): Cell[] => {
      const accuracy = clusteredShare(take(value, part.rows), take(clusters, part.rows))
      if (accuracy === null) return []
      return [{ model: contestant, key: part.key, rows: part.rows, accuracy, chance: chanceOf(frame, part.rows) }]
    }),
  )
  const ranks = columns.map((column) => inOrder(new Set(cells.map((cell) => cell.key[column] ?? null))))
  const models = [...new Set(cells.map((cell) => cell.model))]
  return cells.sort((a, b) => {
    const byModel = models.indexOf(a.model) - models.indexOf(b.model)
    if (byModel !== 0) return byModel
    for (const [i, column] of columns.entries()) {
      const rank = ranks[i] as (string | null)[]
      const order = rank.indexOf(a.key[column] ?? null) - rank.indexOf(b.key[column] ?? null)
      if (order !== 0) return order
    }
    return 0
  })
}

const chanceOf = (frame: Frame, rows: Int32Array): number | null => meanOf(frame, 'chance', rows)

/** The column of what guessing earns, where it is known of some rows: figures of their table draw it. */
export const chanceColumn = (rows: readonly { readonly chance: number | null }[]): readonly Column[] =>
  rows.some(({ chance }) => chance !== null) ? [column.share('chance', 'Chance')] : []

/** The rows in which a column is not missing. */
export function rowsWith(frame: Frame, column: string): Int32Array {
  const { codes } = frame.category(column)
  return rowsWhere(allRows(frame), (row) => (codes[row] as number) >= 0)
}

/** The mean of a column over rows, without the missing; null where all are. */
export function meanOf(frame: Frame, column: string, rows: Int32Array): number | null {
  if (!frame.has(column)) return null
  return meanOrNull(takeKnown(frame.number(column), rows))
}

/**
 * The cluster of each row: its group (one context, asked about once or both ways, in all samples). Groups of several
 * configs that hold the same index and seed are one, since configs share their randomness.
 */
export const contextCodes = memoize((frame: Frame): Int32Array => {
  const groups = clusterCodes(frame, allRows(frame))
  if (!frame.has('draw')) return groups
  const draws = frame.category('draw').codes
  const { of, firsts } = clustering(groups)
  return of.map((group) => draws[firsts[group] as number] as number)
})

/** The mean of some values in each context of some rows, and the first row of each. */
export function contextMeans(
  frame: Frame,
  values: Float64Array,
  rows: Int32Array,
): { readonly first: Int32Array; readonly mean: Float64Array } {
  const contexts = clustering(take(contextCodes(frame), rows))
  return {
    first: contexts.firsts.map((place) => rows[place] as number),
    mean: clusterMeans(take(values, rows), contexts),
  }
}

/** How many items some rows are of, whatever the number of samples. */
export const itemsIn = (frame: Frame, rows: Int32Array): number =>
  clustering(take(frame.category('item').codes, rows)).count

/** Levels of a column that occur in some rows, in reading order. */
export const levelsIn = (frame: Frame, column: string, rows: Int32Array): string[] =>
  inOrder(partition(frame, [column], rows).map(({ key }) => key[column] ?? null)).filter((name) => name !== null)
