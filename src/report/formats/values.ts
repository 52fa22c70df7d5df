import type { Column, Estimate, Json, Table } from '../../core/index.ts'
import { UNSEEN } from '../../core/text.ts'

type Value = Json | Estimate | undefined

export const isEstimate = (value: Value): value is Estimate =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  'low' in value &&
  'high' in value &&
  'value' in value

/** One line of text without control, formatting or unpaired characters, cut at `max` code points. */
export function plainText(value: string, max = 200): string {
  const clean = value.slice(0, max * 4).replace(UNSEEN, (c) => (c === '\n' || c === '\t' ? ' ' : '\uFFFD'))
  const points = Array.from(clean)
  return points.length > max ? `${points.slice(0, max - 1).join('')}\u2026` : clean
}

/** A number for reading: whole numbers in full, others to four digits, small p values in powers of ten. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '\u221E' : value < 0 ? '-\u221E' : ''
  if (Number.isInteger(value)) return String(value)
  const size = Math.abs(value)
  if (size < 1e-4) return value.toExponential(1)
  if (size >= 1e6) return value.toPrecision(7)
  return size >= 100
    ? value.toFixed(1)
    : size >= 10
      ? value.toFixed(2)
      : size < 0.001
        ? value.toPrecision(2)
        : value.toFixed(3)
}

/** A number in its column: shares with three decimals, so that they align. */
export const columnNumber = (value: number, column: Column): string =>
  column.unit === 'share' || column.kind === 'share' ? value.toFixed(3) : shortNumber(value)

/** The text of a cell: an estimate as `value [low, high]`, a missing value as an empty text. */
export function shown(value: Value, column: Column): string {
  if (value === null || value === undefined) return ''
  if (isEstimate(value)) {
    const [at, low, high] = [value.value, value.low, value.high].map((x) => columnNumber(x, column))
    return `${at} [${low}, ${high}]`
  }
  if (typeof value === 'number') return columnNumber(value, column)
  if (typeof value === 'string') return plainText(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return plainText(JSON.stringify(value))
}

/** Columns that say the same in all of several rows. */
export function constantColumns({ columns, rows }: Table): readonly Column[] {
  const [first, ...others] = rows
  if (first === undefined || others.length === 0) return []
  const same = columns.filter((one) => others.every((row) => shown(row[one.key], one) === shown(first[one.key], one)))
  return same.length === columns.length ? [] : same
}

export const isNumeric = (column: Column): boolean => column.kind !== 'text'

/** `Accuracy (share)`; shares are 0..1 and need no unit. */
export const heading = (column: Column): string =>
  column.unit === undefined || column.unit === 'share' || column.unit.toLowerCase() === column.label.toLowerCase()
    ? column.label
    : `${column.label} (${column.unit})`

/** A file name for the id of a table or figure: `relic/table1` becomes `relic-table1`. */
export const fileName = (id: string): string =>
  id
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'table'

export const counted = (n: number): string => n.toLocaleString('en-US')

export const plural = (n: number, one: string, many = `${one}s`): string => `${counted(n)} ${n === 1 ? one : many}`
