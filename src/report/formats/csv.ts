import { cellText, type Table } from '../../core/index.ts'
import { isEstimate } from './values.ts'

/**
 * A table as CSV (RFC 4180, lines end in LF) with full precision. An estimate takes four columns: `key`, `key_low`, `key_high`, `key_n`. Text that a
 * spreadsheet would run as a formula gets a leading apostrophe.
 */
export function csvTable(table: Table): string {
  const estimates = new Set(
    table.columns.filter(({ key }) => table.rows.some((row) => isEstimate(row[key]))).map(({ key }) => key),
  )
  const head = table.columns.flatMap(({ key }) =>
    estimates.has(key) ? [key, `${key}_low`, `${key}_high`, `${key}_n`] : [key],
  )
  const lines = table.rows.map((row) =>
    table.columns.flatMap(({ key }) => {
      const value = row[key]
      if (!estimates.has(key)) return [value]
      if (isEstimate(value)) return [value.value, value.low, value.high, value.n]
      return [value, '', '', '']
    }),
  )
  return [head, ...lines].map(csvLine).join('')
}

/** A line of a CSV file. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\n`

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'boolean') return String(value)
  const raw = typeof value === 'string' ? value : JSON.stringify(value)
  const text = cellText(raw)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
