import type { Column, Estimate, Frame, Table } from '../../../core/analysis.ts'
import { memoize } from '../../../core/memo.ts'
import { type Cell, column, optional, tableOf } from '../../../core/tables.ts'
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
interface Part {
  readonly model: string
  readonly levels: { readonly [column: string]: string | null }
  readonly rows: Int32Array
  /** Mean score over all calls except errors, clustered by context. */
  readonly accuracy: Estimate
  /** The chance baseline of these rows; null where it is unknown for all. */
  readonly chance: number | null
}

/** The accuracy of every model at every combination of levels, in reading order. */
export function accuracyBy(frame: Frame, columns: readonly string[], rows: Int32Array): Part[] {
  const value = scores(frame)
  const clusters = contextCodes(frame)
  const usable = rowsWhere(rows, (row) => !Number.isNaN(value[row]))
  const parts = systemsIn(frame, usable).flatMap(({ model: name, rows: own }) =>
    partition(frame, columns, own).flatMap(({ key, rows: inside }): Part[] => {
      const accuracy = clusteredShare(take(value, inside), take(clusters, inside))
      return accuracy === null
        ? []
        : [{ model: name, levels: key, rows: inside, accuracy, chance: meanOf(frame, 'chance', inside) }]
    }),
  )
  const models = [...new Set(parts.map((part) => part.model))]
  const orders = [
    (part: Part) => models.indexOf(part.model),
    ...columns.map((name) => {
      const order = inOrder(new Set(parts.map(({ levels }) => levels[name] ?? null)))
      return ({ levels }: Part) => order.indexOf(levels[name] ?? null)
    }),
  ]
  return parts.sort((a, b) => orders.reduce((order, of) => order || of(a) - of(b), 0))
}

/**
 * Accuracies: a row for each setting, model and combination of the levels of some features, each with the column that shows it; then
 * the columns of `more`. `beside`: what a figure needs of a row.
 */
export function accuracyTable(
  frame: Frame,
  settings: readonly Setting[],
  [id, title]: readonly [id: string, title: string],
  levels: readonly (readonly [feature: string, column: Column])[],
  more: readonly Cell<Part>[] = [],
  beside: (part: Part, setting: string) => Table['rows'][number] = () => ({}),
): Table {
  const names = levels.map(([feature]) => feature)
  const parts = settings.flatMap(({ setting: name, rows }) =>
    accuracyBy(frame, names, rows).map((part) => {
      const shown = levels.map(([feature, { key }]) => [key, level(part.levels[feature])])
      return { ...part, key: { setting: name, model: part.model, ...Object.fromEntries(shown), ...beside(part, name) } }
    }),
  )
  return tableOf(id, title, [setting, model, ...levels.map(([, shown]) => shown)], parts, [
    ...more,
    [estimate('accuracy', 'Accuracy'), ({ accuracy }) => accuracy],
    [chance, (part) => part.chance],
  ])
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
