import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { zstdCompressSync } from 'node:zlib'
import type { BasicType, ColumnSource } from 'hyparquet-writer'
import { sortedJson } from '../core/index.ts'
import { type ColumnSpec, type ColumnType, checkCell, type Row, type RowWriter, type WrittenFile } from './columns.ts'
import { explained } from './errors.ts'
import { partial, replace } from './files.ts'

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
  const draft = partial(path)
  // Opened first, so that a folder that cannot be written is found out before any work.
  const file = await explained(path, () => open(draft, 'wx'))
  const hash = createHash('sha256')
  const bytes = new ByteWriter()
  const empty = columns.map(({ name, type }) => ({ name, type: TYPE[type], nullable: true, data: [] }))
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: empty }),
    codec: 'ZSTD',
    compressors: { ZSTD: (page) => zstdCompressSync(page) },
  })
  let rows = 0
  let waiting: Row[] = []
  const save = async (): Promise<void> => {
    const made = bytes.getBytes()
    hash.update(made)
    await file.writeFile(made)
    bytes.index = 0
  }
  const writeGroup = async (): Promise<void> => {
    const columnData = columns.map(
      (column): ColumnSource => ({
        name: column.name,
        data: waiting.map((row) => storedValue(column, row)),
      }),
    )
    rows += waiting.length
    waiting = []
    await parquet.write({ columnData, rowGroupSize: GROUP })
    await save()
  }
  const abort = async (): Promise<void> => {
    await file.close().catch(() => undefined)
    await rm(draft, { force: true })
  }
  return {
    write: (batch) =>
      explained(path, async () => {
        for (const row of batch) if (waiting.push(row) === GROUP) await writeGroup()
      }),
    close: () =>
      explained(path, async (): Promise<WrittenFile> => {
        try {
          if (waiting.length > 0) await writeGroup()
          await parquet.finish()
          await save()
          await file.sync()
          await file.close()
          await replace(draft, path)
        } catch (error) {
          await abort()
          throw error
        }
        return { path, rows, bytes: bytes.offset, sha256: hash.digest('hex') }
      }),
    abort,
  }
}

function storedValue(column: ColumnSpec, row: Row): string | number | bigint | boolean | null {
  const value = row[column.name] ?? null
  checkCell(column, value)
  if (value === null) return null
  if (column.type === 'json') return sortedJson(value)
  return column.type === 'integer' ? BigInt(value as number) : (value as string | number | boolean)
}
