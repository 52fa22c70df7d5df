import { UsageError } from './errors.ts'

/** A row, by column name. */
type CsvRow = { readonly [column: string]: string }

/**
 * Rows of a CSV text (RFC 4180) with a header row. Linear.
 *
 * @throws UsageError for an unclosed quote or a row with more cells than the header.
 */
export function* csvRows(text: string): Generator<CsvRow> {
  for (const { row } of csvLines(text)) yield row
}

/** {@link csvRows} with the 1-based line number of each row. */
export function* csvLines(text: string): Generator<{ readonly line: number; readonly row: CsvRow }> {
  const rows = lines(text.startsWith('\ufeff') ? text.slice(1) : text)
  const head = rows.next()
  if (head.done === true) return
  const { cells: names } = head.value
  for (const { line, cells } of rows) {
    if (cells.length === 1 && cells[0] === '') continue
    if (cells.slice(names.length).some((cell) => cell !== ''))
      throw new UsageError(
        `line ${line} of the CSV file has ${cells.length} cells, but the header has ${names.length}. Put a text with commas in quotes`,
      )
    yield { line, row: Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ''])) }
  }
}

interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
}

function* lines(text: string): Generator<CsvLine, undefined> {
  let cells: string[] = []
  let line = 1
  let breaks = 0
  let at = 0
  while (at <= text.length) {
    const quoted = text[at] === '"'
    const end = quoted ? closing(text, at + 1, line + breaks) : nextOf(text, at)
    const cell = quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end)
    if (quoted) breaks += cell.split('\n').length - 1
    cells.push(cell)
    at = quoted ? end + 1 : end
    if (text[at] === ',') {
      at++
      continue
    }
    if (text[at] === '\r') at++
    if (at >= text.length && cells.length === 1 && cells[0] === '') return
    yield { line, cells }
    cells = []
    if (at >= text.length) return
    line += breaks
    breaks = 0
    if (text[at] !== '\n') throw new UsageError(`the CSV file has text after a closing quote in line ${line}`)
    line++
    at++
  }
}

function closing(text: string, from: number, line: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  throw new UsageError(`the CSV file has a quote in line ${line} that is never closed`)
}

function nextOf(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}
