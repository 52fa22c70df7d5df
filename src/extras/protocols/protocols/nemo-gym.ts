import { z } from 'zod'
import type { FinishReason } from '../../../core/index.ts'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import type { Scored } from '../job.ts'
import { MAX_TOKEN } from '../token.ts'

/** The fields used of an OpenAI Responses object. */
const response = z.looseObject({
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z.array(z.looseObject({ type: z.string().optional(), content: z.unknown().optional() })).max(10_000),
})
type Response = z.infer<typeof response>

const row = z.looseObject({ token: z.string().max(MAX_TOKEN), parser: z.string().max(128).default('strict') })
const verifyRequest = row.extend({ responses_create_params: z.looseObject({}), response })
const aggregateRequest = z.looseObject({
  verify_responses: z.array(z.record(z.string(), z.unknown())).max(1_000_000),
})

/** The rows of a whole evaluation come in one body. */
const MAX_METRIC_KEYS = 128 * 1024

const part = z.looseObject({ type: z.string().optional(), text: z.string().optional() })

/** The text of the messages of a response, without its reasoning. */
export function textOf({ output }: Pick<Response, 'output'>): string {
  const pieces: string[] = []
  for (const { type, content } of output) {
    if (type !== 'message') continue
    if (typeof content === 'string') pieces.push(content)
    else if (Array.isArray(content))
      for (const piece of content) {
        const read = part.safeParse(piece)
        if (read.success && read.data.type === 'output_text') pieces.push(read.data.text ?? '')
      }
  }
  return pieces.join('')
}

/** Statuses of responses that the model did not finish. */
const UNFINISHED: readonly unknown[] = ['failed', 'cancelled', 'queued', 'in_progress']

export function finishOf({ status, incomplete_details: details, output }: Response): FinishReason {
  if (details?.reason === 'content_filter') return 'refused'
  if (status === 'incomplete' || (details ?? null) !== null) return 'truncated'
  const refused = output.some(
    ({ type, content }) =>
      type === 'message' &&
      Array.isArray(content) &&
      content.some((piece) => part.safeParse(piece).data?.type === 'refusal'),
  )
  return refused ? 'refused' : 'stop'
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
      const text = textOf(request.response)
      if (text.length > LIMITS.text)
        throw new HttpError(413, 'too-large', `a text has at most ${LIMITS.text} characters`)
      const { token, parser } = request
      const { status } = request.response
      if (UNFINISHED.includes(status))
        throw new HttpError(422, 'no-answer', `the response is ${status}: sample it again`)
      const answer = { token, text, finish: finishOf(request.response), logprobs: null }
      const [scored] = await service.score([answer], parser)
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
