import { resolve } from 'node:path'
import type { DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { type Json, sortedJson } from '../core/index.ts'
import { type ColumnSpec, type ColumnType, checkCell, type Row } from './columns.ts'
import { type Duck, identifier, literal } from './duck.ts'

/** DuckDB takes at most this many rows in one chunk. */
const CHUNK = 2048

/** Rows of one row group; longer files are written in parts of so many and then joined, in bounded memory. */
export const PART = 15 * CHUNK

export const SQL_TYPE: { readonly [type in ColumnType]: string } = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  json: 'VARCHAR',
  written: 'VARCHAR',
}

/** Rows that wait in a table of a database to be written as Parquet. */
export interface RowTable {
  /** Rows in the table, those that wait for a whole chunk left out. */
  readonly size: number
  /** Takes one row. @returns whether the table holds a whole part now. */
  add(row: Row): boolean
  /** Moves the rows that wait into the table. */
  flush(): void
  /** Writes all rows of the table as a file. */
  copy(path: string, metadata?: { readonly [key: string]: string }): Promise<void>
  /** An empty table again. */
  clear(): Promise<void>
  close(): void
}

export async function rowTable({ api, connection }: Duck, columns: readonly ColumnSpec[]): Promise<RowTable> {
  const fields = columns.map((column) => `${identifier(column.name)} ${SQL_TYPE[column.type]}`).join(', ')
  const types = columns.map((column) => duckType(api, column.type))
  // One chunk for all rows: its memory is native, and the garbage collector does not feel it.
  const whole = api.DuckDBDataChunk.create(types, CHUNK)
  const open = async () => {
    await connection.run(`CREATE OR REPLACE TABLE rows (${fields})`)
    return connection.createAppender('rows')
  }
  let appender = await open()
  let waiting: Row[] = []
  let size = 0
  const table: RowTable = {
    get size() {
      return size
    },
    add(row) {
      if (waiting.push(row) < CHUNK) return false
      table.flush()
      return size >= PART
    },
    flush() {
      if (waiting.length === 0) return
      const chunk = waiting.length === CHUNK ? whole : api.DuckDBDataChunk.create(types, waiting.length)
      chunk.reset()
      chunk.rowCount = waiting.length
      chunk.setColumns(columns.map((column) => waiting.map((row) => toDuck(column, row[column.name] ?? null))))
      appender.appendDataChunk(chunk)
      size += waiting.length
      waiting = []
    },
    async copy(path, metadata = {}) {
      appender.closeSync()
      await connection.run(`COPY rows TO ${literal(resolve(path))} (${copyOptions(metadata)})`)
    },
    async clear() {
      appender = await open()
      size = 0
    },
    close: () => appender.closeSync(),
  }
  return table
}

export function copyOptions(metadata: { readonly [key: string]: string }): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${identifier(key)}: ${literal(value)}`)
  const kv = pairs.length > 0 ? `, KV_METADATA {${pairs.join(', ')}}` : ''
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${PART}${kv}`
}

function duckType(api: Duck['api'], type: ColumnType): DuckDBType {
  switch (type) {
    case 'integer':
      return api.BIGINT
    case 'number':
      return api.DOUBLE
    case 'boolean':
      return api.BOOLEAN
    default:
      return api.VARCHAR
  }
}

function toDuck(column: ColumnSpec, value: Json): DuckDBValue {
  checkCell(column, value)
  if (value === null) return null
  if (column.type === 'json') return sortedJson(value)
  if (column.type === 'integer') return BigInt(value as number)
  // Parquet text is UTF-8, which has no lone surrogates.
  return typeof value === 'string' ? value.toWellFormed() : (value as number | boolean)
}
