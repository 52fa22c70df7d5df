import type { Table } from '../core/index.ts'

/** What is missed least in a table of accuracies, first; each count of 0 goes before them, whatever is not named after them. */
const SPARED = ['rule', 'lenient', 'read', 'score', 'guess', 'graded', 'planned', 'correct', 'chance'] as const

/** A table for so many columns of a terminal. */
export interface Fitted {
  /** What all rows are of, such as the task; empty where that stands in the rows. */
  readonly above: string
  readonly text: string
  /** Columns for which there was no room, as a reader knows them. */
  readonly left: readonly string[]
}

/**
 * A table with as many columns as a terminal has room for: the model and the first estimate always stay.
 *
 * @param plain - writes a table.
 * @param room - characters of a line; undefined: there is no end, as in a file.
 */
export function fitted(table: Table, plain: (table: Table) => string, room: number | undefined): Fitted {
  const whole = plain(table)
  if (fits(whole, room)) return { above: '', text: whole, left: [] }
  const names = table.columns.slice(
    0,
    table.columns.findIndex(({ key }) => key === 'model'),
  )
  const same = names.filter(({ key }) => isSame(table, key))
  const above = same.map(({ key }) => String(table.rows[0]?.[key] ?? '')).join(', ')
  let columns = table.columns.filter((column) => !same.includes(column))
  const left: string[] = []
  for (const key of spared(table)) {
    if (fits(plain({ ...table, columns }), room)) break
    const [gone] = columns.filter((column) => column.key === key)
    if (gone === undefined) continue
    columns = columns.filter((column) => column !== gone)
    left.push(gone.label.toLowerCase())
  }
  return { above, text: plain({ ...table, columns }), left }
}

const fits = (text: string, room: number | undefined): boolean =>
  room === undefined || text.split('\n').every((line) => line.length <= room)

const isSame = ({ rows }: Table, key: string): boolean => rows.every((row) => row[key] === rows[0]?.[key])

/** Keys of columns in the order in which they go. */
function spared({ columns, rows }: Table): readonly string[] {
  const first = columns.find(({ kind }) => kind === 'estimate')
  const free = columns.filter((column) => column.kind !== 'text' && column !== first).map(({ key }) => key)
  const none = free.filter((key) => rows.every((row) => row[key] === 0))
  return [...new Set([...none, ...SPARED, ...free.toReversed()])]
}
