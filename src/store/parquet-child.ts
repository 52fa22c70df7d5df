import { type FileHandle, open } from 'node:fs/promises'
import process from 'node:process'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { AsyncBuffer, Compressors, FileMetaData, SchemaElement } from 'hyparquet'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { Json } from '../core/index.ts'
import type { ColumnSpec, ColumnType, Row } from './columns.ts'

/** What the process is to read; each message asks for the next reply. */
export interface ParquetRequest {
  readonly path: string
  /** Absent: all columns. */
  readonly columns: readonly string[] | undefined
  /** Columns whose texts are JSON. */
  readonly json: readonly string[]
  /** Are columns of the file's own JSON type parsed? They are texts otherwise. */
  readonly parsesJsonType: boolean
}

/** Columns of a file, and the names of its key-value metadata. */
export interface ParquetHead {
  readonly columns: readonly ColumnSpec[]
  readonly metadata: readonly string[]
}

/** The answer to each message: first the head, then lines of JSON, a row each; null at the end. */
export type ParquetReply = ParquetHead | string | null | { readonly fault: string; readonly code: string | undefined }

/** A row group is unpacked whole: one of more bytes would take more memory than a machine may have. */
const MAX_GROUP_BYTES = 1 << 30

/** Rows of one batch: who reads them may need several times their size for what it makes of them. */
const BATCH = 2048

type StoredRow = { readonly [column: string]: unknown }

async function* replies({ path, columns, json, parsesJsonType }: ParquetRequest): AsyncGenerator<ParquetReply> {
  await using handle = await open(path)
  const { file, metadata } = await openParquet(handle)
  const names = (metadata.key_value_metadata ?? []).map(({ key }) => key)
  yield { columns: columnsOf(metadata.schema), metadata: names } satisfies ParquetHead
  const compressors = await decompressors(metadata)
  const parsers = {
    jsonFromBytes: (bytes: Uint8Array | undefined) => {
      if (bytes === undefined) return bytes
      const text = new TextDecoder().decode(bytes)
      return parsesJsonType ? (JSON.parse(text) as Json) : text
    },
    dateFromDays: (days: number | undefined) =>
      days === undefined ? undefined : new Date(days * 86_400_000).toISOString().slice(0, 10),
  }
  let rowStart = 0
  for (const { num_rows, total_byte_size } of metadata.row_groups) {
    if (total_byte_size > MAX_GROUP_BYTES)
      throw new RangeError(
        `it has a row group of ${total_byte_size} bytes, at most ${MAX_GROUP_BYTES} can be read: write it in smaller row groups`,
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
    for (let from = 0; from < rows.length; from += BATCH)
      yield rows
        .slice(from, from + BATCH)
        .map((row) => `${JSON.stringify(parseColumns(jsonOf(row) as Row, json))}\n`)
        .join('')
    rowStart = rowEnd
  }
  yield null
}

function columnsOf(schema: readonly SchemaElement[]): readonly ColumnSpec[] {
  const columns: ColumnSpec[] = []
  // The list of elements goes down into nested ones: what is inside of a column is passed over.
  for (let at = 1; at < schema.length; at = afterElement(schema, at)) {
    const element = schema[at] as SchemaElement
    columns.push({ name: element.name, type: typeOf(element) })
  }
  return columns
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

async function openParquet(
  handle: FileHandle,
): Promise<{ readonly file: AsyncBuffer; readonly metadata: FileMetaData }> {
  const { size } = await handle.stat()
  const file: AsyncBuffer = {
    byteLength: size,
    async slice(start, end = size) {
      if (end > size) throw new RangeError('the parquet file is truncated')
      const bytes = Buffer.allocUnsafeSlow(end - start)
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
      if (bytesRead < bytes.length) throw new RangeError('the parquet file is truncated')
      return bytes.buffer
    },
  }
  return { file, metadata: await parquetMetadataAsync(file) }
}

/** Node's own, and those of a package where a file is packed by LZ4, which Node does not have. A page is as long as it says. */
async function decompressors({ row_groups }: FileMetaData): Promise<Compressors> {
  const codecs = new Set(row_groups.flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec)))
  const more = codecs.has('LZ4') || codecs.has('LZ4_RAW') ? (await import('hyparquet-compressors')).compressors : {}
  const within = (length: number) => ({ maxOutputLength: Math.min(Math.max(1, length), MAX_GROUP_BYTES) })
  return {
    ...more,
    ZSTD: (page, length) => zstdDecompressSync(page, within(length)),
    GZIP: (page, length) => gunzipSync(page, within(length)),
    BROTLI: (page, length) => brotliDecompressSync(page, within(length)),
  }
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

let all: AsyncGenerator<ParquetReply> | undefined
process.on('message', (request: ParquetRequest) => {
  all ??= replies(request)
  const next = all.next().then(
    ({ value }) => value as ParquetReply,
    (error: NodeJS.ErrnoException): ParquetReply => ({ fault: error.message, code: error.code }),
  )
  void next.then((reply) => process.send?.(reply))
})
process.once('disconnect', () => process.exit())
