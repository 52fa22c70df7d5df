import type { SQLOutputValue } from 'node:sqlite'
import { type Json, type JsonObject, type Outcome, sortedJson, statusOf } from '../../core/index.ts'
import type { ColumnSpec, ColumnType } from '../columns.ts'
import { StoreError } from '../errors.ts'
import type { Ledger } from '../ledger.ts'
import { parseJsonColumn, unscoredOutcome } from '../records.ts'
import { type Column, columnAt, NumberBuilder, TextBuilder } from './column.ts'
import { parseColumnNames } from './column-names.ts'
import { framesOf, type RunColumns, type RunFrames } from './frames.ts'
import { MAIN_PARSER, modelAttributes, parserColumn, rowColumns } from './row-columns.ts'
import { rowsWhere } from './where-clause.ts'

/** How the rows of a run are read. */
export interface FrameOptions {
  /** A SQL condition over the columns: only rows that it holds for. */
  readonly where?: string
  /** Called before the first row and after each page of them. */
  readonly onProgress?: (done: number, of: number) => void
}

/**
 * The rows of a run, one for each cell that is done or failed, in the order of its plan: numbers and booleans as Float64Array
 * (missing: NaN), texts as dictionary codes (missing: -1).
 *
 * @throws StoreError where the ledger cannot be read, UsageError for a condition that is none.
 *
 * @example
 * import { loadFrames, openRun, type RunContext, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const framesOf = async (dir: string, context: RunContext) =>
 *   withRun(await openRun(dir, context, { mode: 'read' }), (run) => loadFrames(run))
 */
export async function loadFrames(
  { ledger }: { readonly ledger: Ledger },
  { where, onProgress }: FrameOptions = {},
): Promise<RunFrames> {
  const columns = await loadColumns(ledger, onProgress)
  const frames = framesOf(columns)
  return where === undefined ? frames : frames.ofRows(rowsWhere(columns, where))
}

/** A reader of a live ledger holds its log back only while it reads a page: the log of a longer scan would grow to gigabytes. */
const PAGE = 20_000

const ROWS = "state IN ('done', 'failed')"

/**
 * An outcome is by the newest scorer. Usage stands behind the texts in the row of a response, which are long, so it is taken from
 * the attempt where that has it.
 */
const CELLS = `
  SELECT c.id, c.item, c.style, c.model, c.settings, c.sample, r.finish,
    CASE WHEN r.call IS NOT NULL THEN COALESCE(a.usage, r.usage) END,
    s.scorer, s.outcome, COALESCE(a.attempt_no, 0), (a.ended - a.started) / 1000.0, a.error_source, a.code, a.message
  FROM call c
  LEFT JOIN response r ON r.call = c.id
  LEFT JOIN score s ON s.call = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.call = c.id)
  LEFT JOIN attempt a ON a.call = c.id AND a.attempt_no = COALESCE(r.attempt, (SELECT MAX(attempt_no) FROM attempt y WHERE y.call = c.id))
  WHERE c.${ROWS} AND c.id > ? ORDER BY c.id LIMIT ${PAGE}`

const ITEMS = (where: string): string => `
  SELECT position, id, item_index, stratum, task, version, config, draw, item_group, answer, features FROM item
  WHERE position > ? ${where} ORDER BY position LIMIT ${PAGE}`

/** The same as plain data, which a worker thread can hand over. */
export async function loadColumns(
  ledger: Ledger,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<RunColumns> {
  // Of a run that others are at work on, more names may be known by now.
  const names = parseColumnNames(await ledger.meta('names'))
  const attributes = await modelAttributes(ledger)
  const specs = rowColumns(names, attributes)
  const expected = countOf(ledger, `call WHERE ${ROWS}`)
  onProgress(0, expected)
  const items = readItems(ledger, specs, expected)
  const builders = new Builders(specs, (name) => !isOfItem(name), expected)
  const nameOf = parserColumnNames()
  const item = new Int32Array(expected)
  let length = 0
  for (const values of inPages(ledger, CELLS, 0)) {
    // A run that is at work has more items and rows by now than were counted: they are read the next time.
    const place = items.places.get(String(values[1]))
    if (place === undefined) continue
    item[length] = place
    setCell(builders, length, values)
    setOutcome(builders, length, values, nameOf)
    for (const [name, value] of Object.entries(attributes[String(values[3])] ?? {}))
      builders.set(`attribute_${name}`, length, value)
    length++
    if (length % PAGE === 0 || length === expected) onProgress(length, expected)
    if (length === expected) break
  }
  const rows = item.subarray(0, length)
  const columns = specs.map(({ name }): [string, Column] => [
    name,
    isOfItem(name) ? columnAt(items.builders.column(name), rows) : builders.column(name, length),
  ])
  return { length, specs, columns: new Map(columns), features: names.features }
}

const countOf = (ledger: Ledger, from: string): number =>
  Number(ledger.query(`SELECT COUNT(*) AS n FROM ${from}`)[0]?.['n'])

/** The rows of a query whose first column is its key, read in pages. */
function* inPages(ledger: Ledger, sql: string, from: number): Generator<readonly SQLOutputValue[]> {
  const page = ledger.arrays(sql)
  for (let after: SQLOutputValue = from, found = PAGE; found === PAGE; ) {
    found = 0
    for (const values of page(after)) {
      after = values[0] ?? null
      found++
      yield values
    }
  }
}

/** A builder for each column. */
class Builders {
  private readonly all: ReadonlyMap<
    string,
    { readonly type: ColumnType; readonly builder: TextBuilder | NumberBuilder }
  >

  constructor(specs: readonly ColumnSpec[], isWanted: (name: string) => boolean, length: number) {
    const wanted = specs.filter(({ name }) => isWanted(name))
    this.all = new Map(
      wanted.map(({ name, type }) => [
        name,
        { type, builder: type === 'text' ? new TextBuilder(length) : new NumberBuilder(length) },
      ]),
    )
  }

  /**
   * Sets a value, unless it is null or undefined, which is missing, or the run does not name the column.
   *
   * @throws StoreError for a value of another type.
   */
  set(name: string, row: number, value: Json | SQLOutputValue | undefined): void {
    if (value === null || value === undefined) return
    const column = this.all.get(name)
    if (column === undefined) return
    const { type, builder } = column
    if (builder instanceof TextBuilder) {
      if (typeof value === 'object') throw damaged(`the ${name} of a cell`, value)
      builder.set(row, String(value))
    } else {
      const fits =
        type === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number' || typeof value === 'boolean'
      if (!fits) throw damaged(`the ${name} of a cell`, value)
      builder.set(row, Number(value))
    }
  }

  column(name: string, length?: number): Column {
    const column = this.all.get(name)
    if (column === undefined) throw new Error(`there is no column "${name}"`)
    return column.builder.done(length)
  }
}

const OF_ITEM = new Set(['item', 'index', 'stratum', 'draw', 'group', 'task', 'version', 'config', 'target'])
const isOfItem = (name: string): boolean => OF_ITEM.has(name) || name.startsWith('feature_')

interface Items {
  readonly builders: Builders
  /** The place of each item in its columns. */
  readonly places: ReadonlyMap<string, number>
}

/** Facts about items are read once, however many rows an item has. */
function readItems(ledger: Ledger, specs: readonly ColumnSpec[], rows: number): Items {
  const count = countOf(ledger, 'item')
  const builders = new Builders(specs, isOfItem, count)
  const places = new Map<string, number>()
  const where = rows < count ? `AND id IN (SELECT item FROM call WHERE ${ROWS})` : ''
  for (const values of inPages(ledger, ITEMS(where), -1)) {
    const at = places.size
    if (at === count) break
    const [, id, index, stratum, task, version, config, draw, group, answer, features] = values
    places.set(String(id), at)
    const facts = { item: id, index, stratum, task, version, config, draw, group }
    for (const [name, value] of Object.entries(facts)) builders.set(name, at, value)
    const target = parseJsonColumn(answer)
    // Only where it is short enough to be a level of a category.
    if (typeof target !== 'object') builders.set('target', at, target)
    for (const [name, value] of Object.entries(objectOf(features, 'the features of an item')))
      builders.set(`feature_${name}`, at, value)
  }
  return { builders, places }
}

/** Sets the columns of one row of {@link CELLS}, except its outcome. */
function setCell(builders: Builders, row: number, values: readonly SQLOutputValue[]): void {
  const [cell, , style, model, settings, sample, finish, usage, scorer, , attempts, seconds] = values
  builders.set('call', row, cell)
  builders.set('style', row, style)
  builders.set('model', row, model)
  builders.set('settings', row, settings)
  builders.set('sample', row, sample)
  builders.set('finish_reason', row, finish)
  builders.set('scorer', row, scorer)
  builders.set('attempts', row, attempts)
  builders.set('seconds', row, seconds)
  if (usage === null) return
  const used = objectOf(usage, 'the usage of a call')
  builders.set('usd', row, used['usd'])
  // A count that is none, from a source that was not checked, is unknown: one odd answer must not hide all others.
  for (const [name, column] of COUNTS) if (Number.isSafeInteger(used[name])) builders.set(column, row, used[name])
}

/** Counts of a usage, and their columns. */
const COUNTS = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['reasoningTokens', 'reasoning_tokens'],
  ['steps', 'steps'],
] as const

/** Checks by hand what it sets: a schema would cost a quarter of the whole time. */
function setOutcome(
  builders: Builders,
  row: number,
  values: readonly SQLOutputValue[],
  nameOf: (column: string, parser: string) => string,
): void {
  const [, , , , , , , , , text, , , boundary, code, message] = values
  const outcome =
    text === null
      ? unscoredOutcome({ error_source: boundary ?? null, code: code ?? null, message: message ?? null })
      : (objectOf(text, OUTCOME) as unknown as Outcome)
  if (outcome.kind === 'answered') asObject(outcome.results, OUTCOME, text)
  builders.set('status', row, statusOf(outcome, MAIN_PARSER))
  switch (outcome.kind) {
    case 'error':
      builders.set('error_source', row, outcome.source)
      builders.set('error_code', row, outcome.code)
      builders.set('error_message', row, outcome.message)
      break
    case 'measured':
      for (const [name, value] of Object.entries(asObject(outcome.values, OUTCOME, text)))
        builders.set(`metric_${name}`, row, value)
      break
    case 'answered':
      for (const [parser, verdict] of Object.entries(outcome.results)) {
        asObject(verdict, OUTCOME, text)
        const status = statusOf(outcome, parser)
        builders.set(nameOf('status', parser), row, status)
        const isCorrect = status === 'graded' && verdict.kind === 'graded' && verdict.value >= 1
        builders.set(nameOf('correct', parser), row, Number(isCorrect))
        if (verdict.kind === 'unparsed') continue
        builders.set(nameOf('score', parser), row, verdict.value)
        builders.set(nameOf('prediction', parser), row, answerText(verdict.answer))
        builders.set(nameOf('parser_rule', parser), row, verdict.rule)
        for (const [name, value] of Object.entries(verdict.parts ?? {}))
          builders.set(nameOf(`subscore_${name}`, parser), row, value)
      }
      break
    default:
      throw damaged(OUTCOME, text)
  }
}

const OUTCOME = 'the outcome of a call'

const answerText = (value: Json): string => (typeof value === 'string' ? value : sortedJson(value))

/** {@link parserColumn}, with each name made once: a text that is made for every row is hashed for every row. */
function parserColumnNames(): (column: string, parser: string) => string {
  const made = new Map<string, Map<string, string>>()
  return (column, parser) => {
    let names = made.get(parser)
    if (names === undefined) {
      names = new Map()
      made.set(parser, names)
    }
    const known = names.get(column)
    if (known !== undefined) return known
    const name = parserColumn(column, parser)
    names.set(column, name)
    return name
  }
}

const damaged = (what: string, value: unknown): StoreError =>
  new StoreError('damaged', `${what} is not what this program writes: ${String(value).slice(0, 100)}`)

function objectOf(text: SQLOutputValue | undefined, what: string): JsonObject {
  try {
    return asObject(JSON.parse(String(text)) as JsonObject, what, text)
  } catch (error) {
    throw error instanceof SyntaxError ? damaged(what, text) : error
  }
}

/** @throws StoreError for what is no object, whatever its type says */
function asObject<T extends object>(value: T, what: string, text: unknown): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw damaged(what, text)
}
