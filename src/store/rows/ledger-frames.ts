import type { SQLOutputValue } from 'node:sqlite'
import { type Json, type JsonObject, type Outcome, sortedJson, stateOf } from '../../core/index.ts'
import type { ColumnSpec, ColumnType } from '../columns.ts'
import { StoreError } from '../errors.ts'
import type { Ledger } from '../ledger.ts'
import { integer, json } from '../records.ts'
import { type Column, columnAt, NumberBuilder, TextBuilder } from './column.ts'
import { type ColumnNames, parseColumnNames } from './column-names.ts'
import { framesOf, type RunColumns, type RunFrames } from './frames.ts'
import { MAIN_PARSER, type ModelAttributes, modelAttributes, parserColumn, rowColumns } from './row-columns.ts'
import { rowsWhere } from './where.ts'

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
 * import { loadFrames, openRun, type RunContext, type RunFrames, withRun } from '@touchstone-eval/touchstone/node'
 *
 * export const framesOf = async (dir: string, context: RunContext): Promise<RunFrames> =>
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
    CASE WHEN r.cell IS NOT NULL THEN COALESCE(a.usage, r.usage) END,
    s.scorer, s.outcome, a.no, a.started, a.ended, a.boundary, a.code, a.message
  FROM cell c
  LEFT JOIN response r ON r.cell = c.id
  LEFT JOIN score s ON s.cell = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.cell = c.id)
  LEFT JOIN attempt a ON a.cell = c.id AND a.no = COALESCE(r.attempt, (SELECT MAX(no) FROM attempt y WHERE y.cell = c.id))
  WHERE c.${ROWS} AND c.id > ? ORDER BY c.id LIMIT ${PAGE}`

const ITEMS = (where: string): string => `
  SELECT ord, id, idx, stratum, task, version, config, draw, grp, answer, features FROM item
  WHERE ord > ? ${where} ORDER BY ord LIMIT ${PAGE}`

/** The same as plain data, which a worker thread can hand over. */
export async function loadColumns(
  ledger: Ledger,
  onProgress: (done: number, of: number) => void = () => undefined,
): Promise<RunColumns> {
  // Of a run that others are at work on, more names may be known by now.
  const names = parseColumnNames(await ledger.meta('names'))
  const attributes = await modelAttributes(ledger)
  const specs = rowColumns(names, attributes)
  const [counted] = ledger.query(`SELECT COUNT(*) AS rows FROM cell WHERE ${ROWS}`)
  const expected = Number(counted?.['rows'])
  onProgress(0, expected)
  const items = readItems(ledger, specs, expected)
  const builders = new Builders(specs, expected)
  const setCell = cellSetter(builders, names)
  const item = new Int32Array(expected)
  const page = ledger.arrays(CELLS)
  let length = 0
  for (let after: SQLOutputValue = 0, isMore = true; isMore && length < expected; ) {
    isMore = false
    for (const values of page(after)) {
      // A run that is at work has more rows by now than were counted: they are read the next time.
      if (length === expected) break
      isMore = true
      after = values[0] ?? null
      item[length] = items.placeOf(String(values[1]))
      setCell(length, values)
      length++
    }
    onProgress(length, expected)
  }
  const rows = item.subarray(0, length)
  const model = builders.text('model').done(length)
  const columns = specs.map((spec): [string, Column] => {
    const { name } = spec
    const ofItem = items.columns.get(name)
    if (ofItem !== undefined) return [name, columnAt(ofItem, rows)]
    return [
      name,
      name.startsWith('attribute_') ? attributeColumn(spec, model, attributes) : builders.column(name, length),
    ]
  })
  return { length, specs, columns: new Map(columns), features: names.features }
}

/** A builder for each column. */
class Builders {
  private readonly all: ReadonlyMap<string, TextBuilder | NumberBuilder>

  constructor(specs: readonly ColumnSpec[], length: number) {
    this.all = new Map(
      specs.map(({ name, type }) => [name, type === 'text' ? new TextBuilder(length) : new NumberBuilder(length)]),
    )
  }

  text(name: string): TextBuilder {
    const builder = this.all.get(name)
    if (builder instanceof TextBuilder) return builder
    throw new Error(`there is no column "${name}" of texts`)
  }

  number(name: string): NumberBuilder {
    const builder = this.all.get(name)
    if (builder instanceof NumberBuilder) return builder
    throw new Error(`there is no column "${name}" of numbers`)
  }

  column(name: string, length: number): Column {
    const builder = this.all.get(name)
    if (builder === undefined) throw new Error(`there is no column "${name}"`)
    return builder.done(length)
  }
}

/** The same for all rows of a model. */
function attributeColumn({ name, type }: ColumnSpec, model: Column, attributes: ModelAttributes): Column {
  if (model.kind !== 'text') throw new Error('the column "model" holds no texts')
  const { codes, levels } = model
  const values = levels.map((level) => attributes[level]?.[name.slice('attribute_'.length)])
  const texts = type === 'text' ? new TextBuilder(codes.length) : null
  const numbers = new NumberBuilder(codes.length)
  for (let row = 0; row < codes.length; row++) {
    const value = values[codes[row] as number]
    if (value === undefined) continue
    if (texts !== null) texts.set(row, String(value))
    else numbers.set(row, Number(value))
  }
  return texts === null ? numbers.done() : texts.done()
}

interface Items {
  /** The columns of facts about items, with one place for each item. */
  readonly columns: ReadonlyMap<string, Column>
  placeOf(item: string): number
}

/** Facts about items are read once, however many rows an item has. */
function readItems(ledger: Ledger, specs: readonly ColumnSpec[], rows: number): Items {
  const [counted] = ledger.query('SELECT COUNT(*) AS items FROM item')
  const count = Number(counted?.['items'])
  const page = ledger.arrays(ITEMS(rows < count ? `AND id IN (SELECT item FROM cell WHERE ${ROWS})` : ''))
  const features = specs.filter(({ name }) => name.startsWith('feature_'))
  const builders = new Builders([...specs.filter(({ name }) => OF_ITEM.has(name)), ...features], count)
  const text = (name: string) => builders.text(name)
  const number = (name: string) => builders.number(name)
  const [item, task, config, draw] = [text('item'), text('task'), text('config'), text('draw')]
  const [group, truth] = [text('group'), text('truth')]
  const [index, stratum, version] = [number('index'), number('stratum'), number('version')]
  const setFeature = new Map(
    features.map(({ name, type }) => [name.slice('feature_'.length), featureSetter(builders, name, type)]),
  )
  const places = new Map<string, number>()
  for (let after: SQLOutputValue = -1, isMore = true; isMore; ) {
    isMore = false
    for (const values of page(after)) {
      isMore = true
      after = values[0] ?? null
      const at = places.size
      const id = String(values[1])
      places.set(id, at)
      item.set(at, id)
      index.set(at, integer(values[2], 'the number of an item'))
      stratum.set(at, integer(values[3], 'the stratum of an item'))
      task.set(at, String(values[4]))
      version.set(at, integer(values[5], 'the version of an item'))
      config.set(at, String(values[6]))
      draw.set(at, String(values[7]))
      group.set(at, String(values[8]))
      const answer = json(values[9])
      if (typeof answer !== 'object') truth.set(at, answerText(answer))
      for (const [name, value] of Object.entries(objectOf(values[10], 'the features of an item'))) {
        if (typeof value === 'object' && value !== null) throw damaged('the features of an item', values[10])
        if (value !== null) setFeature.get(name)?.(at, value)
      }
    }
  }
  return {
    columns: new Map(
      [...OF_ITEM, ...features.map(({ name }) => name)].map((name) => [name, builders.column(name, places.size)]),
    ),
    placeOf(id) {
      const place = places.get(id)
      if (place !== undefined) return place
      throw new StoreError('damaged', `a cell of the run asks the item ${id.slice(0, 100)}, which is not in it`)
    },
  }
}

const OF_ITEM = new Set(['item', 'index', 'stratum', 'draw', 'group', 'task', 'version', 'config', 'truth'])

/** A feature that has values of two types is text. */
function featureSetter(
  builders: Builders,
  name: string,
  type: ColumnType,
): (row: number, value: string | number | boolean) => void {
  if (type === 'text') {
    const builder = builders.text(name)
    return (row, value) => builder.set(row, String(value))
  }
  const builder = builders.number(name)
  return (row, value) => {
    if (typeof value !== type) throw new StoreError('damaged', `${name} of an item is no ${type}: ${String(value)}`)
    builder.set(row, Number(value))
  }
}

type CellSetter = (row: number, values: readonly SQLOutputValue[]) => void

/** Sets the columns that are not about the item, of one row of {@link CELLS}. */
function cellSetter(builders: Builders, names: ColumnNames): CellSetter {
  const text = (name: string) => builders.text(name)
  const number = (name: string) => builders.number(name)
  const [cell, sample, attempts, scorer] = [number('cell'), number('sample'), number('attempts'), number('scorer')]
  const [style, model, settings, finish] = [text('style'), text('model'), text('settings'), text('finish')]
  const [input, output, reasoning] = [number('inputTokens'), number('outputTokens'), number('reasoningTokens')]
  const [steps, usd, seconds] = [number('steps'), number('usd'), number('seconds')]
  const setOutcome = outcomeSetter(builders, names)
  return (row, values) => {
    cell.set(row, Number(values[0]))
    style.set(row, String(values[2]))
    model.set(row, String(values[3]))
    settings.set(row, String(values[4]))
    sample.set(row, integer(values[5], 'the sample of a cell'))
    if (values[6] !== null) finish.set(row, String(values[6]))
    if (values[7] !== null) {
      const usage = objectOf(values[7], 'the usage of a call')
      input.set(row, countIn(usage['inputTokens']))
      output.set(row, countIn(usage['outputTokens']))
      reasoning.set(row, countIn(usage['reasoningTokens']))
      steps.set(row, countIn(usage['steps']))
      const paid = usage['usd'] ?? null
      if (typeof paid === 'number') usd.set(row, paid)
      else if (paid !== null) throw damaged('the usage of a call', values[7])
    }
    if (values[8] !== null) scorer.set(row, integer(values[8], 'the version of a scorer'))
    attempts.set(row, Number(values[10] ?? 0))
    // Times that are none are unknown, as counts are.
    const time =
      values[11] === null || values[12] === null ? Number.NaN : (Number(values[12]) - Number(values[11])) / 1000
    if (Number.isFinite(time)) seconds.set(row, time)
    setOutcome(row, values)
  }
}

/** A count that is none, from a source that was not checked, is unknown: one odd answer must not hide all others. */
const countIn = (count: Json | undefined): number => (Number.isSafeInteger(count) ? (count as number) : Number.NaN)

/** Checks by hand what it sets: a schema costs a quarter of the whole time. */
function outcomeSetter(builders: Builders, names: ColumnNames): CellSetter {
  const state = builders.text('state')
  const [boundary, code, message] = [builders.text('boundary'), builders.text('code'), builders.text('message')]
  const measured = new Map(names.measured.map((name) => [name, builders.number(`measured_${name}`)]))
  const setVerdict = new Map(
    [...new Set([MAIN_PARSER, ...Object.keys(names.parsers)])].map((parser) => [
      parser,
      verdictSetter(builders, parser, names.parsers[parser] ?? []),
    ]),
  )
  return (row, values) => {
    if (values[9] === null) {
      // A cell without an outcome is one whose attempts all failed.
      state.set(row, 'failed')
      boundary.set(row, String(values[13] ?? 'runner'))
      code.set(row, String(values[14] ?? 'unscored'))
      message.set(row, String(values[15] ?? 'the response has not been scored'))
      return
    }
    const outcome = objectOf(values[9], OUTCOME)
    const wrong = () => damaged(OUTCOME, values[9])
    switch (outcome['kind']) {
      case 'failed':
        state.set(row, 'failed')
        boundary.set(row, textOr(outcome['boundary'], wrong))
        code.set(row, textOr(outcome['code'], wrong))
        message.set(row, textOr(outcome['message'], wrong))
        break
      case 'measured':
        state.set(row, 'measured')
        for (const [name, value] of Object.entries(objectOr(outcome['values'], wrong)))
          measured.get(name)?.set(row, numberOr(value, wrong))
        break
      case 'answered': {
        const all = objectOr(outcome['verdicts'], wrong)
        const known = { ...outcome, finish: textOr(outcome['finish'], wrong), verdicts: all } as unknown as Outcome
        if (all[MAIN_PARSER] === undefined) state.set(row, stateOf(known, MAIN_PARSER))
        for (const [parser, verdict] of Object.entries(all))
          setVerdict.get(parser)?.(row, objectOr(verdict, wrong), stateOf(known, parser), wrong)
        break
      }
      default:
        throw wrong()
    }
  }
}

const OUTCOME = 'the outcome of a cell'

/** Sets the columns of one parser. */
function verdictSetter(builders: Builders, parser: string, parts: readonly string[]) {
  const named = (name: string): string => parserColumn(name, parser)
  const [state, answer, rule] = [
    builders.text(named('state')),
    builders.text(named('answer')),
    builders.text(named('rule')),
  ]
  const value = builders.number(named('value'))
  const partBuilders = new Map(parts.map((part) => [part, builders.number(named(`part_${part}`))]))
  return (row: number, verdict: JsonObject, came: string, wrong: () => StoreError): void => {
    state.set(row, came)
    if (verdict['kind'] === 'unparsed') return
    if (verdict['kind'] !== 'graded' || verdict['answer'] === undefined) throw wrong()
    value.set(row, numberOr(verdict['value'], wrong))
    answer.set(row, answerText(verdict['answer']))
    rule.set(row, textOr(verdict['rule'], wrong))
    if (verdict['parts'] !== undefined)
      for (const [name, part] of Object.entries(objectOr(verdict['parts'], wrong)))
        partBuilders.get(name)?.set(row, numberOr(part, wrong))
  }
}

const answerText = (value: Json): string => (typeof value === 'string' ? value : sortedJson(value))

const damaged = (what: string, text: SQLOutputValue | undefined): StoreError =>
  new StoreError('damaged', `${what} is not what this program writes: ${String(text).slice(0, 100)}`)

function objectOf(text: SQLOutputValue | undefined, what: string): JsonObject {
  try {
    return objectOr(JSON.parse(String(text)) as Json, () => damaged(what, text))
  } catch (error) {
    throw error instanceof SyntaxError ? damaged(what, text) : error
  }
}

function objectOr(value: Json | undefined, wrong: () => StoreError): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject
  throw wrong()
}

function textOr(value: Json | undefined, wrong: () => StoreError): string {
  if (typeof value === 'string') return value
  throw wrong()
}

function numberOr(value: Json | undefined, wrong: () => StoreError): number {
  if (typeof value === 'number') return value
  throw wrong()
}
