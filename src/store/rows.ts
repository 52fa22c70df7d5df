import type { ColumnSpec, Row, RowWriter } from './columns.ts'
import { jsonlWriter, readJsonl } from './jsonl.ts'
import { readParquet } from './parquet.ts'
import { parquetWriter } from './parquet-writer.ts'

export type RowFormat = 'jsonl' | 'parquet'

/** The format of a file by the ending of its name; null for others. */
export const formatOf = (path: string): RowFormat | null =>
  path.endsWith('.parquet') ? 'parquet' : path.endsWith('.jsonl') || path.endsWith('.ndjson') ? 'jsonl' : null

/** Opens a writer for one file of rows; nothing is at `path` before its `close` resolves. */
export const rowWriter = (path: string, format: RowFormat, columns: readonly ColumnSpec[]): Promise<RowWriter> =>
  format === 'parquet' ? parquetWriter(path, columns) : jsonlWriter(path, columns)

/**
 * The rows of a `.jsonl` or `.parquet` file in their order, streaming in batches. Columns declared `json` are values in
 * both formats.
 */
export function readRows(path: string, columns: readonly ColumnSpec[]): AsyncGenerator<readonly Row[]> {
  return formatOf(path) === 'parquet' ? readParquet(path, columns) : readJsonl(path)
}
