import type { Json } from '../../../core/index.ts'
import { estimate, type ShownEstimate, type ShownTable } from '../../api/index.ts'

type Row = ShownTable['rows'][number]

export const tableOf = (tables: readonly ShownTable[], id: string): ShownTable | undefined =>
  tables.find((table) => table.id === id)

export const estimateOf = (value: Json | undefined): ShownEstimate | null => {
  const parsed = estimate.safeParse(value)
  return parsed.success ? parsed.data : null
}
export const textOf = (row: Row, key: string): string => (typeof row[key] === 'string' ? row[key] : '')
export const numberOf = (row: Row, key: string): number | null => (typeof row[key] === 'number' ? row[key] : null)

export interface AccuracyRow {
  readonly key: string
  readonly model: string
  readonly task: string
  /** Task, config and style, if they differ between rows. */
  readonly where: string
  readonly accuracy: ShownEstimate
  /** Possible ranks, such as `2-4`; null: too few groups. */
  readonly ranks: string | null
  readonly row: Row
}

/** The rows of the report's table of accuracy that have one. */
export function accuracyRows(tables: readonly ShownTable[]): readonly AccuracyRow[] {
  const rows = tableOf(tables, 'core/accuracy')?.rows ?? []
  const ranks = new Map(tableOf(tables, 'core/ranks')?.rows.map((row) => [placeOf(row), textOf(row, 'ranks')]))
  const varying = ['task', 'config', 'style'].filter((key) => new Set(rows.map((row) => row[key])).size > 1)
  return rows.flatMap((row) => {
    const accuracy = estimateOf(row['accuracy'])
    if (accuracy === null) return []
    const model = textOf(row, 'model')
    const where = varying.map((key) => textOf(row, key)).join(', ')
    return [
      {
        key: JSON.stringify([model, where]),
        model,
        task: textOf(row, 'task'),
        where,
        accuracy,
        ranks: ranks.get(placeOf(row)) ?? null,
        row,
      },
    ]
  })
}

/** Whose row it is, of which items. */
const placeOf = (row: Row): string =>
  JSON.stringify(['task', 'config', 'style', 'model'].map((key) => textOf(row, key)))

/** Counts of responses without prediction, by reason. */
export const missingPredictions = (row: Row): readonly { readonly why: string; readonly count: number }[] =>
  ['unparsed', 'truncated', 'refused', 'failed'].flatMap((why) => {
    const count = numberOf(row, why) ?? 0
    return count > 0 ? [{ why, count }] : []
  })
