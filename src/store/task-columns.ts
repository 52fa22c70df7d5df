import type { FeatureType } from './names.ts'

export interface Category {
  readonly codes: Int32Array
  readonly levels: readonly string[]
}

/** A column in memory: a missing number is NaN, a missing text has code -1. */
export type Loaded = { readonly kind: 'number'; readonly values: Float64Array } | ({ readonly kind: 'text' } & Category)

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
  const cut = rows.length === length ? (column: Loaded) => column : (column: Loaded) => taken(column, rows)
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
  column.kind === 'text' ? column.codes.some((code) => code >= 0) : column.values.some((value) => !Number.isNaN(value))

function taken(column: Loaded, rows: Int32Array): Loaded {
  if (column.kind === 'number')
    return { kind: 'number', values: Float64Array.from(rows, (row) => column.values[row] as number) }
  const place = new Map<number, number>()
  const codes = rows.map((row) => {
    const code = column.codes[row] as number
    if (code < 0) return -1
    const now = place.get(code) ?? place.size
    place.set(code, now)
    return now
  })
  return { kind: 'text', codes, levels: [...place.keys()].map((code) => column.levels[code] as string) }
}

/** Numbers and booleans that another task's texts of the same name made texts. */
function typed(column: Loaded, type: FeatureType | undefined): Loaded {
  if (column.kind === 'number' || type === undefined || type === 'text') return column
  const levels = column.levels.map(type === 'boolean' ? (level) => Number(level === 'true') : Number)
  return { kind: 'number', values: Float64Array.from(column.codes, (code) => levels[code] ?? Number.NaN) }
}
