import { access } from 'node:fs/promises'
import type { DuckDBDataChunk } from '@duckdb/node-api'
import { type Frame, memoize, UsageError } from '../core/index.ts'
import { type Codes, codesOf, wideCodes } from './codes.ts'
import { type Contents, contentsOf } from './column-contents.ts'
import { checkExpression, whyNot } from './condition.ts'
import { type Duck, identifier, openDuck, parquetSource, pathLiteral } from './duck.ts'
import { explained } from './errors.ts'
import type { FeatureTypes } from './names.ts'
import { constantNumbers, NumberColumn, type Numbers, wideNumbers } from './number-column.ts'
import { MAIN_PARSER, parserColumn } from './run-rows.ts'
import { columnAt, type Loaded, taskColumns } from './task-columns.ts'

/** Key of a Parquet file's metadata: types of features by task, as JSON. */
export const FEATURE_TYPES = 'featureTypes'

/** The rows of a run as columns in memory; frames of several parsers share them. */
export interface RunFrames {
  readonly length: number
  readonly parsers: readonly string[]
  /** Columns loaded, those of other parsers included. */
  readonly columns: readonly string[]
  /** The rows as read by one parser; null where no row has it. `strict` is always there: measured rows have no parser. */
  frame(parser: string): Frame | null
  /** The rows of one task with the columns and types that a run of this task alone has. */
  ofTask(task: string): RunFrames
  /** Some of the rows, by their place, with all columns. */
  ofRows(rows: Int32Array): RunFrames
}

export interface FrameOptions {
  /** Which columns to load, those of other parsers included; all when left out. */
  readonly columns?: readonly string[]
  /** A SQL condition over the columns of rows.parquet. */
  readonly where?: string
}

/**
 * Loads rows.parquet. Numbers and booleans become Float64Array (missing: NaN), texts dictionary codes (missing: -1).
 *
 * @throws StoreError where the file cannot be read; UsageError for a condition that is none.
 *
 * @example
 * import { loadFrames } from '@touchstone-eval/touchstone/node'
 *
 * export const framesOf = (path: string) => loadFrames(path)
 */
export async function loadFrames(path: string, options: FrameOptions = {}): Promise<RunFrames> {
  await explained(path, () => access(path))
  const duck = await openDuck(`${path}.spill`, { reads: path }, 512)
  try {
    if (options.where !== undefined) await checkExpression(duck, options.where)
    const from = `FROM ${parquetSource(path)}${options.where === undefined ? '' : ` WHERE (${options.where}\n)`}`
    const all = (await duck.connection.runAndReadAll(`DESCRIBE SELECT * FROM ${parquetSource(path)}`)).getRowsJS()
    const contents = await contentsOf(duck, path)
    const wanted = all
      .map(
        ([name, type]): Wanted => ({
          name: String(name),
          text: type === 'VARCHAR',
          contents: contents.get(String(name)) ?? 'nothing',
        }),
      )
      .filter(({ name }) => options.columns === undefined || options.columns.includes(baseName(name)))
    const counted = await duck.connection.runAndReadAll(`SELECT COUNT(*) ${from}`).catch(async (error: Error) => {
      const { where } = options
      if (where === undefined) throw error
      const columns = all.map(([name, type]) => ({ name: String(name), type: String(type) }))
      throw new UsageError(`the condition "${where}" cannot be used: ${await whyNot(duck, where, error, columns)}`)
    })
    const length = Number(counted.getRowsJS()[0]?.[0] ?? 0)
    const builders = await buildersOf(duck, wanted, from, length)
    const read = builders.filter(({ selected }) => selected.length > 0)
    for (let first = 0; first < read.length; first += AT_ONCE)
      await fill(duck, read.slice(first, first + AT_ONCE), from)
    const columns = new Map(builders.map((one) => [one.name, one.done()]))
    const types = await featureTypes(duck, path)
    return frames(length, columns, types)
  } finally {
    duck.close()
  }
}

/** Columns read in one pass: the database holds a whole row group of each. */
const AT_ONCE = 8

/** Reads the rows of some columns. */
async function fill(duck: Duck, builders: readonly Builder[], from: string): Promise<void> {
  const selected = builders.flatMap((one) => one.selected)
  const firsts = builders.map((_, b) => builders.slice(0, b).reduce((sum, one) => sum + one.selected.length, 0))
  const result = await duck.connection.stream(`SELECT ${selected.join(', ')} ${from}`)
  let at = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) return
    for (let b = 0; b < builders.length; b++) builders[b]?.add(chunk, firsts[b] as number, at)
    at += chunk.rowCount
  }
}

async function featureTypes(duck: Duck, path: string): Promise<FeatureTypes> {
  const sql = `SELECT decode(value) FROM parquet_kv_metadata(${pathLiteral(path)}) WHERE decode(key) = '${FEATURE_TYPES}'`
  const [row] = (await duck.connection.runAndReadAll(sql)).getRowsJS()
  return row === undefined ? {} : (JSON.parse(String(row[0])) as FeatureTypes)
}

const baseName = (column: string): string => column.split('@', 1)[0] ?? column

interface Wanted {
  readonly name: string
  readonly text: boolean
  readonly contents: Contents
}

/** How each column is best taken. */
async function buildersOf(duck: Duck, wanted: readonly Wanted[], from: string, length: number): Promise<Builder[]> {
  const ones = wanted.filter(({ contents }) => contents === 'one value')
  const values = await firstRow(duck, ones, from)
  const builders: Builder[] = []
  for (const one of wanted) {
    const { name, text, contents } = one
    if (length === 0 || contents === 'nothing') builders.push(constant(name, text, null, length))
    else if (contents === 'one value') builders.push(constant(name, text, values.get(one) ?? null, length))
    else if (!text) builders.push(numbersOf(duck, name, length))
    else if (contents === 'many values') builders.push(textsOf(duck, name, length))
    else builders.push(fewOf(duck, name, await numbered(duck, name, from), length))
  }
  return builders
}

/** What the first row says in some columns, which in all rows they say. */
async function firstRow(
  { connection }: Duck,
  columns: readonly Wanted[],
  from: string,
): Promise<ReadonlyMap<Wanted, string | number>> {
  if (columns.length === 0) return new Map()
  const asked = columns.map(({ name, text }) => (text ? identifier(name) : `CAST(${identifier(name)} AS DOUBLE)`))
  const [row = []] = (await connection.runAndReadAll(`SELECT ${asked.join(', ')} ${from} LIMIT 1`)).getRowsJS()
  return new Map(columns.map((column, i) => [column, row[i] as string | number]))
}

/** The texts of a column in the order in which they first appear: an ENUM by its name, so that they are decoded once, and not once a row. */
async function numbered(duck: Duck, column: string, from: string): Promise<readonly string[]> {
  const name = identifier(column)
  const texts = `SELECT ${name} ${from} GROUP BY ${name} HAVING ${name} IS NOT NULL ORDER BY MIN(file_row_number)`
  await duck.connection.run(`CREATE TYPE ${name} AS ENUM (${texts})`)
  const made = await duck.connection.runAndReadAll(`SELECT UNNEST(enum_range(NULL::${name}))`)
  return (made.getColumns()[0] ?? []) as string[]
}

interface Builder {
  readonly name: string
  /** What is asked of the database for it. */
  readonly selected: readonly string[]
  /** Takes its columns of a chunk, from `first` on; the first row of the chunk is row `at`. */
  add(chunk: DuckDBDataChunk, first: number, at: number): void
  done(): Loaded
}

/** One value in every row, or none; nothing has to be read. */
function constant(name: string, text: boolean, value: string | number | null, length: number): Builder {
  const levels = value === null ? [] : [String(value)]
  return {
    name,
    selected: [],
    add: () => undefined,
    done: () =>
      text
        ? { kind: 'text', codes: new Int8Array(length).fill(levels.length - 1), levels }
        : { kind: 'number', numbers: constantNumbers(length, value === null ? Number.NaN : Number(value)) },
  }
}

function numbersOf(duck: Duck, name: string, length: number): Builder {
  const numbers = new NumberColumn(length)
  return {
    name,
    // What is missing gets a value here, which costs less than to ask of each whether it is there.
    selected: [`COALESCE(CAST(${identifier(name)} AS DOUBLE), 'NaN'::DOUBLE)`],
    add: (chunk, first, at) => numbers.put(at, doublesOf(duck, chunk, first)),
    done: () => ({ kind: 'number', numbers: numbers.done() }),
  }
}

function fewOf(duck: Duck, name: string, levels: readonly string[], length: number): Builder {
  const column = identifier(name)
  const codes = codesOf(length, levels.length)
  return {
    name,
    selected: [`COALESCE(CAST(enum_code(CAST(${column} AS ${column})) AS INTEGER), -1)`],
    add: (chunk, first, at) => codes.set(integersOf(duck, chunk, first), at),
    done: () => ({ kind: 'text', codes, levels }),
  }
}

/** Texts are decoded where they change from row to row: what all models said to an item stands together. */
function textsOf(duck: Duck, name: string, length: number): Builder {
  const column = identifier(name)
  const codes = new Int32Array(length)
  const known = new Map<string, number>()
  return {
    name,
    selected: [
      `CASE WHEN ${column} IS NULL THEN ${MISSING} WHEN ${column} = lag(${column}) OVER () THEN ${AGAIN} ELSE ${OTHER} END`,
      column,
    ],
    add(chunk, first, at) {
      const changes = integersOf(duck, chunk, first)
      const texts = chunk.getColumnVector(first + 1)
      for (let i = 0; i < changes.length; i++) {
        if (changes[i] === OTHER) {
          const text = texts.getItem(i) as string
          const code = known.get(text) ?? known.size
          if (code === known.size) known.set(text, code)
          codes[at + i] = code
        } else codes[at + i] = changes[i] === AGAIN ? (codes[at + i - 1] as number) : -1
      }
    },
    done: () => ({ kind: 'text', codes, levels: [...known.keys()] }),
  }
}

const [MISSING, AGAIN, OTHER] = [0, 1, 2]

function doublesOf(duck: Duck, chunk: DuckDBDataChunk, column: number): Float64Array {
  const { buffer, byteOffset } = duck.bytesOf(chunk, column, Float64Array.BYTES_PER_ELEMENT)
  return new Float64Array(buffer, byteOffset, chunk.rowCount)
}

function integersOf(duck: Duck, chunk: DuckDBDataChunk, column: number): Int32Array {
  const { buffer, byteOffset } = duck.bytesOf(chunk, column, Int32Array.BYTES_PER_ELEMENT)
  return new Int32Array(buffer, byteOffset, chunk.rowCount)
}

/** Columns that each parser has of its own; the others are facts about the row. */
const OF_PARSER = new Set(['state', 'value', 'answer', 'rule'])

function frames(length: number, columns: ReadonlyMap<string, Loaded>, types: FeatureTypes): RunFrames {
  const parsers = new Set([MAIN_PARSER])
  for (const name of columns.keys()) if (name.includes('@')) parsers.add(name.slice(name.indexOf('@') + 1))
  return {
    length,
    parsers: [...parsers],
    columns: [...columns.keys()],
    frame: (parser) => (parsers.has(parser) ? frameOf(length, columns, parser) : null),
    ofTask(task) {
      const mine = taskColumns(columns, length, task, types[task] ?? {})
      return frames(mine.length, mine.columns, types)
    },
    ofRows(rows) {
      const taken = new Map([...columns].map(([name, column]) => [name, columnAt(column, rows)]))
      return frames(rows.length, taken, types)
    },
  }
}

function frameOf(length: number, columns: ReadonlyMap<string, Loaded>, parser: string): Frame {
  const find = (name: string): Loaded | undefined =>
    columns.get(OF_PARSER.has(name) || name.startsWith('part_') ? parserColumn(name, parser) : name)
  const need = (name: string): Loaded => {
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
      const { codes, levels } = column.kind === 'number' ? categoryOf(column.numbers) : column
      return { codes: wideCodes(codes), levels }
    },
  }
}

/** Made once a column, however many analyses ask. */
const categoryOf = memoize((numbers: Numbers): { readonly codes: Codes; readonly levels: readonly string[] } => {
  const values = wideNumbers(numbers)
  const known = new Map<number, number>()
  const codes = new Int32Array(values.length)
  for (let row = 0; row < codes.length; row++) {
    const value = values[row] as number
    if (Number.isNaN(value)) {
      codes[row] = -1
      continue
    }
    const code = known.get(value) ?? known.size
    if (code === known.size) known.set(value, code)
    codes[row] = code
  }
  const held = codesOf(codes.length, known.size)
  held.set(codes)
  return { codes: held, levels: [...known.keys()].map(String) }
})
