import { access } from 'node:fs/promises'
import type { DuckDBValue } from '@duckdb/node-api'
import type { Json } from '../core/index.ts'
import type { ColumnSpec, Row } from './columns.ts'
import { openDuck, parquetSource } from './duck.ts'
import { explained } from './errors.ts'
import { parquetColumns } from './parquet.ts'

/** What may stand for a value; a list is not empty. */
export type SqlValue = string | number | readonly string[] | readonly number[]

/** A rows.parquet that is asked many questions. */
export interface RowsQuery {
  readonly columns: readonly ColumnSpec[]
  /** The result of one SELECT over the source `rows`; values stand where it says `$1`, `$2` ... */
  run(sql: string, values?: readonly SqlValue[]): Promise<readonly Row[]>
  /** The first column of such a result, of whole numbers below 2^31: without an object for each row. */
  integers(sql: string, values?: readonly SqlValue[]): Promise<Int32Array>
  close(): void
}

/** Opens rows.parquet for reading, with bounded memory, and reaches nothing else. */
export async function openRowsQuery(path: string): Promise<RowsQuery> {
  await explained(path, () => access(path))
  const columns = await parquetColumns(path)
  const duck = await openDuck(`${path}.view-spill`, { reads: path }, 512)
  try {
    await duck.connection.run(`CREATE TEMP VIEW rows AS SELECT * FROM ${parquetSource(path)}`)
  } catch (error) {
    duck.close()
    throw error
  }
  const read = (sql: string, values: readonly SqlValue[]) =>
    duck.connection.runAndReadAll(
      sql,
      values.map((value) => (typeof value === 'object' ? duck.api.listValue(value) : value)),
    )
  return {
    columns,
    async integers(sql, values = []) {
      return Int32Array.from((await read(sql, values)).getColumns()[0] ?? [], Number)
    },
    async run(sql, values = []) {
      const reader = await read(sql, values)
      return reader.getRowObjectsJS().map((row) => {
        const out: { [column: string]: Json } = {}
        for (const [name, value] of Object.entries(row)) out[name] = jsonOf(value as DuckDBValue)
        return out
      })
    },
    close: () => duck.close(),
  }
}

/** Lists stay lists; counts are numbers. */
function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(jsonOf)
  return String(value)
}
