import type { SQLOutputValue } from 'node:sqlite'
import { z } from 'zod'
import type { Features, Finish, Json, Outcome, Problem, TokenLogprob } from '../core/index.ts'
import { StoreError } from './errors.ts'
import type { StoredItem, StoredResponse, Usage } from './run-store.ts'
import type { Record } from './sql.ts'

/**
 * What this program wrote down as JSON, in a ledger or a store, read again.
 *
 * @param what - what it says, for the message: `what the ledger says of ...`
 * @throws StoreError for what somebody else wrote.
 */
export function written<T>(schema: z.ZodType<T>, text: string, what: string): T {
  const value = jsonOf(text)
  // As it was written: no order of keys is changed.
  if (schema.safeParse(value).success) return value as T
  throw new StoreError('damaged', `${what} is not what this program writes: ${text.slice(0, 100)}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The columns of an item, of the table alias `i`, as {@link itemOf} reads them. */
export const ITEM_COLUMNS =
  'i.ord, i.id AS item, i.source, i.idx, i.stratum, i.task, i.version, i.config, i.draw, i.grp, i.given, i.answer, i.features, i.leaf'

/** Answers and what is given are of the task's own shape. @throws StoreError for what somebody else wrote. */
export function json(value: SQLOutputValue | undefined): Json {
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

/** By hand, for it is asked of every row of a report. */
const features = z.custom<Features>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((one) => typeof one !== 'object' || one === null),
)
// A count that is none, from a source that was not checked, is unknown: one odd answer must not hide all others.
const usage = z.looseObject({ usd: z.number().nullish(), refused: z.array(z.string()).nullish() })
const logprobs: z.ZodType<readonly TokenLogprob[]> = z.array(z.object({ text: z.string(), logprob: z.number() }))
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
  z.object({ kind: z.literal('answered'), finish, verdicts: z.record(z.string(), verdict) }),
  z.object({ kind: z.literal('measured'), values: z.record(z.string(), z.number()) }),
  z.object({
    kind: z.literal('failed'),
    boundary: z.enum(['provider', 'task', 'runner']),
    code: z.string(),
    message: z.string(),
  }),
])

/** @throws StoreError for what somebody else wrote, as all below. */
export const outcomeOf = (text: SQLOutputValue): Outcome => written(outcome, String(text), 'the outcome of a cell')
export const outcomeIn = ({ outcome: text }: Record): Outcome | null =>
  text === null || text === undefined ? null : outcomeOf(text)
export const usageOf = (text: SQLOutputValue | undefined): Usage =>
  written(usage as unknown as z.ZodType<Usage>, String(text), 'the usage of a call')
export const featuresOf = (text: SQLOutputValue | undefined): Features =>
  written(features, String(text), 'the features of an item')
/** What a cell asks a model with, as the ledger keeps it. */
export const settingsIn = (text: string): { readonly [name: string]: unknown } =>
  written(z.looseObject({}), text, 'the settings of a cell')

export function itemOf(row: Record): StoredItem {
  return {
    id: String(row['item']),
    ord: integer(row['ord'], 'the place of an item'),
    source: integer(row['source'], 'the source of an item'),
    index: integer(row['idx'], 'the number of an item'),
    stratum: integer(row['stratum'], 'the stratum of an item'),
    task: String(row['task']),
    version: integer(row['version'], 'the version of an item'),
    config: String(row['config']),
    draw: String(row['draw']),
    group: String(row['grp']),
    given: json(row['given']),
    answer: json(row['answer']),
    features: featuresOf(row['features']),
    leaf: String(row['leaf']),
  }
}

/** What an item asks and the answer to it, and where it belongs. */
export interface StoredProblem {
  readonly source: number
  readonly group: string
  readonly problem: Problem<Json, Json, Json>
}

export const problemOf = (row: Record, shared: Json): StoredProblem => ({
  source: Number(row['source']),
  group: String(row['grp']),
  problem: { shared, given: json(row['given']), answer: json(row['answer']) },
})

export function responseOf(row: Record): StoredResponse {
  return {
    finish: row['finish'] as Finish,
    text: String(row['text']),
    reasoning: row['reasoning'] === null ? null : String(row['reasoning']),
    logprobs:
      row['logprobs'] === null
        ? null
        : written(logprobs, String(row['logprobs']), 'the log-probabilities of a response'),
    usage: usageOf(row['usage']),
    raw: row['raw'] === null || row['raw'] === undefined ? null : String(row['raw']),
  }
}

/** A cell without an outcome is one whose attempts all failed. */
export const unscored = (record: Record): Outcome => ({
  kind: 'failed',
  boundary: (record['boundary'] as 'provider' | null) ?? 'runner',
  code: String(record['code'] ?? 'unscored'),
  message: String(record['message'] ?? 'the response has not been scored'),
})
