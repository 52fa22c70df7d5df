import type { Column, Table } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'
import { isShown, MIN_SHOWN_ITEMS } from '../../libraries/statistics/group-counts.ts'
import { CONDITION_KEYS, conditionName, isSignificant } from '../rows.ts'
import { escapeHtml, fold } from './html-text.ts'
import {
  columnNumber,
  constantColumns,
  counted,
  fileName,
  heading,
  isEstimate,
  isNumeric,
  plural,
  shown,
} from './values.ts'

interface TableOptions {
  /** Most rows shown per table; the rest is in its CSV file. */
  readonly mostRows: number
  /** Are the tables also written as CSV, for links? */
  readonly csv: boolean
}

/** A table; a long one of pairs is folded by condition, with the number of significant pairs. */
export function htmlTable(table: Table, options: TableOptions): string {
  const parts = partsOf(table)
  return parts === null ? wholeTable(sideBySide(table), table.title, options) : byCondition(table, parts, options)
}

/** Most models that stand side by side, and columns of them. */
const [MAX_MODELS, MAX_COLUMNS] = [4, 8]

/** A table of a row a model with the models side by side, what they share once; any other table as it is. */
function sideBySide(table: Table): Table {
  const { columns, rows } = table
  const models = [...new Set(rows.map(({ model }) => String(model)))]
  const keys = columns.filter(({ key, kind }) => kind === 'text' && key !== 'model')
  const levels = [...Map.groupBy(rows, (row) => JSON.stringify(keys.map(({ key }) => row[key]))).values()]
  const isOnce = levels.every((own) => new Set(own.map(({ model }) => model)).size === own.length)
  if (keys.length === 0 || levels.length < 2 || levels.length === rows.length || !isOnce) return table
  const others = columns.filter((column) => column.key !== 'model' && !keys.includes(column))
  const apart = others.filter((column) =>
    levels.some((own) => new Set(own.map((row) => shown(row[column.key], column))).size > 1),
  )
  if (apart.length === 0 || models.length > MAX_MODELS || apart.length * models.length > MAX_COLUMNS) return table
  return {
    ...table,
    columns: [
      ...columns.filter((column) => column.key !== 'model' && !apart.includes(column)),
      ...apart.flatMap((column) =>
        models.map((model) => ({ ...column, key: `${column.key} ${model}`, label: `${column.label}, ${model}` })),
      ),
    ],
    rows: levels.map((own) => ({
      ...own[0],
      ...Object.fromEntries(
        own.flatMap(({ model, ...row }) => apart.map(({ key }) => [`${key} ${String(model)}`, row[key] ?? null])),
      ),
    })),
  }
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
  const rows = table.rows.slice(0, options.mostRows)
  const isSentence = ({ key }: Column): boolean =>
    table.columns.length > WIDE && rows.some(({ [key]: text }) => typeof text === 'string' && text.length > SENTENCE)
  const sentences = table.columns.filter(isSentence)
  const same = constantColumns(table).filter((column) => !sentences.includes(column))
  const columns = table.columns.filter(
    (column) => column.isPlace !== true && !sentences.includes(column) && !same.includes(column),
  )
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
    .map((row) => `<tr>${columns.map((column, c) => cell(row, column, c < texts)).join('')}${below(row)}`)
    .join('')
  const rest = table.rows.length - rows.length
  const file = csvLink(table, options)
  const more = rest > 0 ? `<p>${counted(rest)} more rows${options.csv ? ` in the ${file.trim()} file` : ''}.</p>` : ''
  const told = same.flatMap((column) => {
    const value = shown(rows[0]?.[column.key], column)
    return value === '' ? [] : [`${heading(column)} ${trueMinus(value)}`]
  })
  const caption = `<caption>${escapeHtml(title)}${file}${told.length === 0 ? '' : ` <small>all rows: ${escapeHtml(told.join('; '))}</small>`}</caption>`
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(title)}"><table class="${columns.length > DENSE ? 'dense ' : ''}t${texts}">${caption}<thead><tr>${head}<tbody>${body}</table></div>${more}`
}

/** Begins the method of shares of right rows. */
const OF_ROWS = 'beta'

/** How the intervals of a column are made where not as those of all shares, without the counts of groups, which stand at each. */
function methodsOf(rows: Table['rows'], { key }: Column): string {
  const used = rows.flatMap(({ [key]: value }) => (isEstimate(value) ? [value.method] : []))
  const methods = new Set(
    used.filter((method) => !method.startsWith(OF_ROWS)).map((method) => method.replaceAll(/\d+ groups?/gu, 'groups')),
  )
  return methods.size === 0 ? '' : ` title="${escapeHtml([...methods].join('; '))}"`
}

/**
 * End tags of cells and rows are optional. Numbers have no class, nor have texts in the first columns. A share that is not drawn in figures is
 * grey: of few responses as a count, else with the reason.
 */
function cell(row: Table['rows'][number], column: Column, isFirst: boolean): string {
  const value = row[column.key]
  if (isEstimate(value)) {
    const [at, low, high] = [value.value, value.low, value.high].map((x) => trueMinus(columnNumber(x, column)))
    const text = `${at} <i>[${low}, ${high}]</i>`
    const groups = value.groups === undefined || value.groups === value.n ? [] : [plural(value.groups, 'group')]
    const tipOf = (parts: readonly string[]): string => (parts.length === 0 ? '' : ` title="${parts.join(' in ')}"`)
    const tip = tipOf([...(Object.values(row).includes(value.n) ? [] : [`n ${value.n}`]), ...groups])
    if (column.unit !== 'share' || isShown(value)) return `<td${tip}>${text}`
    if (value.n >= MIN_SHOWN_ITEMS) return `<td${tip}>${text} <small>wide</small>`
    const short = tipOf(groups)
    return value.method.startsWith(OF_ROWS)
      ? `<td${short}><i>${Math.round(value.value * value.n)} of ${value.n}</i>`
      : `<td${short}>${text} <small>n ${value.n}</small>`
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

/** The pairs of one condition. */
interface Part {
  readonly name: string
  /** Significant pairs; null where the table has no tests. */
  readonly significant: number | null
  /** The smallest p first, without the columns that name the condition. */
  readonly table: Table
}

/** Most pairs shown as one list. */
const MAX_LIST = 12

/** A long table of pairs by condition; null for any other table, which is one list. */
function partsOf(table: Table): readonly Part[] | null {
  const has = (key: string): boolean => table.columns.some((column) => column.key === key)
  if (table.rows.length <= MAX_LIST || !has('a') || !has('b')) return null
  const conditions = [...Map.groupBy(table.rows, conditionName)]
  if (conditions.length < 2) return null
  const columns = table.columns.filter(({ key }) => !CONDITION_KEYS.includes(key))
  const tests = has('holm')
  return conditions.map(([name, rows]) => ({
    name,
    significant: tests ? rows.filter(isSignificant).length : null,
    table: { ...table, columns, rows: tests ? rows.toSorted((a, b) => Number(a['holm']) - Number(b['holm'])) : rows },
  }))
}
