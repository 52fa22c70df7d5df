import type { Estimate, Table } from './analysis.ts'

/** A value and the row that it stands in. */
export interface Placed {
  /** What the paper calls the row: values of equal rows stand side by side. */
  readonly row: string
  /** The items, where a run has several sets of them. */
  readonly set?: string
  readonly value: number | string | Estimate | null
}

/** A quantity that a paper prints and a run gives: where it stands in each, and why they differ. */
export interface SideBySide {
  /** Id of the printed table. */
  readonly printed: string
  /** With its unit, that of the paper. */
  readonly measure: string
  paper(printed: Table): readonly Placed[]
  /** By the definitions of the paper; left out: nothing of ours follows them. */
  published?(tables: readonly Table[]): readonly Placed[]
  /** By ours; left out: there is nothing to correct. */
  corrected?(tables: readonly Table[]): readonly Placed[]
  /** Why the three differ where they do. */
  readonly reason: string
}

type Row = Table['rows'][number]

/** A column of a table, and what its rows are called. */
export interface ColumnPlace {
  readonly column: string
  /** null: the row has no place beside the paper. */
  row(row: Row): string | null
  /** The rows that count; left out: all. */
  rows?(all: readonly Row[]): readonly Row[]
  /** What changes the unit into that of the paper: 100 makes percent of a share. */
  readonly times?: number
}

/** The values of a column of a printed table. */
export const printedColumn =
  (place: ColumnPlace): SideBySide['paper'] =>
  (table) =>
    placed(table, place)

/** The values of a column of the table of a report with this id. */
export const ourColumn =
  (id: string, place: ColumnPlace) =>
  (tables: readonly Table[]): readonly Placed[] =>
    tables.filter((table) => table.id === id).flatMap((table) => placed(table, place))

function placed(table: Table, { column, row, rows, times = 1 }: ColumnPlace): readonly Placed[] {
  return (rows?.(table.rows) ?? table.rows).flatMap((one) => {
    const name = row(one)
    if (name === null) return []
    const value = cellValue(one[column], times)
    const set = AXES.flatMap((axis) => (typeof one[axis] === 'string' ? [one[axis]] : [])).join(' ')
    return [{ row: name, value, ...(set === '' ? {} : { set }) }]
  })
}

/** What tells sets of items of a run apart, where it has several. */
const AXES = ['config', 'style'] as const

function cellValue(value: Row[string] | undefined, times: number): Placed['value'] {
  if (typeof value === 'number') return times * value
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || !('method' in value)) return null
  const estimate = value as Estimate
  return { ...estimate, value: times * estimate.value, low: times * estimate.low, high: times * estimate.high }
}

/**
 * Names models as a paper does: providers, organisations and dates of snapshots make no other model.
 *
 * @param called - for each name in the paper the further names that the model goes by.
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
