import { access } from 'node:fs/promises'
import type { DuckDBValue } from '@duckdb/node-api'
import { type Frame, UsageError } from '../core/index.ts'
import { checkExpression, type Duck, identifier, openDuck, parquetSource, pathLiteral } from './duck.ts'
import { explained } from './errors.ts'
import type { FeatureTypes } from './names.ts'
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

/** Loads rows.parquet. Numbers and booleans become Float64Array (missing: NaN), texts dictionary codes (missing: -1). */
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
    const builders = wanted.map(([name, type]) => builder(String(name), String(type), length))
    const selected = wanted.map(([name, type]) => select(String(name), String(type))).join(', ')
    if (wanted.length > 0) {
      const result = await duck.connection.stream(`SELECT ${selected} ${from}`)
      let at = 0
      for (;;) {
        const chunk = await result.fetchChunk()
        if (chunk === null || chunk.rowCount === 0) break
        const columns = chunk.getColumns()
        for (let c = 0; c < builders.length; c++) builders[c]?.add(columns[c] as DuckDBValue[], at)
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

const select = (name: string, type: string): string =>
  type === 'VARCHAR' ? identifier(name) : `CAST(${identifier(name)} AS DOUBLE) AS ${identifier(name)}`

interface Builder {
  readonly name: string
  add(values: readonly DuckDBValue[], at: number): void
  done(): Loaded
}

function builder(name: string, type: string, length: number): Builder {
  if (type !== 'VARCHAR') {
    const values = new Float64Array(length).fill(Number.NaN)
    return {
      name,
      add(chunk, at) {
        for (let i = 0; i < chunk.length; i++) if (chunk[i] !== null) values[at + i] = chunk[i] as number
      },
      done: () => ({ kind: 'number', values }),
    }
  }
  const codes = new Int32Array(length).fill(-1)
  const known = new Map<string, number>()
  return {
    name,
    add(chunk, at) {
      for (let i = 0; i < chunk.length; i++) {
        const text = chunk[i]
        if (typeof text !== 'string') continue
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
      return column.values
    },
    category(name) {
      const column = need(name)
      return column.kind === 'text' ? column : categoryOf(column.values)
    },
  }
}

function categoryOf(values: Float64Array): Category {
  const known = new Map<number, number>()
  const codes = Int32Array.from(values, (value) => {
    if (Number.isNaN(value)) return -1
    const code = known.get(value) ?? known.size
    known.set(value, code)
    return code
  })
  return { codes, levels: [...known.keys()].map(String) }
}
