import { type FileHandle, open } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { AsyncBuffer, Compressors, FileMetaData, SchemaElement } from 'hyparquet'
import type { Json } from '../core/index.ts'
import type { ColumnSpec, ColumnType, Row } from './columns.ts'
import { explain, explained, isStoreError, StoreError } from './errors.ts'

/**
 * The rows of a Parquet file in their order, in batches. Integers beyond 2^53 are an error; columns of kind json come
 * back parsed where `columns` says they are json, as text otherwise.
 *
 * @param columns - which columns to read and how. Default: all, as stored.
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
  const json = (columns ?? []).filter(({ type }) => type === 'json').map(({ name }) => name)
  const names = columns?.map(({ name }) => name)
  yield* readGroups(
    path,
    names,
    (text) => text,
    (row) => parseColumns(jsonOf(row) as Row, json),
  )
}

function parseColumns(row: Row, names: readonly string[]): Row {
  if (names.length === 0) return row
  const out: { [column: string]: Json } = { ...row }
  for (const name of names) {
    const value = row[name]
    if (typeof value === 'string') out[name] = JSON.parse(value) as Json
  }
  return out
}

/**
 * The rows of a Parquet file as JSON lines, streaming, so that an importer reads a release however it is packed.
 *
 * @throws StoreError where the file is damaged
 */
export async function* parquetLines(path: string): AsyncGenerator<string> {
  const lineOf = (row: StoredRow): string => `${JSON.stringify(jsonOf(row))}\n`
  for await (const lines of readGroups(path, undefined, (text) => JSON.parse(text) as Json, lineOf)) yield* lines
}

/** The columns that a Parquet file has; a type that is none of ours counts as JSON. */
export async function parquetColumns(path: string): Promise<readonly ColumnSpec[]> {
  return withFile(path, async ({ schema }) => {
    const columns: ColumnSpec[] = []
    // The list of elements goes down into nested ones: what is inside of a column is passed over.
    for (let at = 1; at < schema.length; at = afterElement(schema, at)) {
      const element = schema[at] as SchemaElement
      columns.push({ name: element.name, type: typeOf(element) })
    }
    return columns
  })
}

function afterElement(schema: readonly SchemaElement[], at: number): number {
  let next = at + 1
  for (let child = 0; child < (schema[at]?.num_children ?? 0); child++) next = afterElement(schema, next)
  return next
}

function typeOf({ type, converted_type, logical_type, repetition_type }: SchemaElement): ColumnType {
  if (repetition_type === 'REPEATED') return 'json'
  if (type === 'BYTE_ARRAY') return converted_type === 'UTF8' || logical_type?.type === 'STRING' ? 'text' : 'json'
  if (type === 'INT64') return converted_type === undefined || converted_type === 'INT_64' ? 'integer' : 'json'
  return type === 'DOUBLE' ? 'number' : type === 'BOOLEAN' ? 'boolean' : 'json'
}

/** The names of the key-value metadata of a Parquet file. */
export const parquetMetadataNames = (path: string): Promise<readonly string[]> =>
  withFile(path, async ({ key_value_metadata }) => (key_value_metadata ?? []).map(({ key }) => key))

/** A row group is unpacked whole: one of more bytes would take more memory than a machine may have. */
const MAX_GROUP_BYTES = 1 << 30

/** Rows of one batch: who reads them may need several times their size for what it makes of them. */
const BATCH = 2048

type StoredRow = { readonly [column: string]: unknown }

/** @param convert - what becomes of a row; what it throws is a fault of the file too. */
async function* readGroups<T>(
  path: string,
  columns: readonly string[] | undefined,
  jsonColumn: (text: string) => Json,
  convert: (row: StoredRow) => T,
): AsyncGenerator<readonly T[]> {
  const { parquetReadObjects } = await import('hyparquet')
  const handle = await explained(path, () => open(path))
  try {
    const { file, metadata } = await openParquet(handle)
    const compressors = await decompressors(metadata)
    const parsers = {
      jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && jsonColumn(new TextDecoder().decode(bytes)),
      dateFromDays: (days: number | undefined) =>
        days === undefined ? undefined : new Date(days * 86_400_000).toISOString().slice(0, 10),
    }
    let rowStart = 0
    for (const { num_rows, total_byte_size } of metadata.row_groups) {
      if (total_byte_size > MAX_GROUP_BYTES)
        throw new StoreError(
          'damaged',
          `${path}: has a row group of ${total_byte_size} bytes, at most ${MAX_GROUP_BYTES} can be read: write it in smaller row groups`,
        )
      const rowEnd = rowStart + Number(num_rows)
      const rows: readonly StoredRow[] = await parquetReadObjects({
        file,
        metadata,
        compressors,
        parsers,
        rowStart,
        rowEnd,
        ...(columns === undefined ? {} : { columns: [...columns] }),
      })
      for (let from = 0; from < rows.length; from += BATCH) yield rows.slice(from, from + BATCH).map(convert)
      rowStart = rowEnd
    }
  } catch (error) {
    throw explainDamage(error, path)
  } finally {
    await handle.close()
  }
}

async function withFile<T>(path: string, work: (metadata: FileMetaData) => Promise<T>): Promise<T> {
  const handle = await explained(path, () => open(path))
  try {
    return await work((await openParquet(handle)).metadata)
  } catch (error) {
    throw explainDamage(error, path)
  } finally {
    await handle.close()
  }
}

async function openParquet(
  handle: FileHandle,
): Promise<{ readonly file: AsyncBuffer; readonly metadata: FileMetaData }> {
  const { parquetMetadataAsync } = await import('hyparquet')
  const { size } = await handle.stat()
  const file: AsyncBuffer = {
    byteLength: size,
    async slice(start, end = size) {
      const bytes = Buffer.allocUnsafeSlow(end - start)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
      if (bytesRead < bytes.length) throw new RangeError('the parquet file is truncated')
      return bytes.buffer
    },
  }
  return { file, metadata: await parquetMetadataAsync(file) }
}

/** Node's own, and those of a package where a file is packed by LZ4, which Node does not have. */
async function decompressors({ row_groups }: FileMetaData): Promise<Compressors> {
  const codecs = new Set(row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec)))
  const more = codecs.has('LZ4') || codecs.has('LZ4_RAW') ? (await import('hyparquet-compressors')).compressors : {}
  return {
    ...more,
    ZSTD: (page) => zstdDecompressSync(page),
    GZIP: (page) => gunzipSync(page),
    BROTLI: (page) => brotliDecompressSync(page),
  }
}

/** Values as JSON: integers as numbers, moments as ISO 8601, bytes as base64. */
function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : null
    case 'bigint':
      if (!Number.isSafeInteger(Number(value))) throw new RangeError(`an integer beyond 2^53 cannot be read: ${value}`)
      return Number(value)
    case 'object':
      if (Array.isArray(value)) return value.map(jsonOf)
      if (value instanceof Date) return value.toISOString()
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonOf(inner)]))
    default:
      return String(value)
  }
}

/** What the reader throws that is not about the disk is about the file. */
function explainDamage(error: unknown, path: string): unknown {
  const found = explain(error, path)
  if (isStoreError(found) || !(error instanceof Error)) return found
  return new StoreError('damaged', `${path}: is not a readable Parquet file (${error.message})`, { cause: error })
}
