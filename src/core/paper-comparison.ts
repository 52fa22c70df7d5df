import type { Estimate, Table } from './analysis.ts'

/** A value with the row that it belongs to. */
export interface PaperValue {
  /** What the paper calls the row: values of equal rows are compared. */
  readonly row: string
  /** Config and style, where a run has several. */
  readonly set?: string
  readonly value: number | string | Estimate | null
}

/** A quantity that a paper prints and a report has: where it stands in each, and why they differ. */
export interface PaperComparison {
  /** Id of the printed table. */
  readonly printed: string
  /** With the unit of the paper. */
  readonly measure: string
  paper(printed: Table): readonly PaperValue[]
  /** By the definitions of the paper. Default: none. */
  published?(tables: readonly Table[]): readonly PaperValue[]
  /** By our definitions. Default: none, there is nothing to correct. */
  corrected?(tables: readonly Table[]): readonly PaperValue[]
  /** Why the three may differ. */
  readonly reason: string
}

type Row = Table['rows'][number]

/** A column of a table, and what its rows are called. `axes`: columns that name their set, config and style by default. */
export interface ColumnPlace {
  readonly column: string
  /** null: the row is not compared. */
  row(row: Row): string | null
  /** The rows that count. Default: all. */
  rows?(all: readonly Row[]): readonly Row[]
  readonly axes?: readonly string[]
  /** Factor to the unit of the paper: 100 makes percent of a share. */
  readonly times?: number
}

/** The values of a column of a printed table. */
export const paperColumn =
  (place: ColumnPlace): PaperComparison['paper'] =>
  (table) =>
    valuesAt(table, place)

/** The values of a column of the report's table with this id. */
export const reportColumn =
  (id: string, place: ColumnPlace) =>
  (tables: readonly Table[]): readonly PaperValue[] =>
    tables.filter((table) => table.id === id).flatMap((table) => valuesAt(table, place))

const valuesAt = (
  table: Table,
  { column, row, rows, axes = ['config', 'style'], times = 1 }: ColumnPlace,
): readonly PaperValue[] =>
  (rows?.(table.rows) ?? table.rows).flatMap((one) => {
    const name = row(one)
    if (name === null) return []
    const value = scaled(one[column], times)
    const set = axes.flatMap((axis) => (typeof one[axis] === 'string' ? [one[axis]] : [])).join(' ')
    return [{ row: name, value, ...(set === '' ? {} : { set }) }]
  })

function scaled(value: Row[string] | undefined, times: number): PaperValue['value'] {
  if (typeof value === 'number') return times * value
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('method' in value)) return null
  const estimate = value as Estimate
  return { ...estimate, value: times * estimate.value, low: times * estimate.low, high: times * estimate.high }
}

/**
 * Names models as a paper does: provider, organisation and snapshot date do not count.
 *
 * @param called - for each name in the paper, further names of the model.
 */
export function modelNames(called: { readonly [inPaper: string]: readonly string[] }): (model: string) => string {
  const known = new Map(
    Object.entries(called).flatMap(([name, others]) => [name, ...others].map((one) => [bareModel(one), name] as const)),
  )
  return (model) => known.get(bareModel(model)) ?? model
}

const bareModel = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^(?!baseline:|tiny:)[\w.-]+:/u, '')
    .replace(/^.*\//u, '')
    .replace(/-\d{4}-?\d{2}-?\d{2}$/u, '')
    .replace(/-it$/u, '')
    .replaceAll(/[\s_.-]+/gu, '-')
