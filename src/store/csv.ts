import { parse } from 'csv-parse/sync'
import { UsageError } from '../core/index.ts'

/** A text of unknown encoding: UTF-16 by its mark or its zeros, else UTF-8, else what Windows wrote before. */
export function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

interface Line {
  readonly line: number
  readonly row: { readonly [column: string]: string }
}

/**
 * The rows of a table with a head, and the line in which each begins. Cells stand between commas, semicolons, tabs or bars: whatever splits
 * the head into most cells, or what a first line `sep=;` says.
 *
 * @throws UsageError for a quote that is left open, or a row with more cells than the head
 */
export function csvLines(text: string, delimiter: string | null = null): readonly Line[] {
  const whole = text.replace(/^\ufeff/u, '')
  const declared = /^"?sep=(.)"?(?:\r?\n|\r)/u.exec(whole)
  const table = declared === null ? whole : whole.slice(declared[0].length)
  const sign = declared?.[1] ?? delimiter ?? delimiterOf(table)
  try {
    const rows = parse(table, {
      columns: true,
      delimiter: sign,
      info: true,
      quote: sign === '\t' && isUnquoted(table) ? false : '"',
      relax_column_count_less: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }) as unknown as readonly { readonly record: Line['row']; readonly info: { readonly lines: number } }[]
    return rows.map(({ record, info }) => ({
      line: info.lines - breaksIn(record) + (declared === null ? 0 : 1),
      row: record,
    }))
  } catch (error) {
    throw new UsageError(`the table cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Of the first line with something in it, without what stands in quotes. */
function delimiterOf(table: string): string {
  const head = /[^\r\n]+/u.exec(table)?.[0].replaceAll(/"[^"]*"/gu, '') ?? ''
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, cells: head.split(sign).length }))
  return counts.reduce((best, one) => (one.cells > best.cells ? one : best)).sign
}

/** A table of tabs whose every line has the cells of the head, and quotes that are part of a text: programs that write tabs seldom quote. */
function isUnquoted(table: string): boolean {
  const lines = table.split(/\r\n|\r|\n/u).filter((line) => line !== '')
  const cells = lines.map((line) => line.split('\t'))
  const isQuoted = cells.flat().every((cell) => !cell.startsWith('"') || /^"(?:[^"]|"")*"$/u.test(cell))
  return !isQuoted && cells.every((list) => list.length === cells[0]?.length)
}

const breaksIn = (row: Line['row']): number =>
  Object.values(row).reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/gu)?.length ?? 0), 0)
