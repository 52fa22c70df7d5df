import { zstdCompressSync } from 'node:zlib'
import type { BasicType, ColumnSource } from 'hyparquet-writer'
import { sortedJson } from '../core/index.ts'
import { type ColumnSpec, type ColumnType, checkCell, type Row, type RowWriter } from './columns.ts'
import { rowFile } from './files.ts'

/** Rows of one row group, which is what a writer and a reader hold in memory. */
const GROUP = 16_384

const TYPE: { readonly [type in ColumnType]: BasicType } = {
  text: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  json: 'STRING',
  written: 'STRING',
}

/** A Parquet file (zstd) with the rows in the order they came; one row group is in memory. */
export async function parquetWriter(path: string, columns: readonly ColumnSpec[]): Promise<RowWriter> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  const empty = columns.map(({ name, type }) => ({ name, type: TYPE[type], nullable: true, data: [] }))
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: empty }),
    codec: 'ZSTD',
    compressors: { ZSTD: (page) => zstdCompressSync(page) },
  })
  let waiting: Row[] = []
  const writeGroup = async (): Promise<void> => {
    const columnData = columns.map(
      (column): ColumnSource => ({ name: column.name, data: waiting.map((row) => storedValue(column, row)) }),
    )
    waiting = []
    await parquet.write({ columnData, rowGroupSize: GROUP })
  }
  const written = (): Uint8Array => {
    const made = bytes.getBytes()
    bytes.index = 0
    return made
  }
  return rowFile(
    path,
    async (rows) => {
      for (const row of rows) if (waiting.push(row) === GROUP) await writeGroup()
      return written()
    },
    async () => {
      if (waiting.length > 0) await writeGroup()
      await parquet.finish()
      return written()
    },
  )
}

function storedValue(column: ColumnSpec, row: Row): string | number | bigint | boolean | null {
  const value = row[column.name] ?? null
  checkCell(column, value)
  if (value === null) return null
  if (column.type === 'json') return sortedJson(value)
  return column.type === 'integer' ? BigInt(value as number) : (value as string | number | boolean)
}
