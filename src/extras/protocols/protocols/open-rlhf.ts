import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import { MAX_TOKEN } from '../token.ts'

const texts = z.array(z.string().max(LIMITS.text)).max(LIMITS.scores)
const request = z.looseObject({
  query: texts.describe('prompt and response'),
  prompts: texts.optional(),
  labels: z.array(z.string().max(MAX_TOKEN)).max(LIMITS.scores).describe('tokens of the items'),
  trace: z.boolean().optional().describe('also check the reasoning steps; or /get_reward?trace=true'),
})

/** The query after its prompt; decoded tokens may precede the prompt. @throws HttpError */
function responseOf(query: string, prompt: string | undefined, i: number): string {
  if (prompt === undefined) return query
  const at = query.indexOf(prompt)
  if (at !== -1) return query.slice(at + prompt.length)
  // Else the prompt, which may name answers, would be scored.
  throw new HttpError(
    422,
    'unexpected-shape',
    `query.${i} does not hold prompts.${i}: send both as they are, or no prompts`,
  )
}

/** The remote reward model of OpenRLHF; labels are tokens. One response that cannot be scored fails the whole call. */
export const openRlhf: Protocol = {
  routes: [
    { method: 'post', path: '/get_reward', summary: 'OpenRLHF: rewards of queries; labels are tokens', body: request },
  ],
  mount(app, service) {
    app.post('/get_reward', async (context) => {
      const { query, prompts, labels, ...asked } = await readAs(context.req.raw, request)
      // OpenRLHF sends fixed keys, but any address.
      const trace = asked.trace ?? context.req.query('trace') === 'true'
      if (labels.length !== query.length || (prompts ?? query).length !== query.length)
        throw new HttpError(
          422,
          'bad-request',
          `got ${query.length} queries, ${(prompts ?? query).length} prompts and ${labels.length} labels: send one label (a token) per query`,
        )
      const answers = query.map((text, i) => ({
        token: labels[i] ?? '',
        text: responseOf(text, prompts?.[i], i),
        finish: 'unknown' as const,
        logprobs: null,
      }))
      const scores = await service.score(answers, 'strict', trace)
      const traces = scores.flatMap((one) => one.trace ?? [])
      const rewards = scores.map(({ reward, error }, i) => {
        if (reward !== null) return reward
        throw new HttpError(422, error?.code ?? 'no-reward', `label ${i}: ${error?.message ?? 'no reward'}`)
      })
      return context.json({
        rewards,
        scores: rewards,
        extra_logs: {
          lenient: scores.map((one) => one.scores['lenient'] ?? 0),
          unparsed: scores.map(({ status }) => Number(status === 'unparsed')),
          ...(traces.length < scores.length
            ? {}
            : {
                true_share: traces.map(({ trueShare }) => trueShare ?? 0),
                step_reward: traces.map(({ reward }) => reward),
              }),
        },
      })
    })
  },
}
