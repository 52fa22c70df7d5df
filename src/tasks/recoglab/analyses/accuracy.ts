import type { Column, Estimate, Frame, Table } from '../../../core/analysis.ts'
import { memoize } from '../../../core/memo.ts'
import { column, optional, table } from '../../../core/tables.ts'
import {
  allRows,
  clusterCodes,
  clusteredShare,
  clustering,
  clusterMeans,
  inOrder,
  meanOrNull,
  partition,
  rowsWhere,
  scores,
  systemsIn,
  take,
  takeKnown,
} from '../../../libraries/statistics/index.ts'
import type { Setting } from './settings.ts'

export const paper = 'ReCogLab (Liu et al., ICLR 2025)'

export const { text, number, share, estimate } = column
export const model = text('model', 'Model')
/** Names the settings of a table where it has several. */
export const setting = optional(text('setting', 'Setting'))
export const chance = optional(share('chance', 'Chance'))

/** The columns that every analysis of accuracies needs. */
export const NEEDS = ['task', 'item', 'model', 'config', 'status', 'score']

/** A level as a number where it is one. */
export const level = (value: string | null | undefined): string | number | null =>
  value === undefined || value === null ? null : value !== '' && Number.isFinite(Number(value)) ? Number(value) : value

/** The rows of one model that agree on some columns. */
export interface Cell {
  readonly model: string
  readonly key: { readonly [column: string]: string | null }
  readonly rows: Int32Array
  /** Mean score over all calls except errors, clustered by context. */
  readonly accuracy: Estimate
  /** The chance baseline of these rows; null where it is unknown for all. */
  readonly chance: number | null
}

/** The accuracy of every model at every combination of levels, in reading order. */
export function accuracyBy(frame: Frame, columns: readonly string[], rows: Int32Array = allRows(frame)): Cell[] {
  const value = scores(frame)
  const clusters = contextCodes(frame)
  const usable = rowsWhere(rows, (row) => !Number.isNaN(value[row]))
  const cells = systemsIn(frame, usable).flatMap(({ model: name, rows: own }) =>
    partition(frame, columns, own).flatMap(({ key, rows: inside }): Cell[] => {
      const accuracy = clusteredShare(take(value, inside), take(clusters, inside))
      return accuracy === null
        ? []
        : [{ model: name, key, rows: inside, accuracy, chance: meanOf(frame, 'chance', inside) }]
    }),
  )
  const models = [...new Set(cells.map((cell) => cell.model))]
  const orders = [
    (cell: Cell) => models.indexOf(cell.model),
    ...columns.map((name) => {
      const order = inOrder(new Set(cells.map(({ key }) => key[name] ?? null)))
      return ({ key }: Cell) => order.indexOf(key[name] ?? null)
    }),
  ]
  return cells.sort((a, b) => orders.reduce((order, of) => order || of(a) - of(b), 0))
}

/** A column of the rows, and how a table shows its levels. */
export type Levels = readonly [feature: string, column: Column]

/** Accuracies: a row for each setting, model and combination of levels; `more` adds cells after the levels. */
export function accuracyTable(
  frame: Frame,
  settings: readonly Setting[],
  [id, title]: readonly [id: string, title: string],
  levels: readonly Levels[],
  more: { readonly columns: readonly Column[]; of(cell: Cell, setting: Setting): Table['rows'][number] } = {
    columns: [],
    of: () => ({}),
  },
): Table {
  const names = levels.map(([feature]) => feature)
  return table(
    id,
    title,
    [setting, model, ...levels.map(([, shown]) => shown), ...more.columns, estimate('accuracy', 'Accuracy'), chance],
    settings.flatMap((one) =>
      accuracyBy(frame, names, one.rows).map((cell) => ({
        setting: one.setting,
        model: cell.model,
        ...Object.fromEntries(levels.map(([feature, { key }]) => [key, level(cell.key[feature])])),
        ...more.of(cell, one),
        accuracy: cell.accuracy,
        chance: cell.chance,
      })),
    ),
  )
}

/** The rows in which a column is not missing. */
export function rowsWith(frame: Frame, name: string): Int32Array {
  const { codes } = frame.category(name)
  return rowsWhere(allRows(frame), (row) => (codes[row] as number) >= 0)
}

/** The mean of a column over rows where it is known; null where it is nowhere. */
export const meanOf = (frame: Frame, name: string, rows: Int32Array): number | null =>
  frame.has(name) ? meanOrNull(takeKnown(frame.number(name), rows)) : null

/** The cluster of each row: its context, in all samples and both ways of asking. */
export const contextCodes = memoize((frame: Frame): Int32Array => clusterCodes(frame, allRows(frame)))

/** The mean of some values in each context, and the first row of each. */
export function contextMeans(
  frame: Frame,
  values: Float64Array,
  rows: Int32Array,
): { readonly first: Int32Array; readonly mean: Float64Array } {
  const contexts = clustering(take(contextCodes(frame), rows))
  return {
    first: contexts.firsts.map((at) => rows[at] as number),
    mean: clusterMeans(take(values, rows), contexts),
  }
}

/** The number of items of some rows, whatever the number of samples. */
export const itemsIn = (frame: Frame, rows: Int32Array): number =>
  clustering(take(frame.category('item').codes, rows)).count

/** The levels of a column in some rows, in reading order. */
export const levelsIn = (frame: Frame, name: string, rows: Int32Array): string[] =>
  inOrder(partition(frame, [name], rows).map(({ key }) => key[name] ?? null)).filter((one) => one !== null)
