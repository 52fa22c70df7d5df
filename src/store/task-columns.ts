import { type Codes, codesOf } from './codes.ts'
import type { FeatureType } from './names.ts'
import { holdsNumber, NumberColumn, type Numbers, numbersAt } from './number-column.ts'

/** A column in memory. */
export type Loaded =
  | { readonly kind: 'number'; readonly numbers: Numbers }
  | { readonly kind: 'text'; readonly codes: Codes; readonly levels: readonly string[] }

type Columns = ReadonlyMap<string, Loaded>

/**
 * The columns as a run of one task has them: its rows only, none of the columns that other tasks brought, and features of
 * the type that they have in this task.
 */
export function taskColumns(
  columns: Columns,
  length: number,
  task: string,
  types: { readonly [feature: string]: FeatureType },
): { readonly length: number; readonly columns: Columns } {
  const rows = rowsOf(columns, task)
  const cut = rows.length === length ? (column: Loaded) => column : (column: Loaded) => columnAt(column, rows)
  const mine = new Map<string, Loaded>()
  for (const [name, column] of columns) {
    const type = name.startsWith('feature_') ? types[name.slice('feature_'.length)] : undefined
    const made = typed(cut(column), type)
    if (!optional(name) || holds(made)) mine.set(name, made)
  }
  // A parser that read no row of this task has none of its columns.
  for (const name of mine.keys()) {
    const at = name.indexOf('@')
    if (at >= 0 && !mine.has(`state${name.slice(at)}`)) mine.delete(name)
  }
  return { length: rows.length, columns: mine }
}

function rowsOf(columns: Columns, task: string): Int32Array {
  const column = columns.get('task')
  if (column?.kind !== 'text') throw new Error('the rows have no column "task"')
  const code = column.levels.indexOf(task)
  const rows: number[] = []
  column.codes.forEach((value, row) => {
    if (value === code) rows.push(row)
  })
  return Int32Array.from(rows)
}

/** Columns that are there only where a task fills them. */
const optional = (name: string): boolean => /^(?:feature_|part_|measured_|state@)/u.test(name)

const holds = (column: Loaded): boolean =>
  column.kind === 'text' ? column.codes.some((code) => code >= 0) : holdsNumber(column.numbers)

/** Some rows of a column; levels that none of them has are left out. */
export function columnAt(column: Loaded, rows: Int32Array): Loaded {
  if (column.kind === 'number') return { kind: 'number', numbers: numbersAt(column.numbers, rows) }
  const place = new Int32Array(column.levels.length).fill(-1)
  const levels: string[] = []
  const codes = codesOf(rows.length, column.levels.length)
  for (let i = 0; i < rows.length; i++) {
    const code = column.codes[rows[i] as number] as number
    if (place[code] === -1) {
      place[code] = levels.length
      levels.push(column.levels[code] as string)
    }
    codes[i] = place[code] ?? -1
  }
  return { kind: 'text', codes, levels }
}

/** Numbers and booleans that another task's texts of the same name made texts. */
function typed(column: Loaded, type: FeatureType | undefined): Loaded {
  if (column.kind === 'number' || type === undefined || type === 'text') return column
  const levels = column.levels.map(type === 'boolean' ? (level) => Number(level === 'true') : Number)
  const numbers = new NumberColumn(column.codes.length)
  for (let row = 0; row < column.codes.length; row++)
    numbers.set(row, levels[column.codes[row] as number] ?? Number.NaN)
  return { kind: 'number', numbers: numbers.done() }
}
