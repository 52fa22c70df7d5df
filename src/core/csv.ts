import { UsageError } from './errors.ts'

/**
 * The rows of a CSV text (RFC 4180), by its first row; linear.
 *
 * @throws UsageError for a quote that is never closed, and for what stands in no column.
 */
export function* csvRows(text: string): Generator<{ readonly [column: string]: string }> {
  const rows = cells(text.startsWith('\ufeff') ? text.slice(1) : text)
  const head = rows.next()
  if (head.done === true) return
  const names = head.value
  let number = 1
  for (const row of rows) {
    number++
    if (row.length === 1 && row[0] === '') continue
    if (row.slice(names.length).some((cell) => cell !== ''))
      throw new UsageError(
        `row ${number} of the CSV file has ${row.length} cells, its head ${names.length}: a text with commas stands in quotes`,
      )
    yield Object.fromEntries(names.map((name, i) => [name, row[i] ?? '']))
  }
}

function* cells(text: string): Generator<readonly string[], undefined> {
  let row: string[] = []
  let at = 0
  while (at <= text.length) {
    const quoted = text[at] === '"'
    const end = quoted ? closing(text, at + 1) : nextOf(text, at)
    const cell = quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end)
    row.push(cell)
    at = quoted ? end + 1 : end
    if (text[at] === ',') {
      at++
      continue
    }
    if (text[at] === '\r') at++
    if (at >= text.length && row.length === 1 && row[0] === '') return
    yield row
    row = []
    if (at >= text.length) return
    if (text[at] !== '\n') throw new UsageError('the CSV file has text after a closing quote')
    at++
  }
}

function closing(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  throw new UsageError('the CSV file has a quote that is never closed')
}

function nextOf(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}
