import { z } from 'zod/mini'
import { count, json, problem, troubles } from './values.ts'

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })

const request = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chat'), messages: z.array(message) }),
  z.object({ kind: z.literal('score'), context: z.string(), text: z.string() }),
])
export type ShownRequest = z.infer<typeof request>

const verdict = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('graded'),
    value: z.number(),
    answer: json,
    rule: z.string(),
    span: z.tuple([z.number(), z.number()]),
    parts: z.optional(z.record(z.string(), z.number())),
  }),
  z.object({ kind: z.literal('unparsed'), reason: z.string() }),
])
export type ShownVerdict = z.infer<typeof verdict>

const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answered'),
    finish: z.enum(['stop', 'truncated', 'refused', 'unknown']),
    results: z.record(z.string(), verdict),
  }),
  z.object({ kind: z.literal('measured'), values: z.record(z.string(), z.number()) }),
  z.object({ kind: z.literal('error'), source: z.string(), code: z.string(), message: z.string() }),
])
export type ShownOutcome = z.infer<typeof outcome>

/** A text, possibly shortened; `length` is that of the whole in characters. */
const longText = z.object({ text: z.string(), length: count })

const responseDocument = z.object({
  cell: count,
  style: z.string(),
  model: z.string(),
  settings: z.string(),
  parser: z.string(),
  sample: count,
  finish: z.nullable(z.string()),
  text: z.nullable(longText),
  reasoning: z.nullable(longText),
  logprobs: z.nullable(z.array(z.object({ text: z.string(), logprob: z.number() }))),
  usage: z.record(z.string(), json),
  /** null: not scored. */
  outcome: z.nullable(outcome),
})
export type ShownResponse = z.infer<typeof responseDocument>

export const itemDocument = z.object({
  schema: z.literal('touchstone/view-item/1'),
  id: z.string(),
  index: count,
  task: z.string(),
  version: count,
  config: z.string(),
  group: z.string(),
  features: z.record(z.string(), json),
  meanings: z.record(z.string(), z.string()),
  problem,
  prompts: z.array(z.object({ style: z.string(), request })),
  /** Why there are no prompts; null: there are. */
  promptless: z.nullable(z.string()),
  gold: z.nullable(z.string()),
  responses: z.array(responseDocument),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type ItemDocument = z.infer<typeof itemDocument>

/** Outcomes of the samples of one model on one item. */
const tally = z.object({
  model: z.string(),
  samples: count,
  right: count,
  wrong: count,
  ...troubles,
  /** Mean tokens and seconds of a response; null: unknown. */
  tokens: z.nullable(z.number()),
  seconds: z.nullable(z.number()),
  answers: z.array(z.object({ answer: z.string(), count })),
  /** Mean of the first metric of a scored string. */
  measured: z.nullable(z.number()),
})
export type Tally = z.infer<typeof tally>

export const itemsPage = z.object({
  schema: z.literal('touchstone/view-items/1'),
  parser: z.string(),
  /** Models, with how many of their responses to the items are correct, before any selection by outcome. */
  models: z.array(z.object({ name: z.string(), right: count, of: count })),
  /** Rows that match the other conditions, by outcome. */
  counts: z.object({ all: count, wrong: count, differ: count, ...troubles }),
  /** First metric of scored strings; null: none. */
  measure: z.nullable(z.string()),
  /** True if some items have several prompt styles; each then has one row per style. */
  styled: z.boolean(),
  total: count,
  all: count,
  /** Prompts that could not be searched because the installed task writes other ones. */
  lost: count,
  offset: count,
  rows: z.array(
    z.object({
      item: z.string(),
      index: count,
      task: z.string(),
      group: z.string(),
      config: z.string(),
      style: z.string(),
      /** What is asked, and what is given, in one line each; empty: the prompt cannot be reproduced. */
      question: z.string(),
      given: z.string(),
      truth: z.nullable(z.string()),
      features: z.record(z.string(), json),
      tallies: z.array(tally),
    }),
  ),
})
export type ItemsPage = z.infer<typeof itemsPage>

export type ItemRow = ItemsPage['rows'][number]

/** Position of an item among those that match a filter; other styles of it are skipped. */
export const itemNeighbours = z.object({
  schema: z.literal('touchstone/view-neighbours/1'),
  /** Row from 0; null: no match. */
  at: z.nullable(count),
  total: count,
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type ItemNeighbours = z.infer<typeof itemNeighbours>
