import type { Column, Table } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'
import { isShown, MIN_SHOWN_ITEMS } from '../../libraries/statistics/group-counts.ts'
import { counted, escapeHtml, fold, plural } from './html-text.ts'
import { fileName } from './names.ts'
import { type Part, partsOf } from './parts.ts'
import { columnNumber, heading, isEstimate, isNumeric, shown } from './values.ts'

interface TableOptions {
  /** Most rows shown per table; the rest is in its CSV file. */
  readonly mostRows: number
  /** Are the tables also written as CSV, for links? */
  readonly csv: boolean
}

/** A table; a long one of pairs is folded by condition, with the number of significant pairs. */
export function htmlTable(table: Table, options: TableOptions): string {
  const parts = partsOf(table)
  return parts === null ? wholeTable(table, table.title, options) : byCondition(table, parts, options)
}

function byCondition(table: Table, parts: readonly Part[], options: TableOptions): string {
  const each = { csv: false, mostRows: Math.max(1, Math.floor(options.mostRows / parts.length)) }
  const lists = parts.map(({ name, significant, table: part }) => {
    const pairs =
      significant === null ? `${part.rows.length} pairs` : `${significant} of ${part.rows.length} pairs significant`
    return fold(name, pairs, wholeTable(part, `${table.title}: ${name}`, each))
  })
  return `<p class="parts">${escapeHtml(table.title)}${csvLink(table, options)}</p>\n${lists.join('\n')}`
}

const csvLink = ({ id }: Table, { csv }: TableOptions): string =>
  csv ? ` <a href="tables/${fileName(id)}.csv">CSV</a>` : ''

/** Sentences have no column but a line below their row. */
function wholeTable(table: Table, title: string, options: TableOptions): string {
  const known = table.rows.filter((row) => !isBetween(row, table))
  const rows = known.slice(0, options.mostRows)
  const isSentence = ({ key }: Column): boolean =>
    table.columns.length > WIDE && rows.some(({ [key]: text }) => typeof text === 'string' && text.length > SENTENCE)
  const sentences = table.columns.filter(isSentence)
  const columns = table.columns.filter((column) => column.isPlace !== true && !sentences.includes(column))
  const first = columns.findIndex(isNumeric)
  const texts = Math.min(MAX_TEXTS, first < 0 ? columns.length : first)
  const head = columns.map((column) => `<th${methodsOf(rows, column)}>${escapeHtml(heading(column))}`).join('')
  const below = (row: Table['rows'][number]): string =>
    sentences
      .map((column) => shown(row[column.key], column))
      .filter((text) => text !== '')
      .map((text) => `<tr class="below"><td colspan="${columns.length}">${escapeHtml(text)}`)
      .join('')
  const body = rows
    .map((row) => `<tr>${columns.map((column, c) => cell(row[column.key], column, c < texts)).join('')}${below(row)}`)
    .join('')
  const rest = known.length - rows.length
  const file = csvLink(table, options)
  const more = rest > 0 ? `<p>${counted(rest)} more rows${options.csv ? ` in the ${file.trim()} file` : ''}.</p>` : ''
  const caption = `<caption>${escapeHtml(title)}${file}</caption>`
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(title)}"><table class="${columns.length > DENSE ? 'dense ' : ''}t${texts}">${caption}<thead><tr>${head}<tbody>${body}</table></div>${more}`
}

/** Is a row a point of a curve between two measured values? It is drawn, and in the CSV file. */
const isBetween = (row: Table['rows'][number], { columns }: Table): boolean =>
  columns.some(({ key }) => key === 'residual') &&
  columns.every(({ key, kind }) => kind !== 'estimate' || row[key] === null)

/** How the intervals of a column are made, without the counts of groups, which stand at each. */
function methodsOf(rows: Table['rows'], { key }: Column): string {
  const methods = new Set(
    rows.flatMap(({ [key]: value }) => (isEstimate(value) ? [value.method.replaceAll(/\d+ groups?/gu, 'groups')] : [])),
  )
  return methods.size === 0 ? '' : ` title="${escapeHtml([...methods].join('; '))}"`
}

/**
 * End tags of cells and rows are optional. Numbers have no class, nor have texts in the first columns. A share that is not drawn in figures is
 * grey, with the reason.
 */
function cell(value: Table['rows'][number][string] | undefined, column: Column, isFirst: boolean): string {
  if (isEstimate(value)) {
    const [at, low, high] = [value.value, value.low, value.high].map((x) => trueMinus(columnNumber(x, column)))
    const text = `${at} <i>[${low}, ${high}]</i>`
    const groups = value.groups === undefined || value.groups === value.n ? '' : ` in ${plural(value.groups, 'group')}`
    const tip = ` title="n ${value.n}${groups}"`
    if (column.unit !== 'share' || isShown(value)) return `<td${tip}>${text}`
    return value.n < MIN_SHOWN_ITEMS
      ? `<td class="weak"${groups === '' ? '' : tip}>${text} <small>n ${value.n}</small>`
      : `<td class="weak"${tip}>${text} <small>wide</small>`
  }
  const text = typeof value === 'number' ? trueMinus(shown(value, column)) : shown(value, column)
  const name = isNumeric(column) ? '' : classOf(text)
  return `<td${name === '' || (isFirst && name === 't') ? '' : ` class="${name}"`}>${breakable(text)}`
}

function classOf(text: string): string {
  const runsOn = text.split(/[\s/:_=-]/u).some((word) => word.length > WORD)
  const names = [...(text.length > SENTENCE ? ['long'] : []), ...(runsOn ? ['run-on'] : [])]
  return names.length === 0 ? 't' : names.join(' ')
}

/** Names break after `/ : _ =` only: `recoglab/` `comparison`. */
const breakable = (text: string): string => text.split(AFTER).map(escapeHtml).join('<wbr>')
const AFTER = /(?<=[\p{L}\p{N}][/:_=])(?=[\p{L}\p{N}])/u
/** Longer words break anywhere in a narrow column. */
const WORD = 18

/** Longer texts get a wide column, or where there are many columns a line below the row. */
const SENTENCE = 60
const WIDE = 6
/** Leading columns of texts that a table's class names. */
const MAX_TEXTS = 4
/** Tables of more columns are set smaller. */
const DENSE = 10
