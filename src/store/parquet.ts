import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, open, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { DuckDBAppender, DuckDBDataChunk, DuckDBType, DuckDBValue } from '@duckdb/node-api'
import { type Json, sortedJson } from '../core/index.ts'
import { type ColumnSpec, type ColumnType, checkCell, type Row, type RowWriter } from './columns.ts'
import { type Duck, identifier, literal, openDuck, parquetSource, pathLiteral } from './duck.ts'
import { explained, StoreError } from './errors.ts'
import { partial, replace } from './files.ts'

/** DuckDB takes at most this many rows in one chunk. */
const CHUNK = 2048

const SQL_TYPE: { readonly [type in ColumnType]: string } = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  json: 'VARCHAR',
}

/** Rows of one row group; longer files are written in parts of so many and then joined, in bounded memory. */
const PART = 15 * CHUNK

/**
 * A Parquet file (zstd) with the rows in the order they came. Memory does not grow with their number: parts wait beside
 * the file until `close` joins them.
 *
 * @param metadata - key-value metadata of the file; {@link parquetMetadata} reads it.
 */
export async function parquetWriter(
  path: string,
  columns: readonly ColumnSpec[],
  metadata: { readonly [key: string]: string } = {},
): Promise<RowWriter> {
  const draft = partial(path)
  const spill = `${draft}.spill`
  // Opened first, so that a folder that cannot be written is found out before any work.
  await explained(path, async () => (await open(draft, 'wx')).close())
  const duck = await openDuck(spill, { writesBeside: draft })
  const { api, connection } = duck
  const fields = columns.map((column) => `${identifier(column.name)} ${SQL_TYPE[column.type]}`).join(', ')
  const types = columns.map((column) => duckType(api, column.type))
  // One chunk for all rows: its memory is native, and the garbage collector does not feel it.
  const whole = api.DuckDBDataChunk.create(types, CHUNK)
  let appender = await newTable()
  const parts: string[] = []
  let waiting: Row[] = []
  let inTable = 0
  let rows = 0

  async function newTable(): Promise<DuckDBAppender> {
    await connection.run(`CREATE OR REPLACE TABLE rows (${fields})`)
    return connection.createAppender('rows')
  }
  function flush(): void {
    if (waiting.length === 0) return
    const chunk = waiting.length === CHUNK ? whole : api.DuckDBDataChunk.create(types, waiting.length)
    chunk.reset()
    chunk.rowCount = waiting.length
    chunk.setColumns(columns.map((column) => waiting.map((row) => toDuck(column, row[column.name] ?? null))))
    appender.appendDataChunk(chunk)
    rows += waiting.length
    inTable += waiting.length
    waiting = []
  }
  async function setAside(): Promise<void> {
    const part = `${draft}.${parts.length}`
    parts.push(part)
    appender.closeSync()
    await connection.run(`COPY rows TO ${literal(resolve(part))} (${copyOptions({})})`)
    appender = await newTable()
    inTable = 0
  }
  const clean = async (): Promise<void> => {
    duck.close()
    for (const file of [draft, spill, ...parts]) await rm(file, { force: true, recursive: true })
  }
  return {
    write: (batch) =>
      explained(path, async () => {
        for (const row of batch) {
          if (waiting.push(row) < CHUNK) continue
          flush()
          if (inTable >= PART) await setAside()
        }
      }),
    close: () =>
      explained(path, async () => {
        try {
          flush()
          if (parts.length > 0 && inTable > 0) await setAside()
          appender.closeSync()
          const from = parts.length === 0 ? 'rows' : `(SELECT * FROM ${parquetSource(...parts)})`
          await connection.run(`COPY ${from} TO ${literal(resolve(draft))} (${copyOptions(metadata)})`)
          const { bytes, sha256 } = await digest(draft)
          await replace(draft, path)
          return { path, rows, bytes, sha256 }
        } finally {
          await clean()
        }
      }),
    abort: async () => {
      appender.closeSync()
      await clean()
    },
  }
}

function copyOptions(metadata: { readonly [key: string]: string }): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${identifier(key)}: ${literal(value)}`)
  const kv = pairs.length > 0 ? `, KV_METADATA {${pairs.join(', ')}}` : ''
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${PART}${kv}`
}

/** Bytes and SHA-256 of a file, streaming; synced to disk on the way. */
async function digest(path: string): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
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

/**
 * The rows of a Parquet file in their order, in batches. Integers beyond 2^53 are an error; columns of kind json come
 * back parsed where `columns` says they are json, as text otherwise.
 *
 * @param columns - which columns to read and how; left out: all, as stored.
 *
 * @example
 * import { readParquet } from '@touchstone-eval/touchstone/node'
 *
 * export async function lengthOf(path: string): Promise<number> {
 *   let rows = 0
 *   for await (const batch of readParquet(path)) rows += batch.length
 *   return rows
 * }
 */
export async function* readParquet(path: string, columns?: readonly ColumnSpec[]): AsyncGenerator<readonly Row[]> {
  await explained(path, () => access(path))
  const names = columns === undefined ? '*' : columns.map((column) => identifier(column.name)).join(', ')
  const kinds = new Map(columns?.map((column) => [column.name, column.type]))
  for await (const batch of queryRows(`SELECT ${names} FROM ${parquetSource(path)}`, path)) {
    yield kinds.size === 0 ? batch : batch.map((row) => parseJsonColumns(row, kinds))
  }
}

function parseJsonColumns(row: Row, kinds: ReadonlyMap<string, ColumnType>): Row {
  const out: { [column: string]: Json } = {}
  for (const [name, value] of Object.entries(row))
    out[name] = kinds.get(name) === 'json' && typeof value === 'string' ? (JSON.parse(value) as Json) : value
  return out
}

/** The result of a DuckDB query over one file as rows of JSON values, streaming. */
async function* queryRows(sql: string, path: string): AsyncGenerator<readonly Row[]> {
  const duck = await openDuck(`${path}.spill`, { reads: path })
  try {
    const result = await duck.connection.stream(sql)
    const names = result.deduplicatedColumnNames()
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return
      yield chunkRows(chunk, names)
    }
  } catch (error) {
    throw explainDuck(error, path)
  } finally {
    duck.close()
  }
}

function chunkRows(chunk: DuckDBDataChunk, names: readonly string[]): Row[] {
  const columns = chunk.getColumns()
  const rows: { [column: string]: Json }[] = Array.from({ length: chunk.rowCount }, () => ({}))
  for (let c = 0; c < names.length; c++) {
    const name = names[c] as string
    const values = columns[c] as DuckDBValue[]
    for (let r = 0; r < rows.length; r++) (rows[r] as { [column: string]: Json })[name] = fromDuck(values[r] ?? null)
  }
  return rows
}

function fromDuck(value: DuckDBValue): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') {
    if (!Number.isSafeInteger(Number(value))) throw new RangeError(`an integer beyond 2^53 cannot be read: ${value}`)
    return Number(value)
  }
  return String(value)
}

function explainDuck(error: unknown, path: string): unknown {
  if (error instanceof Error && /parquet|magic bytes|invalid input|thrift/iu.test(error.message))
    return new StoreError('damaged', `${path}: is not a readable Parquet file (${firstLine(error.message)})`, {
      cause: error,
    })
  return error
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? text

/** The columns that a Parquet file has; a type that is none of ours counts as JSON. */
export async function parquetColumns(path: string): Promise<readonly ColumnSpec[]> {
  const types = new Map(Object.entries(SQL_TYPE).map(([type, sql]) => [sql, type as ColumnType]))
  types.set('VARCHAR', 'text')
  const columns: ColumnSpec[] = []
  await explained(path, () => access(path))
  for await (const rows of queryRows(`DESCRIBE SELECT * FROM ${parquetSource(path)}`, path))
    for (const row of rows)
      columns.push({ name: String(row['column_name']), type: types.get(String(row['column_type'])) ?? 'json' })
  return columns
}

/** The key-value metadata of a Parquet file; null where there is no readable file. */
export async function parquetMetadata(path: string): Promise<{ readonly [key: string]: string } | null> {
  const there = await access(path).then(
    () => true,
    () => false,
  )
  if (!there) return null
  const out: { [key: string]: string } = {}
  try {
    const sql = `SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata(${pathLiteral(path)})`
    for await (const rows of queryRows(sql, path))
      for (const row of rows) out[String(row['key'])] = String(row['value'])
  } catch {
    return null
  }
  return out
}
