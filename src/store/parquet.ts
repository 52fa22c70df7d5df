import { access } from 'node:fs/promises'
import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api'
import type { Json } from '../core/index.ts'
import type { ColumnSpec, ColumnType, Row } from './columns.ts'
import { identifier, openDuck, parquetSource, pathLiteral } from './duck.ts'
import { explained, StoreError } from './errors.ts'
import { SQL_TYPE } from './row-table.ts'

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
  const json = (columns ?? []).filter(({ type }) => type === 'json').map(({ name }) => name)
  for await (const batch of queryRows(`SELECT ${names} FROM ${parquetSource(path)}`, path))
    yield json.length === 0 ? batch : batch.map((row) => parsed(row, json))
}

function parsed(row: Row, json: readonly string[]): Row {
  const out: { [column: string]: Json } = { ...row }
  for (const name of json) {
    const value = row[name]
    if (typeof value === 'string') out[name] = JSON.parse(value) as Json
  }
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
