import { z } from 'zod'
import { count, json, problem } from './values.ts'

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
    parts: z.record(z.string(), z.number()).optional(),
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
  /** The default parser. */
  parser: z.string(),
  sample: count,
  finish: z.string().nullable(),
  text: longText.nullable(),
  reasoning: longText.nullable(),
  logprobs: z.array(z.object({ text: z.string(), logprob: z.number() })).nullable(),
  usage: z.record(z.string(), json),
  /** null: not scored. */
  outcome: outcome.nullable(),
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
  /** Descriptions of features. */
  meanings: z.record(z.string(), z.string()),
  problem,
  prompts: z.array(z.object({ style: z.string(), request })),
  /** Why there are no prompts; null: there are. */
  promptless: z.string().nullable(),
  gold: z.string().nullable(),
  responses: z.array(responseDocument),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ItemDocument = z.infer<typeof itemDocument>
