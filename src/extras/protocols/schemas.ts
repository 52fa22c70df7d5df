import { z } from 'zod'
import { LIMITS } from './http.ts'
import { MAX_TOKEN } from './token.ts'

/** What clients send to the routes of our own. Unknown keys are refused. */

const name = z.string().min(1).max(128)
/** Any JSON; it has a name, since it is defined by itself. */
export const anyJson = z.json().meta({ id: 'Json' })

export const contentShape = {
  task: name.describe('as GET /v1/tasks lists it'),
  preset: name.optional().describe('a named config; left out: config, else the defaults of the task'),
  config: z.record(z.string(), anyJson).optional().describe('keys of the config, instead of a preset'),
  split: name.optional().describe('train, unless the server serves others'),
  seed: z
    .union([z.string().max(1024), z.int()])
    .optional()
    .describe('any text or integer; left out: 1. Items are made from it and the secret of the server'),
  style: name.optional().describe('how the question is put; left out: the first of the task'),
}

const index = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const itemsRequest = z.strictObject({
  ...contentShape,
  index: index.optional().describe('the first index; left out: 0'),
  count: z.int().min(1).max(LIMITS.items).optional().describe('how many indices from there on; left out: 1'),
  indices: z.array(index).min(1).max(LIMITS.items).optional().describe('these indices, instead of index and count'),
})
export type ItemsRequest = z.infer<typeof itemsRequest>

/** What a model did. */
const responseShape = {
  text: z
    .string()
    .max(LIMITS.text)
    .optional()
    .describe('what the model answered; left out only of tasks that measure log-probabilities'),
  finish: z
    .enum(['stop', 'truncated', 'refused', 'unknown'])
    .default('unknown')
    .describe('how the model stopped: what was cut off or refused has the reward 0'),
  logprobs: z
    .array(z.strictObject({ text: z.string(), logprob: z.number() }))
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe('of tasks that measure log-probabilities (nats): one entry a token'),
}

/** An answer that was left out is nobody's, and no empty one: it would be a wrong one. */
const answered = <T extends { readonly text?: string | undefined; readonly logprobs: object | null }>(
  shape: z.ZodType<T>,
) =>
  shape
    .refine(({ text, logprobs }) => text !== undefined || logprobs !== null, {
      path: ['text'],
      message: 'missing: what the model answered (an empty answer is "")',
    })
    .transform(({ text = '', ...said }) => ({ ...said, text }))

const token = z.string().max(MAX_TOKEN).describe('of the item')
const answer = answered(z.strictObject({ token, ...responseShape }))
export type Answer = z.infer<typeof answer>

export const scoreRequest = z.strictObject({
  items: z.array(answer).min(1).max(LIMITS.scores),
  parser: name.default('strict').describe('whose reading is the reward'),
  trace: z.boolean().default(false).describe('also check the steps of the answers, where the task can'),
})

/** A line that `grade` reads: by token, or by what `generate` knows the item by. Other keys are passed over. */
const lineByToken = answered(z.object({ token, ...responseShape }))
const lineByIndex = answered(z.object({ ...contentShape, index, ...responseShape }))
export const gradeLine = (value: unknown): z.ZodType<z.infer<typeof lineByToken> | z.infer<typeof lineByIndex>> =>
  typeof value === 'object' && value !== null && 'token' in value ? lineByToken : lineByIndex

const numbers = z.record(z.string(), z.number())

export const scored = z.strictObject({
  state: z.enum(['graded', 'unparsed', 'truncated', 'refused', 'measured', 'failed']),
  reward: z.number().nullable().describe('0 to 1; null where nothing was judged: trouble is never a zero'),
  grades: z.record(z.string(), z.number().nullable()).describe('by parser; null: nothing was read'),
  parts: numbers.describe('parts of the grade, by name'),
  reading: z
    .strictObject({ parser: z.string(), answer: anyJson, rule: z.string(), span: z.tuple([z.int(), z.int()]) })
    .nullable()
    .describe('what was read, by which rule, from which characters'),
  reason: z.string().nullable().describe('why nothing was read'),
  values: numbers.describe('of tasks that measure log-probabilities'),
  trouble: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  trace: z
    .strictObject({
      steps: z.int().describe('statements that can be checked'),
      trueSteps: z.int().describe('those that are true of the problem'),
      firstFalse: z.tuple([z.int(), z.int()]).nullable().describe('where the first false one stands'),
      unknown: z.array(z.string()).describe('names that the problem does not have'),
      supportsAnswer: z
        .boolean()
        .nullable()
        .describe('do true steps give the answer that was read? null: none decides'),
    })
    .optional(),
})
export const scoreAnswer = z.strictObject({ scores: z.array(scored) })

const message = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })
const item = z.union([
  z.strictObject({ index, token: z.string(), messages: z.array(message) }),
  z.strictObject({ index, token: z.string(), context: z.string(), text: z.string() }),
  z.strictObject({ index, hole: z.string().describe('why this index holds no item') }),
  z.strictObject({ index, trouble: z.string().describe('why the item could not be made') }),
])
export type ServedItem = z.infer<typeof item>
export const itemsAnswer = z.strictObject({ items: z.array(item) })

export const tasksAnswer = z.strictObject({
  splits: z.array(z.string()).describe('that this server serves; the first unless said'),
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

export const problem = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string() }),
  detail: z.string().describe('the message again, where other servers have it'),
})
