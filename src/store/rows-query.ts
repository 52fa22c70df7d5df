import { access } from 'node:fs/promises'
import type { DuckDBValue } from '@duckdb/node-api'
import type { Json } from '../core/index.ts'
import type { ColumnSpec, Row } from './columns.ts'
import { openDuck, parquetSource } from './duck.ts'
import { explained } from './errors.ts'
import { parquetColumns } from './parquet.ts'

/** A rows.parquet that is asked many questions. */
export interface RowsQuery {
  readonly columns: readonly ColumnSpec[]
  /** The result of one SELECT over the source `rows`; values stand where it says `$1`, `$2` ... */
  run(sql: string, values?: readonly (string | number)[]): Promise<readonly Row[]>
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
  return {
    columns,
    async run(sql, values = []) {
      const reader = await duck.connection.runAndReadAll(sql, [...values])
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
