import { existsSync } from 'node:fs'
import type { ColumnSpec, Row } from './columns.ts'
import type { Ledger } from './ledger.ts'
import { parquetMetadata, parquetWriter } from './parquet.ts'
import { modelAttributes, rowColumns, runRows } from './run-rows.ts'

/** Of the layout of rows.parquet: bump = old files are rebuilt. */
const LAYOUT = '1'

/**
 * Brings `rows.parquet` up to date with the ledger it is derived from, streaming.
 * @returns whether it had to be rebuilt.
 */
export async function refreshRows(ledger: Ledger, path: string): Promise<boolean> {
  const revision = `${LAYOUT}.${ledger.revision()}`
  if (existsSync(path) && (await parquetMetadata(path))?.['revision'] === revision) return false
  const columns = rowColumns(ledger.names(), await modelAttributes(ledger))
  const writer = await parquetWriter(path, columns, { revision })
  try {
    for await (const rows of runRows(ledger)) await writer.write(asTyped(rows, columns))
  } catch (error) {
    await writer.abort()
    throw error
  }
  await writer.close()
  return true
}

/** A feature used with two types is shown as text. */
function asTyped(rows: readonly Row[], columns: readonly ColumnSpec[]): readonly Row[] {
  const texts = columns.filter((column) => column.type === 'text' && column.name.startsWith('feature_'))
  if (texts.length === 0) return rows
  return rows.map((row) => {
    const wrong = texts.filter(
      ({ name }) => row[name] !== null && row[name] !== undefined && typeof row[name] !== 'string',
    )
    return wrong.length === 0
      ? row
      : { ...row, ...Object.fromEntries(wrong.map(({ name }) => [name, String(row[name])])) }
  })
}
