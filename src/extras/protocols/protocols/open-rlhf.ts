import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import { MAX_TOKEN } from '../token.ts'

const texts = z.array(z.string().max(LIMITS.text)).max(LIMITS.scores)
const request = z.looseObject({
  query: texts.describe('prompt and answer'),
  prompts: texts.optional(),
  labels: z.array(z.string().max(MAX_TOKEN)).max(LIMITS.scores).describe('tokens of the items'),
})

/** What the model wrote: the query after its prompt. Decoded tokens may have marks before it, and a query may come without. */
function answerOf(query: string, prompt: string): string {
  const at = query.indexOf(prompt)
  return at === -1 ? query : query.slice(at + prompt.length)
}

/** The remote reward model of OpenRLHF: labels are tokens. Any answer that cannot be judged refuses the whole call. */
export const openRlhf: Protocol = {
  routes: [
    { method: 'post', path: '/get_reward', summary: 'OpenRLHF: rewards of queries; labels are tokens', body: request },
  ],
  mount(app, service) {
    app.post('/get_reward', async (context) => {
      const { query, prompts = [], labels } = await readAs(context.req.raw, request)
      if (labels.length !== query.length)
        throw new HttpError(
          422,
          'bad-request',
          `${query.length} queries and ${labels.length} labels: each has a token as its label`,
        )
      const answers = query.map((text, i) => ({
        token: labels[i] ?? '',
        text: answerOf(text, prompts[i] ?? ''),
        finish: 'unknown' as const,
        logprobs: null,
      }))
      const scores = await service.score(answers, 'strict')
      const rewards = scores.map(({ reward, trouble }, i) => {
        if (reward !== null) return reward
        throw new HttpError(
          422,
          trouble?.code ?? 'no-reward',
          `label ${i}: ${trouble?.message ?? 'this task has no reward'}`,
        )
      })
      const share = (state: string): number[] => scores.map((one) => Number(one.state === state))
      return context.json({
        rewards,
        scores: rewards,
        extra_logs: { lenient: scores.map(({ grades }) => grades['lenient'] ?? 0), unparsed: share('unparsed') },
      })
    })
  },
}
