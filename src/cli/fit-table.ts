import type { Table } from '../core/index.ts'

/** Columns of an accuracy table in the order in which they are hidden; columns of zeros go first, others last. */
const HIDDEN_FIRST = [
  'heuristicName',
  'lenient',
  'score',
  'graded',
  'planned',
  'p',
  'onlyB',
  'onlyA',
  'correct',
  'chance',
  'holm',
  'items',
] as const

/** A table for the width of a terminal. */
export interface FittedTable {
  /** Values that all rows share, such as the task; empty where they stay in the rows. */
  readonly above: string
  readonly text: string
  /** Labels of hidden columns that do not hold zeros alone. */
  readonly hidden: readonly string[]
}

/**
 * A table with as many columns as fit: the model and the first estimate always stay.
 *
 * @param plain - writes a table.
 * @param width - characters of a line; undefined: unlimited, as in a file.
 */
export function fitTable(table: Table, plain: (table: Table) => string, width: number | undefined): FittedTable {
  const whole = plain(table)
  if (fits(whole, width)) return { above: '', text: whole, hidden: [] }
  const names = table.columns.slice(
    0,
    table.columns.findIndex(({ key, kind }) => kind !== 'text' || key === 'model' || key === 'feature'),
  )
  const same = names.filter(({ key }) => isSame(table, key))
  const above = same.map(({ key }) => String(table.rows[0]?.[key] ?? '')).join(', ')
  let columns = table.columns.filter((column) => !same.includes(column))
  const hidden: string[] = []
  for (const key of hidingOrder(table)) {
    if (fits(plain({ ...table, columns }), width)) break
    const [gone] = columns.filter((column) => column.key === key)
    if (gone === undefined) continue
    columns = columns.filter((column) => column !== gone)
    if (table.rows.some((row) => row[key] !== 0)) hidden.push(gone.label)
  }
  return { above, text: plain({ ...table, columns }), hidden }
}

const fits = (text: string, width: number | undefined): boolean =>
  width === undefined || text.split('\n').every((line) => line.length <= width)

const isSame = ({ rows }: Table, key: string): boolean => rows.every((row) => row[key] === rows[0]?.[key])

/** Keys of columns in the order in which they are hidden. */
function hidingOrder({ columns, rows }: Table): readonly string[] {
  const first = columns.find(({ kind }) => kind === 'estimate')
  const free = columns.filter((column) => column.kind !== 'text' && column !== first).map(({ key }) => key)
  const none = free.filter((key) => rows.every((row) => row[key] === 0))
  return [...new Set([...none, ...HIDDEN_FIRST, ...free.toReversed()])]
}
