import type { SQLOutputValue } from 'node:sqlite'
import { z } from 'zod'
import {
  type Features,
  type FinishReason,
  type Json,
  jsonOrNull,
  type Outcome,
  type Problem,
  type TokenLogprob,
} from '../core/index.ts'
import { StoreError } from './errors.ts'
import type { CallState, Counts, LeasedCall, OpenBatch, StoredItem, StoredResponse, Usage } from './run-store.ts'
import type { Record } from './sql.ts'

/**
 * Parses JSON that this program has stored.
 *
 * @param what - for the message: `the outcome of a call`
 * @throws StoreError for a value that this program does not write.
 */
export function parseStored<T>(schema: z.ZodType<T>, text: string, what: string): T {
  const value = jsonOrNull(text)
  // The stored value itself: the schema would change the order of its keys.
  if (schema.safeParse(value).success) return value as T
  throw new StoreError('damaged', `${what} is not what this program writes: ${text.slice(0, 100)}`)
}

/** The columns of an item, of the table alias `i`, as {@link itemOf} reads them. */
export const ITEM_COLUMNS =
  'i.position, i.id AS item, i.source, i.item_index, i.stratum, i.task, i.version, i.config, i.draw, i.item_group, i.given, i.answer, i.features, i.item_hash'

/** JSON of the task's own shape. @throws StoreError for a text that is not JSON */
export function parseJsonColumn(value: SQLOutputValue | undefined): Json {
  try {
    return JSON.parse(String(value)) as Json
  } catch {
    throw new StoreError(
      'damaged',
      `a record of the run is not JSON, as this program writes it: ${String(value).slice(0, 100)}`,
    )
  }
}

/** A whole number, of a column that holds nothing else. */
export function integer(value: SQLOutputValue | undefined, what: string): number {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  throw new StoreError('damaged', `${what} is not what this program writes: ${String(value).slice(0, 100)}`)
}

/** A hand-made check, since every row of a report passes it. */
const features = z.custom<Features>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one !== 'object' || one === null),
)
// Odd counts of an unchecked source are unknown: one odd response must not hide all others.
const usage = z.looseObject({ usd: z.number().nullish(), refused: z.array(z.string()).nullish() })
const logprobs: z.ZodType<readonly TokenLogprob[]> = z.array(
  z.object({ text: z.string(), logprob: z.number(), mass: z.number().optional() }),
)
const verdict = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('graded'),
    value: z.number(),
    answer: z.custom<Json>((value) => value !== undefined),
    rule: z.string(),
    span: z.tuple([z.number(), z.number()]),
    parts: z.record(z.string(), z.number()).exactOptional(),
  }),
  z.object({ kind: z.literal('unparsed'), reason: z.string() }),
])
const finish = z.enum(['stop', 'truncated', 'refused', 'unknown'])
const outcome: z.ZodType<Outcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answered'), finish, results: z.record(z.string(), verdict) }),
  z.object({ kind: z.literal('measured'), values: z.record(z.string(), z.number()) }),
  z.object({
    kind: z.literal('error'),
    source: z.enum(['provider', 'task', 'runner']),
    code: z.string(),
    message: z.string(),
  }),
])

/** These parsers throw a StoreError for a value that this program does not write. */
export const outcomeOf = (text: SQLOutputValue): Outcome => parseStored(outcome, String(text), 'the outcome of a call')
export const outcomeIn = ({ outcome: text }: Record): Outcome | null =>
  text === null || text === undefined ? null : outcomeOf(text)
export const usageOf = (text: SQLOutputValue | undefined): Usage =>
  parseStored(usage as unknown as z.ZodType<Usage>, String(text), 'the usage of a call')
export const featuresOf = (text: SQLOutputValue | undefined): Features =>
  parseStored(features, String(text), 'the features of an item')
/** The settings of a call, as the ledger stores them. */
export const settingsIn = (text: string): { readonly [name: string]: unknown } =>
  parseStored(z.looseObject({}), text, 'the settings of a call')

export function itemOf(row: Record): StoredItem {
  return {
    id: String(row['item']),
    position: integer(row['position'], 'the place of an item'),
    source: integer(row['source'], 'the source of an item'),
    index: integer(row['item_index'], 'the number of an item'),
    stratum: integer(row['stratum'], 'the stratum of an item'),
    task: String(row['task']),
    version: integer(row['version'], 'the version of an item'),
    config: String(row['config']),
    draw: String(row['draw']),
    group: String(row['item_group']),
    given: parseJsonColumn(row['given']),
    answer: parseJsonColumn(row['answer']),
    features: featuresOf(row['features']),
    itemHash: String(row['item_hash']),
  }
}

/** What identifies a call beside its item. */
export const callOf = (row: Record) => ({
  style: String(row['style']),
  model: String(row['model']),
  settings: String(row['settings']),
  sample: Number(row['sample']),
})

/** @param sharedOf - what the items of a group share. */
export function leasedCallOf(row: Record, attempt: number, sharedOf: (group: string) => Json): LeasedCall {
  const item = itemOf(row)
  return { id: Number(row['call']), attempt, item, shared: sharedOf(item.group), ...callOf(row) }
}

export const OPEN_BATCH_COLUMNS = 'key, model, lines, provider_id, intended, submitted_at'

export const openBatchOf = (row: Record): OpenBatch => ({
  key: String(row['key']),
  model: String(row['model']),
  lines: Number(row['lines']),
  providerId: textOrNull(row['provider_id']),
  intended: Number(row['intended']),
  submittedAt: Number(row['submitted_at']),
})

/** Counts of rows with a state and their number `n`. */
export function countsOf(rows: readonly Record[]): Counts {
  const counts: { [state in CallState]: number } = { waiting: 0, leased: 0, batched: 0, done: 0, failed: 0 }
  for (const row of rows) counts[row['state'] as CallState] = Number(row['n'])
  return counts
}

export const textOrNull = (value: SQLOutputValue | undefined): string | null => (value == null ? null : String(value))
export const numberOrNull = (value: SQLOutputValue | undefined): number | null => (value == null ? null : Number(value))

/** The problem of an item, with its source and group. */
export interface StoredProblem {
  readonly item: string
  readonly source: number
  readonly group: string
  readonly problem: Problem<Json, Json, Json>
}

export const problemOf = (row: Record, shared: Json): StoredProblem => ({
  item: String(row['item']),
  source: Number(row['source']),
  group: String(row['item_group']),
  problem: { shared, given: parseJsonColumn(row['given']), answer: parseJsonColumn(row['answer']) },
})

export function responseOf(row: Record): StoredResponse {
  return {
    finish: row['finish'] as FinishReason,
    text: String(row['text']),
    reasoning: textOrNull(row['reasoning']),
    logprobs:
      row['logprobs'] === null
        ? null
        : parseStored(logprobs, String(row['logprobs']), 'the log-probabilities of a response'),
    usage: usageOf(row['usage']),
    raw: textOrNull(row['raw']),
  }
}

/** The outcome of a call that has none: all its attempts failed. */
export const unscoredOutcome = (record: Record): Outcome => ({
  kind: 'error',
  source: (record['error_source'] as 'provider' | null) ?? 'runner',
  code: String(record['code'] ?? 'unscored'),
  message: String(record['message'] ?? 'the response has not been scored'),
})
