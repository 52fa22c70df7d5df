import { access } from 'node:fs/promises'
import type { DuckDBVector } from '@duckdb/node-api'
import { type Frame, remember, UsageError } from '../core/index.ts'
import { checkExpression, type Duck, identifier, openDuck, parquetSource, pathLiteral } from './duck.ts'
import { explained } from './errors.ts'
import type { FeatureTypes } from './names.ts'
import { NumberColumn, type Numbers, wideNumbers } from './number-column.ts'
import { MAIN_PARSER, parserColumn } from './run-rows.ts'
import { type Category, type Loaded, taskColumns } from './task-columns.ts'

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
    const wanted = all.filter(
      ([name]) => options.columns === undefined || options.columns.includes(baseName(String(name))),
    )
    const counted = await duck.connection.runAndReadAll(`SELECT COUNT(*) ${from}`).catch((error: Error) => {
      if (options.where === undefined) throw error
      throw new UsageError(`the condition "${options.where}" cannot be used: ${error.message.split('\n', 1)[0]}`)
    })
    const length = Number(counted.getRowsJS()[0]?.[0] ?? 0)
    const few = await fewTexts(
      duck,
      wanted.filter(([, type]) => type === 'VARCHAR').map(([name]) => String(name)),
      from,
    )
    const builders = wanted.map(([name, type]) => builder(String(name), String(type), few, length))
    if (builders.length > 0) {
      const result = await duck.connection.stream(`SELECT ${builders.map((one) => one.selected).join(', ')} ${from}`)
      let at = 0
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) break
        for (let c = 0; c < builders.length; c++) builders[c]?.add(chunk.getColumnVector(c), at)
        at += chunk.rowCount
      }
    }
    const types = await featureTypes(duck, path)
    return frames(length, new Map(builders.map((one) => [one.name, one.done()])), types)
  } finally {
    duck.close()
  }
}

async function featureTypes(duck: Duck, path: string): Promise<FeatureTypes> {
  const sql = `SELECT decode(value) FROM parquet_kv_metadata(${pathLiteral(path)}) WHERE decode(key) = '${FEATURE_TYPES}'`
  const [row] = (await duck.connection.runAndReadAll(sql)).getRowsJS()
  return row === undefined ? {} : (JSON.parse(String(row[0])) as FeatureTypes)
}

const baseName = (column: string): string => column.split('@', 1)[0] ?? column

/** Up to so many texts of a column are numbered by the database. */
const FEW = 1000

/**
 * The columns that hold few texts, with these in the order in which they first appear. Each such column gets an ENUM by its name, so that
 * its texts are decoded once, and not once a row.
 */
async function fewTexts(
  duck: Duck,
  columns: readonly string[],
  from: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const few = new Map<string, readonly string[]>()
  if (columns.length === 0) return few
  const counts = columns.map((column) => `approx_count_distinct(${identifier(column)})`).join(', ')
  const [distinct = []] = (await duck.connection.runAndReadAll(`SELECT ${counts} ${from}`)).getRowsJS()
  for (const [i, column] of columns.entries()) {
    if (Number(distinct[i]) > FEW) continue
    const name = identifier(column)
    const texts = `SELECT ${name} ${from} GROUP BY ${name} HAVING ${name} IS NOT NULL ORDER BY MIN(file_row_number)`
    await duck.connection.run(`CREATE TYPE ${name} AS ENUM (${texts})`)
    const made = await duck.connection.runAndReadAll(`SELECT UNNEST(enum_range(NULL::${name}))`)
    few.set(column, (made.getColumns()[0] ?? []) as string[])
  }
  return few
}

interface Builder {
  readonly name: string
  /** How it is asked of the database. */
  readonly selected: string
  add(values: DuckDBVector, at: number): void
  done(): Loaded
}

function builder(name: string, type: string, few: ReadonlyMap<string, readonly string[]>, length: number): Builder {
  const column = identifier(name)
  if (type !== 'VARCHAR') {
    const numbers = new NumberColumn(length)
    return {
      name,
      // What is missing gets a value here, which costs less than to ask of each whether it is there.
      selected: `COALESCE(CAST(${column} AS DOUBLE), 'NaN'::DOUBLE)`,
      add(chunk, at) {
        for (let i = 0; i < chunk.itemCount; i++) numbers.set(at + i, chunk.getItem(i) as number)
      },
      done: () => ({ kind: 'number', numbers: numbers.done() }),
    }
  }
  const codes = new Int32Array(length)
  const levels = few.get(name)
  if (levels !== undefined)
    return {
      name,
      selected: `COALESCE(CAST(enum_code(CAST(${column} AS ${column})) AS INTEGER), -1)`,
      add(chunk, at) {
        for (let i = 0; i < chunk.itemCount; i++) codes[at + i] = chunk.getItem(i) as number
      },
      done: () => ({ kind: 'text', codes, levels }),
    }
  const known = new Map<string, number>()
  return {
    name,
    selected: column,
    add(chunk, at) {
      for (let i = 0; i < chunk.itemCount; i++) {
        const text = chunk.getItem(i)
        if (typeof text !== 'string') {
          codes[at + i] = -1
          continue
        }
        let code = known.get(text)
        if (code === undefined) {
          code = known.size
          known.set(text, code)
        }
        codes[at + i] = code
      }
    },
    done: () => ({ kind: 'text', codes, levels: [...known.keys()] }),
  }
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
      return column.kind === 'text' ? column : categoryOf(column.numbers)
    },
  }
}

/** Made once a column, however many analyses ask. */
const categoryOf = remember((numbers: Numbers): Category => {
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
  return { codes, levels: [...known.keys()].map(String) }
})
