import { z } from 'zod'
import { type Json, type Outcome, type ParserResult, sortedJson, statusOf } from '../core/index.ts'
import type { ColumnSpec, Row } from './columns.ts'
import type { Ledger } from './ledger.ts'
import { columnTypes, type RowNames } from './names.ts'
import { integer, itemOf, outcomeIn, parseStored, unscoredOutcome, usageOf } from './records.ts'
import type { StoredItem, Usage } from './run-store.ts'
import type { Record } from './sql.ts'

/** The parser whose verdicts are in the columns without a suffix. */
export const MAIN_PARSER = 'strict'

/** `value` of the main parser, `value@lenient` of another. */
export const parserColumn = (column: string, parser: string): string =>
  parser === MAIN_PARSER ? column : `${column}@${parser}`

const FIXED: readonly ColumnSpec[] = [
  { name: 'cell', type: 'integer' },
  { name: 'item', type: 'text' },
  { name: 'index', type: 'integer' },
  { name: 'stratum', type: 'integer' },
  { name: 'draw', type: 'text' },
  { name: 'group', type: 'text' },
  { name: 'task', type: 'text' },
  { name: 'version', type: 'integer' },
  { name: 'scorer', type: 'integer' },
  { name: 'config', type: 'text' },
  { name: 'style', type: 'text' },
  { name: 'model', type: 'text' },
  { name: 'settings', type: 'text' },
  { name: 'sample', type: 'integer' },
  { name: 'attempts', type: 'integer' },
  { name: 'finish', type: 'text' },
  { name: 'state', type: 'text' },
  { name: 'value', type: 'number' },
  { name: 'answer', type: 'text' },
  { name: 'truth', type: 'text' },
  { name: 'rule', type: 'text' },
  { name: 'boundary', type: 'text' },
  { name: 'code', type: 'text' },
  { name: 'message', type: 'text' },
  { name: 'inputTokens', type: 'integer' },
  { name: 'outputTokens', type: 'integer' },
  { name: 'reasoningTokens', type: 'integer' },
  { name: 'steps', type: 'integer' },
  { name: 'seconds', type: 'number' },
  { name: 'usd', type: 'number' },
]

/** Facts about models, by model name: what an experiment says of them beside how they are asked. */
export type ModelAttributes = { readonly [model: string]: { readonly [name: string]: string | number | boolean } }

/**
 * The columns of a run's rows: fixed ones, then one a feature, model attribute, parser, part and measure that occur in
 * it.
 */
export function rowColumns(names: RowNames, attributes: ModelAttributes = {}): readonly ColumnSpec[] {
  const columns = [...FIXED]
  for (const [name, type] of attributeTypes(attributes)) columns.push({ name: `attribute_${name}`, type })
  for (const [name, type] of columnTypes(names.features)) columns.push({ name: `feature_${name}`, type })
  for (const [parser, parts] of Object.entries(names.parsers)) {
    if (parser !== MAIN_PARSER) {
      columns.push({ name: parserColumn('state', parser), type: 'text' })
      columns.push({ name: parserColumn('value', parser), type: 'number' })
      columns.push({ name: parserColumn('answer', parser), type: 'text' })
      columns.push({ name: parserColumn('rule', parser), type: 'text' })
    }
    for (const part of parts) columns.push({ name: parserColumn(`part_${part}`, parser), type: 'number' })
  }
  for (const name of names.measured) columns.push({ name: `measured_${name}`, type: 'number' })
  return columns
}

function attributeTypes(attributes: ModelAttributes): ReadonlyMap<string, ColumnSpec['type']> {
  const types = new Map<string, ColumnSpec['type']>()
  for (const ofModel of Object.values(attributes))
    for (const [name, value] of Object.entries(ofModel)) {
      const type = typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'boolean' : 'number'
      // An attribute with values of two types is shown as text.
      types.set(name, (types.get(name) ?? type) === type ? type : 'text')
    }
  return types
}

/** Which rows: all that are done or failed, or of one model, or of cells beyond one up to another. */
export interface RowFilter {
  readonly model?: string
  readonly after?: number
  readonly upTo?: number
}

const SQL = `
  SELECT c.id, c.style, c.model, c.settings, c.sample, c.state AS call_state,
    i.position, i.id AS item, i.source, i.item_index, i.stratum, i.task, i.version, i.config, i.draw, i.item_group, '0' AS given, i.answer,
    i.features, i.item_hash, r.finish, r.usage, s.scorer, s.outcome, a.attempt_no AS attempts, a.started, a.ended, a.error_source, a.code, a.message
  FROM call c
  JOIN item i ON i.id = c.item
  LEFT JOIN response r ON r.call = c.id
  LEFT JOIN score s ON s.call = c.id AND s.scorer = (SELECT MAX(scorer) FROM score x WHERE x.call = c.id)
  LEFT JOIN attempt a ON a.call = c.id AND a.attempt_no = COALESCE(r.attempt, (SELECT MAX(attempt_no) FROM attempt y WHERE y.call = c.id))
  WHERE c.state IN ('done', 'failed')`

/** The rows of a run in the order of its plan, streaming: one a cell that is done or failed, scored by the newest scorer. */
export async function* runRows(ledger: Ledger, filter: RowFilter = {}): AsyncGenerator<readonly Row[]> {
  const { model, upTo, after = 0 } = filter
  const where = `${model === undefined ? '' : ' AND c.model = ?'}${upTo === undefined ? '' : ' AND c.id <= ?'}`
  const values = [...(model === undefined ? [] : [model]), ...(upTo === undefined ? [] : [upTo])]
  const sql = `${SQL}${where} AND c.id > ? ORDER BY c.id LIMIT ?`
  const attributes = await modelAttributes(ledger)
  const types = attributeTypes(attributes)
  // What all models said to an item stands together: its own part is read once.
  let own: { readonly item: StoredItem; readonly truth: string | null } | null = null
  for await (const page of ledger.pagesAfter(after, sql, ...values))
    yield page.map((record) => {
      if (own === null || own.item.id !== record['item']) {
        const item = itemOf(record)
        own = { item, truth: scalar(item.answer) }
      }
      const row = rowOf(record, own.item, own.truth)
      for (const [name, value] of Object.entries(attributes[String(record['model'])] ?? {}))
        row[`attribute_${name}`] = types.get(name) === 'text' ? String(value) : value
      return row
    })
}

/** The cells after which a part of so many rows ends, and how many rows there are in all. */
export function rowBounds(ledger: Ledger, part: number): { readonly ends: readonly number[]; readonly rows: number } {
  const numbered = "SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS row FROM call WHERE state IN ('done', 'failed')"
  const found = ledger.query(`SELECT id FROM (${numbered}) WHERE row % ? = 0 ORDER BY id`, part)
  const [counted] = ledger.query("SELECT COUNT(*) AS rows FROM call WHERE state IN ('done', 'failed')")
  return { ends: found.map(({ id }) => Number(id)), rows: Number(counted?.['rows'] ?? 0) }
}

const attributed: z.ZodType<ModelAttributes> = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
)

/** What the run says of its models. @throws StoreError for what somebody else wrote. */
export async function modelAttributes(ledger: Ledger): Promise<ModelAttributes> {
  const text = await ledger.meta('attributes')
  return text === null ? {} : parseStored(attributed, text, 'what the ledger says of attributes of models')
}

function rowOf(record: Record, item: StoredItem, truth: string | null): { [column: string]: Json } {
  const outcome = outcomeIn(record) ?? unscoredOutcome(record)
  const usage: Usage = record['usage'] === null || record['usage'] === undefined ? {} : usageOf(record['usage'])
  const row: { [column: string]: Json } = {
    cell: Number(record['id']),
    item: item.id,
    index: item.index,
    stratum: item.stratum,
    draw: item.draw,
    group: item.group,
    task: item.task,
    version: item.version,
    scorer: record['scorer'] === null ? null : integer(record['scorer'], 'the version of a scorer'),
    config: item.config,
    style: String(record['style']),
    model: String(record['model']),
    settings: String(record['settings']),
    sample: integer(record['sample'], 'the sample of a cell'),
    attempts: Number(record['attempts'] ?? 0),
    finish: record['finish'] === null ? null : String(record['finish']),
    truth,
    inputTokens: whole(usage.inputTokens),
    outputTokens: whole(usage.outputTokens),
    reasoningTokens: whole(usage.reasoningTokens),
    steps: whole(usage.steps),
    seconds: secondsOf(record),
    usd: usage.usd ?? null,
  }
  for (const [name, value] of Object.entries(item.features)) row[`feature_${name}`] = value
  addOutcome(row, outcome)
  return row
}

/** Times that are none are unknown, as counts are. */
function secondsOf({ started, ended }: Record): number | null {
  if (started === null || started === undefined || ended === null || ended === undefined) return null
  const seconds = (Number(ended) - Number(started)) / 1000
  return Number.isFinite(seconds) ? seconds : null
}

/** A count that is none, from a source that was not checked, is unknown: one odd answer must not hide all others. */
const whole = (count: number | undefined): number | null => (Number.isSafeInteger(count) ? (count as number) : null)

function addOutcome(row: { [column: string]: Json }, outcome: Outcome): void {
  row['state'] = statusOf(outcome, MAIN_PARSER)
  switch (outcome.kind) {
    case 'error':
      row['boundary'] = outcome.source
      row['code'] = outcome.code
      row['message'] = outcome.message
      break
    case 'measured':
      for (const [name, value] of Object.entries(outcome.values)) row[`measured_${name}`] = value
      break
    case 'answered':
      for (const [parser, verdict] of Object.entries(outcome.results))
        addVerdict(row, parser, verdict, statusOf(outcome, parser))
  }
}

function addVerdict(row: { [column: string]: Json }, parser: string, verdict: ParserResult, state: string): void {
  row[parserColumn('state', parser)] = state
  if (verdict.kind === 'unparsed') return
  row[parserColumn('value', parser)] = verdict.value
  row[parserColumn('answer', parser)] = shown(verdict.answer)
  row[parserColumn('rule', parser)] = verdict.rule
  for (const [name, value] of Object.entries(verdict.parts ?? {})) row[parserColumn(`part_${name}`, parser)] = value
}

const shown = (value: Json): string => (typeof value === 'string' ? value : sortedJson(value))

/** The truth where it is short enough to be a level of a category. */
const scalar = (value: Json): string | null => (typeof value === 'object' ? null : shown(value))
