import { type Json, type Line, lineBatches, MAX_LINE, sortedJson, withoutMark } from '../core/index.ts'
import { type ColumnSpec, checkCell, type Row, type RowWriter } from './columns.ts'
import { StoreError } from './errors.ts'
import { rowFile, textOfFile } from './files.ts'

/** JSON lines with the columns in the order given: byte-identical for the same rows. */
export const jsonlWriter = (path: string, columns: readonly ColumnSpec[]): Promise<RowWriter> =>
  linesWriter(path, '', jsonlText(columns))

/** A file of lines, one a row, after a head. `line`: how a row is written, its line feed included. */
export function linesWriter(path: string, head: string, line: (row: Row) => string): Promise<RowWriter> {
  let before = head
  return rowFile(
    path,
    (rows) => {
      let text = before
      before = ''
      for (const row of rows) text += line(row)
      return Promise.resolve(Buffer.from(text, 'utf8'))
    },
    () => Promise.resolve(new Uint8Array()),
  )
}

/** How a row is written, its line feed included. */
export function jsonlText(columns: readonly ColumnSpec[]): (row: Row) => string {
  const prefixes = columns.map((column, i) => `${i === 0 ? '{' : ','}${JSON.stringify(column.name)}:`)
  return (row) => {
    let out = ''
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] as ColumnSpec
      const value = row[column.name] ?? null
      checkCell(column, value)
      out += prefixes[i] + cell(column, value)
    }
    return `${out}}\n`
  }
}

function cell({ type }: ColumnSpec, value: Json): string {
  if (type === 'json') return sortedJson(value)
  return type === 'written' && value !== null ? (value as string) : JSON.stringify(value)
}

/** The lines of a text file in batches, streaming. @throws StoreError on a line that is too long */
export async function* readLines(pieces: AsyncIterable<string>, path: string): AsyncGenerator<readonly Line[]> {
  for await (const batch of lineBatches(pieces)) {
    const long = batch.find(({ end }) => end === 'limit')
    if (long !== undefined)
      throw new StoreError('damaged', `${path}: line ${long.number} is longer than ${MAX_LINE} characters`)
    yield batch
  }
}

/** The rows of a JSON lines file, in batches. A line that is not a JSON object is an error with its number. */
export async function* readJsonl(path: string): AsyncGenerator<readonly Row[]> {
  for await (const lines of readJsonlLines(path)) yield lines.map(({ row }) => row)
}

/** As {@link readJsonl}, with the number of each line, from 1; empty lines count. */
export async function* readJsonlLines(
  path: string,
): AsyncGenerator<readonly { readonly number: number; readonly row: Row }[]> {
  for await (const lines of readLines(withoutMark(textOfFile(path)), path))
    yield lines.map((line) => ({ number: line.number, row: parseLine(path, line) }))
}

function parseLine(path: string, { number: line, text }: Line): Row {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    throw new StoreError('damaged', `${path}: line ${line} is not JSON: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StoreError(
      'damaged',
      `${path}: line ${line} holds ${Array.isArray(value) ? 'an array' : String(value)}, expected an object`,
    )
  return value as Row
}
