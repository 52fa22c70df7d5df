import type { Json } from '../../../core/index.ts'
import { estimate, type ShownEstimate, type ShownTable } from '../../api/index.ts'
import { adjustP } from './viewed-subsets.ts'

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
  readonly row: Row
}

/** The rows of the report's table of accuracy that have one. */
export function accuracyRows(tables: readonly ShownTable[]): readonly AccuracyRow[] {
  const rows = tableOf(tables, 'core/accuracy')?.rows ?? []
  const varying = varyingIn(rows)
  return rows.flatMap((row) => {
    const accuracy = estimateOf(row['accuracy'])
    if (accuracy === null) return []
    const model = textOf(row, 'model')
    const where = whereOf(row, varying)
    return [
      {
        key: JSON.stringify([model, where]),
        model,
        task: textOf(row, 'task'),
        where,
        accuracy,
        row,
      },
    ]
  })
}

/** What names a condition: tasks that were asked in one way need no more. */
function varyingIn(rows: readonly Row[]): readonly string[] {
  const tasks = new Set(rows.map((row) => row['task'])).size
  const further = ['config', 'style'].filter(
    (key) => new Set(rows.map((row) => `${row['task']} ${row[key] ?? ''}`)).size > tasks,
  )
  return [...(tasks > 1 ? ['task'] : []), ...further]
}

const whereOf = (row: Row, varying: readonly string[]): string =>
  varying
    .map((key) => textOf(row, key))
    .filter(Boolean)
    .join(', ')

export const totals = (rows: readonly AccuracyRow[], key: string): number =>
  rows.reduce((sum, { row }) => sum + (numberOf(row, key) ?? 0), 0)

export interface Pair {
  readonly a: string
  readonly b: string
  /** As of an {@link AccuracyRow}. */
  readonly where: string
  readonly row: Row
  readonly difference: ShownEstimate
  /** Adjusted for all pairs and all subsets viewed. */
  readonly holm: number | null
  readonly significant: boolean
  /** The better one of a significant pair. */
  readonly winner: string | null
}

/** The paired comparisons of the report. @param views - subsets of items viewed, for which p is adjusted. */
export function pairsIn(tables: readonly ShownTable[], views: number): readonly Pair[] {
  const { rows = [] } = tableOf(tables, 'core/paired') ?? {}
  const varying = varyingIn(tableOf(tables, 'core/accuracy')?.rows ?? [])
  return rows.flatMap((row) => {
    const difference = estimateOf(row['difference'])
    if (difference === null) return []
    const [a, b, holm] = [textOf(row, 'a'), textOf(row, 'b'), adjustP(numberOf(row, 'holm'), views)]
    const significant = holm !== null && holm < 0.05
    const winner = significant ? (difference.value > 0 ? a : b) : null
    return [{ a, b, where: whereOf(row, varying), row, difference, holm, significant, winner }]
  })
}
