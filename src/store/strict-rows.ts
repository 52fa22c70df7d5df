import { type Json, sortedJson } from '../core/index.ts'
import type { ColumnSpec, Row } from './columns.ts'
import { StoreError } from './errors.ts'
import { textOfFile } from './files.ts'
import { jsonlText, readLines } from './jsonl.ts'
import { readParquet } from './parquet.ts'
import type { ParquetHead } from './parquet-child.ts'
import { formatOf } from './rows.ts'

/**
 * The rows of a file that holds nothing but what a writer with these columns writes. Faults are unknown columns and keys, keys
 * that are there twice, values of another type, and JSON in another form.
 *
 * @param tell - gets one sentence for each fault of form, at most one a row.
 * @throws StoreError where the file cannot be read on.
 */
export function strictRows(
  path: string,
  columns: readonly ColumnSpec[],
  tell: (message: string) => void,
): AsyncGenerator<readonly Row[]> {
  return formatOf(path) === 'parquet' ? strictParquet(path, columns, tell) : strictJsonl(path, columns, tell)
}

async function* strictJsonl(
  path: string,
  columns: readonly ColumnSpec[],
  tell: (message: string) => void,
): AsyncGenerator<readonly Row[]> {
  const write = jsonlText(columns)
  const known = new Set(columns.map(({ name }) => name))
  for await (const lines of readLines(textOfFile(path), path))
    yield lines.map(({ number, text }) => {
      const row = rowOf(path, number, text)
      const fault = faultOf(row, known, () => write(row) === `${text}\n`)
      if (fault !== null) tell(`line ${number} ${fault}`)
      return row
    })
}

function rowOf(path: string, number: number, text: string): Row {
  try {
    const value = JSON.parse(text) as Json
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Row
  } catch (error) {
    throw new StoreError('damaged', `${path}: line ${number} is not JSON: ${(error as Error).message}`)
  }
  throw new StoreError('damaged', `${path}: line ${number} holds no object`)
}

function faultOf(row: Row, known: ReadonlySet<string>, isAsWritten: () => boolean): string | null {
  const strange = Object.keys(row).filter((name) => !known.has(name))
  if (strange.length > 0) return `has columns that this set does not have: ${strange.join(', ')}`
  try {
    if (isAsWritten()) return null
  } catch (error) {
    return `does not fit its columns: ${(error as Error).message}`
  }
  return 'is not in the form it was written in: a key is there twice, is missing, or stands in another order'
}

async function* strictParquet(
  path: string,
  columns: readonly ColumnSpec[],
  tell: (message: string) => void,
): AsyncGenerator<readonly Row[]> {
  const json = columns.filter(({ type }) => type === 'json')
  const asText = columns.map((column): ColumnSpec => (column.type === 'json' ? { ...column, type: 'text' } : column))
  let number = 0
  const checkHead = (head: ParquetHead): void => checkColumns(path, head, columns, tell)
  for await (const batch of readParquet(path, asText, checkHead))
    yield batch.map((row) => {
      number++
      const parsed: { [column: string]: Json } = { ...row }
      for (const { name } of json) {
        const text = row[name]
        if (typeof text !== 'string') continue
        const value = jsonOf(path, number, text)
        parsed[name] = value
        if (sortedJson(value) !== text)
          tell(`row ${number}: ${name} is JSON in another form than was written, or has a key twice`)
      }
      return parsed
    })
}

function checkColumns(
  path: string,
  { columns: stored, metadata }: ParquetHead,
  columns: readonly ColumnSpec[],
  tell: (message: string) => void,
): void {
  const known = new Map(columns.map((column) => [column.name, column]))
  const missing = columns.filter(({ name }) => !stored.some((column) => column.name === name))
  if (missing.length > 0)
    throw new StoreError('damaged', `${path} lacks the columns ${missing.map(({ name }) => name).join(', ')}`)
  const strange = stored.filter(({ name, type }) => known.get(name)?.type !== type && !isText(known.get(name), type))
  if (strange.length > 0)
    tell(`has columns that this set does not have, or of another type: ${strange.map(({ name }) => name).join(', ')}`)
  if (metadata.length > 0) tell(`carries facts that no set has: ${metadata.join(', ')}`)
}

const isText = (column: ColumnSpec | undefined, stored: ColumnSpec['type']): boolean =>
  column?.type === 'json' && stored === 'text'

function jsonOf(path: string, number: number, text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new StoreError('damaged', `${path}: row ${number} holds text that is not JSON: ${(error as Error).message}`)
  }
}
