import { z } from 'zod'
import type { Json, JsonObject } from '../../core/index.ts'
import { LIMITS } from './http.ts'
import { MAX_TOKEN } from './token.ts'

/** Requests and responses of the routes under `/v1`. Unknown keys are rejected. */

const name = z.string().min(1).max(128)
/** Any JSON; named because its JSON Schema refers to itself. */
export const anyJson = z.json().meta({ id: 'Json' })

/** A parsed body is JSON already, and a config is checked by its task. */
const config = z.looseObject({}).transform((value) => value as JsonObject)

export const contentShape = {
  task: name.describe('name, as listed by GET /v1/tasks'),
  preset: name.optional().describe('named config (default: config, else the defaults of the task)'),
  config: config.optional().describe('parameters, instead of a preset'),
  split: name.optional().describe('split (default: the first that the server serves)'),
  seed: z
    .union([z.string().max(1024), z.int()])
    .optional()
    .describe('text or integer (default: 1); hashed with the secret of the server'),
  style: name.optional().describe('prompt style (default: the first of the task)'),
}

const index = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const itemsRequest = z.strictObject({
  ...contentShape,
  index: index.optional().describe('first index (default: 0)'),
  count: z.int().min(1).max(LIMITS.items).optional().describe('number of consecutive indices (default: 1)'),
  indices: z.array(index).min(1).max(LIMITS.items).optional().describe('list of indices, instead of index and count'),
})
export type ItemsRequest = z.infer<typeof itemsRequest>

/** The response of a model. */
const responseShape = {
  text: z
    .string()
    .max(LIMITS.text)
    .optional()
    .describe('response of the model; optional only for log-likelihood tasks'),
  finish: z
    .enum(['stop', 'truncated', 'refused', 'unknown'])
    .default('unknown')
    .describe('why the model stopped; truncated and refused responses have the reward 0'),
  logprobs: z
    .array(z.strictObject({ text: z.string(), logprob: z.number() }))
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('for log-likelihood tasks: one entry per token, in nats'),
}

/** A missing text is an error; an empty text is a response. */
const withText = <T extends { readonly text?: string | undefined; readonly logprobs: object | null }>(
  shape: z.ZodType<T>,
) =>
  shape
    .refine(({ text, logprobs }) => text !== undefined || logprobs !== null, {
      path: ['text'],
      message: 'missing: the response of the model (an empty response is "")',
    })
    .transform(({ text = '', ...rest }) => ({ ...rest, text }))

const token = z.string().max(MAX_TOKEN).describe('token of the item')
const answer = withText(z.strictObject({ token, ...responseShape }))
export type Answer = z.infer<typeof answer>

export const scoreRequest = z.strictObject({
  items: z.array(answer).min(1).max(LIMITS.scores),
  parser: name.default('strict').describe('parser whose score is the reward'),
  trace: z.boolean().default(false).describe('also check the reasoning steps, where the task can'),
})

/** A line of `grade`: an item by its token, or by task, config, split, seed and index. Other keys are ignored. */
const lineByToken = withText(z.object({ token, ...responseShape }))
const lineByIndex = withText(z.object({ ...contentShape, index, ...responseShape }))
export const gradeLine = (value: unknown): z.ZodType<z.infer<typeof lineByToken> | z.infer<typeof lineByIndex>> =>
  typeof value === 'object' && value !== null && 'token' in value ? lineByToken : lineByIndex

const numbers = z.record(z.string(), z.number())

export const scored = z.strictObject({
  status: z.enum(['graded', 'unparsed', 'truncated', 'refused', 'loglikelihood', 'error']),
  reward: z.number().nullable().describe('0 to 1; null: not scored (an error is never a zero)'),
  scores: z.record(z.string(), z.number().nullable()).describe('by parser; null: unparsed'),
  subscores: numbers.describe('named parts of the score'),
  prediction: z
    .strictObject({
      parser: z.string(),
      answer: anyJson as z.ZodType<Json>,
      rule: z.string(),
      span: z.tuple([z.int(), z.int()]).readonly(),
    })
    .nullable()
    .describe('the parsed answer, the rule that found it and its characters'),
  reason: z.string().nullable().describe('why the response is unparsed'),
  values: numbers.describe('metrics of log-likelihood tasks'),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  trace: z
    .strictObject({
      steps: z.int().describe('steps that can be checked'),
      trueSteps: z.int().describe('steps that are true of the problem'),
      firstFalse: z.tuple([z.int(), z.int()]).readonly().nullable().describe('characters of the first false step'),
      unknown: z.array(z.string()).readonly().describe('names that do not occur in the problem'),
      supportsAnswer: z.boolean().nullable().describe('true steps give the prediction; null: undecided'),
      trueShare: z.number().nullable().describe('share of true steps; null: no step was stated'),
      reward: z
        .number()
        .describe('reward of the answer where every stated step is true and one gives the prediction; else 0'),
    })
    .optional(),
})
export const scoreAnswer = z.strictObject({ scores: z.array(scored) })

const message = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })
const item = z.union([
  z.strictObject({ index, token: z.string(), messages: z.array(message) }),
  z.strictObject({ index, token: z.string(), context: z.string(), text: z.string() }),
  z.strictObject({ index, empty: z.string().describe('why this index holds no item') }),
  z.strictObject({ index, error: z.string().describe('why the item could not be drawn') }),
])
export type ServedItem = z.infer<typeof item>
export const itemsAnswer = z.strictObject({ items: z.array(item) })

export const tasksAnswer = z.strictObject({
  splits: z.array(z.string()).describe('splits of this server; the first is the default'),
  tasks: z.array(
    z.strictObject({
      task: z.string(),
      version: z.int(),
      summary: z.string(),
      styles: z.array(z.string()),
      parsers: z.array(z.string()),
      presets: z.array(z.strictObject({ name: z.string(), summary: z.string() })),
    }),
  ),
})

export const errorBody = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string() }),
  detail: z.string().describe('the message again, where other servers put it'),
})
