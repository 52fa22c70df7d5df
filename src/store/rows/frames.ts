import type { Frame, Json } from '../../core/index.ts'
import type { ColumnSpec, ColumnType, Row } from '../columns.ts'
import {
  type Column,
  columnAt,
  holdsValue,
  NumberBuilder,
  numberLevels,
  valueAt,
  wideCodes,
  wideNumbers,
} from './column.ts'
import type { FeatureType, FeatureTypes } from './column-names.ts'
import { isOfParser, MAIN_PARSER, parserColumn } from './row-columns.ts'

/** The rows of a run as plain data. */
export interface RunColumns {
  readonly length: number
  /** The columns in their order. */
  readonly specs: readonly ColumnSpec[]
  /** By name, those of all parsers included. */
  readonly columns: ReadonlyMap<string, Column>
  readonly features: FeatureTypes
}

/** The rows of a run as columns in memory; frames of several parsers share them. */
export interface RunFrames {
  readonly length: number
  readonly parsers: readonly string[]
  /** Columns by name, those of all parsers included. */
  readonly columns: readonly string[]
  /** The same columns with their types. */
  readonly specs: readonly ColumnSpec[]
  /** The rows as read by one parser; null where no row has it. `strict` is always there: measured rows have no parser. */
  frame(parser: string): Frame | null
  /** The rows of one task with the columns and types that a run of this task alone has. */
  ofTask(task: string): RunFrames
  /** Some of the rows, by their place, with all columns. */
  ofRows(rows: Int32Array): RunFrames
  /** The value of one row in a column of any parser, as JSON; null: missing. */
  value(column: string, row: number): string | number | boolean | null
  /** The rows as objects, in pages. */
  pages(): Iterable<readonly Row[]>
}

export function framesOf(data: RunColumns): RunFrames {
  const { length, specs, columns, features } = data
  const types = new Map(specs.map(({ name, type }) => [name, type]))
  const parsers = new Set([MAIN_PARSER])
  for (const name of columns.keys()) if (name.includes('@')) parsers.add(name.slice(name.indexOf('@') + 1))
  return {
    length,
    parsers: [...parsers],
    columns: [...columns.keys()],
    specs,
    frame: (parser) => (parsers.has(parser) ? frameOf(length, columns, parser) : null),
    ofTask: (task) => framesOf(ofTask(data, task)),
    ofRows: (rows) => framesOf({ length: rows.length, specs, columns: columnsAt(columns, rows), features }),
    value(name, row) {
      const [column, type] = [columns.get(name), types.get(name)]
      if (column === undefined || type === undefined) throw new Error(`the rows have no column "${name}"`)
      return jsonValue(column, type, row)
    },
    pages: () => pagesOf(data),
  }
}

function jsonValue(column: Column, type: ColumnType, row: number): string | number | boolean | null {
  const value = valueAt(column, row)
  return type === 'boolean' && value !== null ? value === 1 : value
}

const columnsAt = (columns: ReadonlyMap<string, Column>, rows: Int32Array): ReadonlyMap<string, Column> =>
  new Map([...columns].map(([name, column]) => [name, columnAt(column, rows)]))

function frameOf(length: number, columns: ReadonlyMap<string, Column>, parser: string): Frame {
  const find = (name: string): Column | undefined => columns.get(isOfParser(name) ? parserColumn(name, parser) : name)
  const need = (name: string): Column => {
    const column = find(name)
    if (column === undefined) throw new Error(`the rows have no column "${name}" (parser ${parser})`)
    return column
  }
  return {
    length,
    has: (name) => find(name) !== undefined,
    number(name) {
      const column = need(name)
      if (column.kind === 'text') throw new Error(`column "${name}" holds text, not numbers`)
      return wideNumbers(column.numbers)
    },
    category(name) {
      const column = need(name)
      const { codes, levels } = column.kind === 'number' ? numberLevels(column.numbers) : column
      return { codes: wideCodes(codes), levels }
    },
  }
}

/** Columns that are there only where a task fills them. */
const isOptional = (name: string): boolean => /^(?:feature_|subscore_|metric_|status@)/u.test(name)

/** The rows of one task, without the columns that other tasks brought, and features of the type that they have in this task. */
function ofTask({ length, specs, columns, features }: RunColumns, task: string): RunColumns {
  const rows = rowsOf(columns, task)
  const mine = rows.length === length ? columns : columnsAt(columns, rows)
  const kept = new Map<string, Column>()
  const types: ColumnSpec[] = []
  for (const { name, type } of specs) {
    const feature = name.startsWith('feature_') ? features[task]?.[name.slice('feature_'.length)] : undefined
    const column = typed(mine.get(name) as Column, feature)
    if (isOptional(name) && !holdsValue(column)) continue
    // A parser that read no row of this task has none of its columns.
    const at = name.indexOf('@')
    if (at >= 0 && !name.startsWith('status@') && !kept.has(`status${name.slice(at)}`)) continue
    kept.set(name, column)
    types.push({ name, type: column.kind === 'text' ? 'text' : type === 'text' ? (feature ?? type) : type })
  }
  return { length: rows.length, specs: types, columns: kept, features }
}

function rowsOf(columns: ReadonlyMap<string, Column>, task: string): Int32Array {
  const column = columns.get('task')
  if (column?.kind !== 'text') throw new Error('the rows have no column "task"')
  const code = column.levels.indexOf(task)
  const rows: number[] = []
  for (let row = 0; row < column.codes.length; row++) if (column.codes[row] === code) rows.push(row)
  return Int32Array.from(rows)
}

/** Numbers and booleans that another task's texts of the same name made texts. */
function typed(column: Column, type: FeatureType | undefined): Column {
  if (column.kind === 'number' || type === undefined || type === 'text') return column
  const levels = column.levels.map(type === 'boolean' ? (level) => Number(level === 'true') : Number)
  const numbers = new NumberBuilder(column.codes.length)
  for (let row = 0; row < column.codes.length; row++)
    numbers.set(row, levels[column.codes[row] as number] ?? Number.NaN)
  return numbers.done()
}

/** Rows of one page. */
const PAGE = 2000

function* pagesOf({ length, specs, columns }: RunColumns): Generator<readonly Row[]> {
  const all = specs.map(({ name, type }) => ({ name, type, column: columns.get(name) as Column }))
  for (let from = 0; from < length; from += PAGE)
    yield Array.from({ length: Math.min(PAGE, length - from) }, (_, i) => {
      const row: { [column: string]: Json } = {}
      for (const { name, type, column } of all) row[name] = jsonValue(column, type, from + i)
      return row
    })
}
