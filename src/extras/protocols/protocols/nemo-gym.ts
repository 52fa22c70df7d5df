import { z } from 'zod'
import type { FinishReason } from '../../../core/index.ts'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import type { Scored } from '../job.ts'
import { MAX_TOKEN } from '../token.ts'

/** An OpenAI Responses object, as far as it is read. */
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

/** Statuses of a response that its model did not end: what stands in it is nobody's answer. */
const UNENDED: readonly unknown[] = ['failed', 'cancelled', 'queued', 'in_progress']

/** How the model stopped, by the fields of a response. */
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
 * A resources server of NeMo-Gym, which verifiers and prime-rl speak to as well. The whole row is echoed, since they read their own keys
 * from it. What could not be judged is an error of the request, never a reward.
 */
export const nemoGym: Protocol = {
  routes: [
    { method: 'post', path: '/seed_session', summary: 'NeMo-Gym: a rollout begins; nothing to be done', body: row },
    { method: 'post', path: '/verify', summary: 'NeMo-Gym: the reward of a response', body: verifyRequest },
    {
      method: 'post',
      path: '/aggregate_metrics',
      summary: 'NeMo-Gym: means of rewards and numbers',
      body: aggregateRequest,
    },
    { method: 'get', path: '/reverify_mode', summary: 'NeMo-Gym: answers can be verified again at any time' },
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
      if (UNENDED.includes(status))
        throw new HttpError(422, 'no-answer', `the response is ${status}: nothing was answered, sample it again`)
      const answer = { token, text, finish: finishOf(request.response), logprobs: null }
      const [scored] = await service.score([answer], parser)
      return context.json({ ...request, ...verdictOf(scored) })
    })
    app.post('/aggregate_metrics', async (context) => {
      const { verify_responses: responses } = await readAs(context.req.raw, aggregateRequest)
      return context.json(aggregated(responses))
    })
  },
}

/** Numbers are taken as metrics, so states are numbers as well. */
function verdictOf(scored: Scored | undefined) {
  if (scored === undefined || scored.reward === null) {
    const { code, message } = scored?.trouble ?? { code: 'no-reward', message: 'this task measures; it has no reward' }
    throw new HttpError(code === 'worker-lost' || code === 'not-scored' ? 503 : 422, code, message)
  }
  const { reward, state, grades, parts } = scored
  return {
    reward,
    ...(Object.keys(parts).length === 0 ? {} : { reward_components: parts }),
    state,
    strict: grades['strict'] ?? 0,
    lenient: grades['lenient'] ?? 0,
    unparsed: Number(state === 'unparsed'),
    truncated: Number(state === 'truncated'),
    refused: Number(state === 'refused'),
  }
}

const TASK_INDEX = '_ng_task_index'

function aggregated(responses: readonly { readonly [name: string]: unknown }[]) {
  const groups = new Map<number, (typeof responses)[number][]>()
  for (const one of responses) {
    const index = one[TASK_INDEX]
    if (typeof index !== 'number') continue
    const group = groups.get(index)
    if (group === undefined) groups.set(index, [one])
    else group.push(one)
  }
  const metrics = means(responses)
  return {
    group_level_metrics: [...groups].map(([index, group]) => ({ [TASK_INDEX]: index, ...means(group) })),
    agent_metrics: metrics,
    key_metrics: 'mean/reward' in metrics ? { 'mean/reward': metrics['mean/reward'] } : {},
  }
}

/** Means of the numbers that rows have at their top. */
function means(rows: readonly { readonly [name: string]: unknown }[]): { readonly [name: string]: number } {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) {
      const number = typeof value === 'boolean' ? Number(value) : value
      if (typeof number !== 'number' || name.startsWith('_ng_')) continue
      const so = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: so.sum + number, count: so.count + 1 })
    }
  return Object.fromEntries([...sums].map(([name, { sum, count }]) => [`mean/${name}`, sum / count]))
}
