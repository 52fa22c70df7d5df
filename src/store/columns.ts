import type { Json } from '../core/index.ts'

/**
 * `json` holds any JSON value: nested in JSONL, text with sorted keys in Parquet; `written` makes the same column of that
 * text. Every column may be null.
 */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'json' | 'written'

export interface ColumnSpec {
  readonly name: string
  readonly type: ColumnType
}

/** One row; an absent column is null. */
export type Row = { readonly [column: string]: Json }

/** A finished file. `sha256` is of its bytes, 64 hex digits. */
export interface WrittenFile {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Writes one file of rows; nothing is at `path` before `close` resolves. */
export interface RowWriter {
  write(rows: readonly Row[]): Promise<void>
  close(): Promise<WrittenFile>
  /** Throws away what was written. */
  abort(): Promise<void>
}

/** Throws unless the value fits the column. */
export function checkCell(column: ColumnSpec, value: Json): void {
  if (value === null || column.type === 'json') return
  const fits =
    column.type === 'text' || column.type === 'written'
      ? typeof value === 'string'
      : column.type === 'boolean'
        ? typeof value === 'boolean'
        : typeof value === 'number' &&
          (column.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value))
  if (!fits)
    throw new TypeError(
      `column "${column.name}" holds ${column.type} or null, got ${JSON.stringify(value).slice(0, 80)}`,
    )
}
