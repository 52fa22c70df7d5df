import { z } from 'zod'
import type { Protocol } from '../app.ts'
import { HttpError, LIMITS, readAs } from '../http.ts'
import { MAX_TOKEN } from '../token.ts'

const texts = z.array(z.string().max(LIMITS.text)).max(LIMITS.scores)
const request = z.looseObject({
  query: texts.describe('prompt and response'),
  prompts: texts.optional(),
  labels: z.array(z.string().max(MAX_TOKEN)).max(LIMITS.scores).describe('tokens of the items'),
})

/** The query after its prompt. Decoded tokens may precede the prompt, and a query may come without one. */
function responseOf(query: string, prompt: string): string {
  const at = query.indexOf(prompt)
  return at === -1 ? query : query.slice(at + prompt.length)
}

/** The remote reward model of OpenRLHF; labels are tokens. One response that cannot be scored fails the whole call. */
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
          `got ${query.length} queries and ${labels.length} labels: send one label (a token) per query`,
        )
      const answers = query.map((text, i) => ({
        token: labels[i] ?? '',
        text: responseOf(text, prompts[i] ?? ''),
        finish: 'unknown' as const,
        logprobs: null,
      }))
      const scores = await service.score(answers, 'strict')
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
        },
      })
    })
  },
}
