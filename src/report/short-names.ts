import { modelShortNames, type Table } from '../core/index.ts'
import type { ReportedAnalysis } from './report.ts'
import type { Row } from './rows.ts'

/** Columns that name models. */
const NAMING = ['model', 'a', 'b']

/** Short names of the models of a report's tables. */
export function shortNamesIn(analyses: readonly ReportedAnalysis[]): ReadonlyMap<string, string> {
  const named = analyses.flatMap(({ tables }) => tables.flatMap(({ columns, rows }) => namesIn(columns, rows)))
  return modelShortNames(named)
}

/** Prompt styles stand in columns `a` and `b` too, with another label. */
const namesIn = (columns: Table['columns'], rows: readonly Row[]): readonly string[] =>
  namingColumns(columns).flatMap((key) => rows.flatMap(({ [key]: name }) => (typeof name === 'string' ? [name] : [])))

const namingColumns = (columns: Table['columns']): readonly string[] =>
  columns.flatMap(({ key, label }) => (NAMING.includes(key) && label.startsWith('Model') ? [key] : []))

/** The same analyses with short names of models in tables and titles, for pages, figures and sentences. */
export function withShortNames(analyses: readonly ReportedAnalysis[]): readonly ReportedAnalysis[] {
  const short = shortNamesIn(analyses)
  const long = [...short].filter(([name, cut]) => name !== cut).sort(([a], [b]) => b.length - a.length)
  if (long.length === 0) return analyses
  const inText = (text: string): string => long.reduce((all, [name, cut]) => all.replaceAll(name, cut), text)
  return analyses.map((one) => ({
    ...one,
    title: inText(one.title),
    tables: one.tables.map((table) => {
      const keys = namingColumns(table.columns)
      const shorten = (row: Row): Row => ({
        ...row,
        ...Object.fromEntries(keys.map((key) => [key, short.get(String(row[key])) ?? row[key] ?? null])),
      })
      return { ...table, title: inText(table.title), rows: table.rows.map(shorten) }
    }),
  }))
}
