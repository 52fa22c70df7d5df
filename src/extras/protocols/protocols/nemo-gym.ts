import { z } from 'zod'
import type { FinishReason } from '../../../core/index.ts'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import { type Scored, stepNumbers } from '../job.ts'
import { MAX_TOKEN } from '../token.ts'

/** The fields used of an OpenAI Responses object. */
const response = z.looseObject({
  status: z.enum(['completed', 'incomplete', 'failed', 'cancelled', 'queued', 'in_progress']).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  error: z.unknown().optional(),
  output: z
    .array(z.looseObject({ type: z.string().nullish(), role: z.string().nullish(), content: z.unknown().optional() }))
    .max(10_000),
})
type Response = z.infer<typeof response>

const row = z.looseObject({
  token: z.string().max(MAX_TOKEN),
  parser: z.string().max(128).default('strict'),
  trace: z.boolean().optional().describe('also check the reasoning steps, where the task can'),
})
const verifyRequest = row.extend({ responses_create_params: z.looseObject({}), response })
const aggregateRequest = z.looseObject({
  verify_responses: z.array(z.record(z.string(), z.unknown())).max(1_000_000),
})

/** The rows of a whole evaluation come in one body. */
const MAX_METRIC_KEYS = 128 * 1024

const part = z.looseObject({ type: z.string().nullish(), text: z.string().nullish() })
/** Parts that hold text; clients may leave out the type. */
const TEXT_PARTS: readonly unknown[] = ['output_text', 'text', undefined, null]
/** Reasons of a response that reached its limit of tokens. */
const LENGTHS: readonly unknown[] = ['max_output_tokens', 'max_tokens', 'length', undefined, null]

const unexpected = (what: string): HttpError =>
  new HttpError(422, 'unexpected-shape', `response.${what}: expected a response object of the OpenAI Responses API`)

/**
 * The text of the assistant's messages without their reasoning, and how it ended. A shape that no such response has is an
 * error of the trainer, and no answer of the model.
 *
 * @throws HttpError
 */
export function answerOf({ status, incomplete_details: details, error, output }: Response) {
  if ((error ?? null) !== null || !['completed', 'incomplete', undefined, null].includes(status))
    throw new HttpError(422, 'no-answer', `the response is ${status ?? 'an error'}: sample it again`)
  const messages: string[] = []
  let refused = details?.reason === 'content_filter'
  for (const [at, { type, role, content }] of output.entries()) {
    if ((type ?? 'message') !== 'message') {
      // Calls of tools and reasoning are no answer; a message under another name would be one.
      if (type !== 'reasoning' && (role ?? content ?? null) !== null)
        throw unexpected(`output.${at} is called "${type}"`)
      continue
    }
    if ((type ?? null) === null && (role ?? null) === null) throw unexpected(`output.${at} has neither type nor role`)
    if ((role ?? 'assistant') !== 'assistant') continue
    if (typeof content !== 'string' && !Array.isArray(content)) throw unexpected(`output.${at}.content is not text`)
    const pieces = (typeof content === 'string' ? [content] : (content as readonly unknown[])).map((piece, i) => {
      if (typeof piece === 'string') return piece
      const { data } = part.safeParse(piece)
      if (data?.type === 'refusal') refused = true
      else if (!TEXT_PARTS.includes(data?.type) || typeof data?.text !== 'string')
        throw unexpected(`output.${at}.content.${i} is no text`)
      return data.text ?? ''
    })
    messages.push(pieces.join(''))
  }
  if (messages.length === 0 && output.some(({ role }) => (role ?? 'assistant') !== 'assistant'))
    throw unexpected('output has no message of the assistant')
  if (output.length === 0 && status !== 'incomplete') throw unexpected('output is empty')
  if (!refused && (details ?? null) !== null && !LENGTHS.includes(details?.reason))
    throw new HttpError(422, 'no-answer', `the response is incomplete (${details?.reason}): sample it again`)
  const finish: FinishReason = refused
    ? 'refused'
    : status === 'incomplete' || (details ?? null) !== null
      ? 'truncated'
      : 'stop'
  return { text: messages.join('\n'), finish }
}

/**
 * A resources server of NeMo-Gym, also used by verifiers and prime-rl. The whole row is echoed, since they read their own
 * keys from it. A response that cannot be scored is an HTTP error, never a reward.
 */
export const nemoGym: Protocol = {
  routes: [
    { method: 'post', path: '/seed_session', summary: 'NeMo-Gym: start of a rollout (no effect)', body: row },
    { method: 'post', path: '/verify', summary: 'NeMo-Gym: the reward of a response', body: verifyRequest },
    {
      method: 'post',
      path: '/aggregate_metrics',
      summary: 'NeMo-Gym: means of rewards and numbers',
      body: aggregateRequest,
    },
    { method: 'get', path: '/reverify_mode', summary: 'NeMo-Gym: responses can be verified again at any time' },
  ],
  mount(app, service) {
    app.post('/seed_session', async (context) => {
      await readAs(context.req.raw, row)
      return context.json({})
    })
    app.get('/reverify_mode', (context) => context.json('stateless'))
    app.post('/verify', async (context) => {
      const request = await readAs(context.req.raw, verifyRequest)
      const { text, finish } = answerOf(request.response)
      if (text.length > LIMITS.text)
        throw new HttpError(413, 'too-large', `a text has at most ${LIMITS.text} characters`)
      const { token, parser, trace = false } = request
      const [scored] = await service.score([{ token, text, finish, logprobs: null }], parser, trace)
      return context.json({ ...request, ...rewardFields(scored) })
    })
    app.post('/aggregate_metrics', async (context) => {
      const { verify_responses: responses } = await readAs(context.req.raw, aggregateRequest, MAX_METRIC_KEYS)
      return context.json(aggregate(responses))
    })
  },
}

/** Clients average numbers, so statuses are also sent as 0 or 1. */
function rewardFields(scored: Scored | undefined) {
  if (scored === undefined || scored.reward === null) {
    const { code, message } = scored?.error ?? { code: 'no-reward', message: 'log-likelihood tasks have no reward' }
    throw new HttpError(code === 'worker-lost' || code === 'not-scored' ? 503 : 422, code, message)
  }
  const { reward, status, scores, subscores } = scored
  return {
    reward,
    ...(Object.keys(subscores).length === 0 ? {} : { reward_components: subscores }),
    status,
    strict: scores['strict'] ?? 0,
    lenient: scores['lenient'] ?? 0,
    unparsed: Number(status === 'unparsed'),
    truncated: Number(status === 'truncated'),
    refused: Number(status === 'refused'),
    ...(scored.trace === undefined ? {} : { ...stepNumbers(scored.trace), steps_checked: scored.trace }),
  }
}

const TASK_INDEX = '_ng_task_index'

function aggregate(responses: readonly { readonly [name: string]: unknown }[]) {
  const indexed = responses.filter((one) => typeof one[TASK_INDEX] === 'number')
  const groups = Map.groupBy(indexed, (one) => one[TASK_INDEX])
  const metrics = means(responses)
  return {
    group_level_metrics: [...groups].map(([index, group]) => ({ [TASK_INDEX]: index, ...means(group) })),
    agent_metrics: metrics,
    key_metrics: 'mean/reward' in metrics ? { 'mean/reward': metrics['mean/reward'] } : {},
  }
}

/** Means of the top-level numbers of rows. */
function means(rows: readonly { readonly [name: string]: unknown }[]): { readonly [name: string]: number } {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      const number = typeof value === 'boolean' ? Number(value) : value
      if (typeof number !== 'number' || name.startsWith('_ng_')) continue
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: sum + number, count: count + 1 })
    }
  return Object.fromEntries([...sums].map(([name, { sum, count }]) => [`mean/${name}`, sum / count]))
}
