import { describe, expect, it } from 'vitest'
import { openScoringModel } from '../../../src/models/scoring/index.ts'
import { probing } from '../../../src/models/scoring/probe.ts'
import { type Behaviour, generatedOnly, loopback, shapes } from './loopback.ts'

const context = '\n312654\n312645\n'
const requests = [
  { context, text: '312654\n' },
  { context, text: '9\n' },
  { context: '\n', text: '312654\n' },
]

const echoWith =
  (change: (logprobs: (number | null)[], tokens: string[]) => void): Behaviour =>
  (scored, body, path) => {
    const answer = shapes.echo(scored, body, path) as {
      choices: { logprobs: { tokens: string[]; token_logprobs: (number | null)[] } }[]
    }
    const { tokens, token_logprobs } = answer.choices[0]!.logprobs
    change(token_logprobs, tokens)
    return answer
  }

describe('a remote server', () => {
  it.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'in the %s shape gives the embedded model’s numbers',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const remote = await openScoringModel('completions:tiny', { completions: { baseUrl: server.url } })
      const local = await openScoringModel('tiny')
      const [a, b] = [await remote.score(requests), await local.score(requests)]
      expect(a.map((list) => list.map((t) => t.text).join(''))).toEqual(requests.map((r) => r.text))
      for (const [i, list] of a.entries())
        for (const [j, token] of list.entries()) expect(token.logprob).toBeCloseTo(b[i]?.[j]?.logprob as number, 12)
      const before = server.requests()
      await remote.score(requests.slice(0, 1))
      expect(server.requests()).toBe(before + 1)
    },
  )

  it.each(Object.keys(shapes) as (keyof typeof shapes)[])(
    'in the %s shape is not asked more than is booked for finding out',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const remote = await openScoringModel('completions:tiny', { completions: { baseUrl: server.url } })
      await remote.score(requests.slice(0, 1))
      const prompts = server.sizes().reduce((sum, size) => sum + size, 0) - 1
      expect(prompts).toBeGreaterThan(2)
      expect(prompts).toBeLessThanOrEqual(probing(Object.keys(shapes).length).output)
    },
  )

  it.each(['prompt-logprobs', 'echo', 'sglang'] as const)(
    'in the %s shape scores several strings in a request',
    async (shape) => {
      await using server = await loopback(shapes[shape])
      const completions = { baseUrl: server.url, shape, batch: 4 }
      const remote = await openScoringModel('completions:tiny', { completions })
      const local = await openScoringModel('tiny')
      await remote.score(requests.slice(0, 1))
      const before = server.requests()
      const many = Array.from({ length: 11 }, (_, i) => ({ context, text: `${'312654'.slice(0, 1 + (i % 6))}\n` }))
      const wanted = await local.score(many)
      // Calls of their own, as a runner makes them: they are gathered all the same.
      const found = await Promise.all(many.map(async (request) => (await remote.score([request]))[0]))
      for (const [i, list] of found.entries())
        for (const [j, token] of (list ?? []).entries())
          expect(token.logprob).toBeCloseTo(wanted[i]?.[j]?.logprob as number, 12)
      // The requests go out together and may arrive in any order.
      expect(
        server
          .sizes()
          .slice(before)
          .toSorted((a, b) => a - b),
      ).toEqual([3, 4, 4])
    },
  )

  it.each(['first', 'refused'] as const)('that takes no lists of prompts (%s) is asked one by one', async (lists) => {
    await using server = await loopback(shapes.echo, lists)
    const remote = await openScoringModel('completions:tiny', { completions: { baseUrl: server.url, shape: 'echo' } })
    expect(await remote.score(requests)).toHaveLength(requests.length)
    expect(server.sizes().slice(-requests.length)).toEqual(requests.map(() => 1))
  })

  it('that fails at one string of a batch fails for that one alone', async () => {
    await using server = await loopback((scored, body, path) =>
      scored.at(-2)?.text === '9' && scored.length > 12 ? {} : shapes.echo(scored, body, path),
    )
    const remote = await openScoringModel('completions:tiny', { completions: { baseUrl: server.url, shape: 'echo' } })
    const settled = await Promise.allSettled(requests.map((request) => remote.score([request])))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it.each<[string, Behaviour, RegExp]>([
    ['silently ignores echo', generatedOnly, /does not score given strings \(it may ignore echo\)/u],
    ['answers a web page', () => '<html><body>hello</body></html>', /not JSON \(a web page\? check the base URL\)/u],
    ['gives NaN', echoWith((p) => p.fill(Number.NaN, 1)), /has no log-probability/u],
    ['gives positive log-probabilities', echoWith((p) => p.fill(0.5, 1)), /above 0/u],
    ['gives too few entries', echoWith((p) => p.splice(2)), /tokens and 2 log-probabilities/u],
    ['gives the same numbers to every string', echoWith((p) => p.fill(-1, 1)), /different strings have the same/u],
    [
      'gives unconditional numbers',
      echoWith((p) => {
        for (let i = 1; i < p.length; i++) p[i] = -1 - p.length + i / 100
      }),
      /another log-probability in a longer prompt/u,
    ],
    ['changes the prompt', echoWith((_, t) => t.fill('x')), /changes the prompt/u],
    ['knows no such route', () => null, /answered 404/u],
  ])('that %s is refused', async (_name, behaviour, message) => {
    await using server = await loopback(behaviour)
    const model = await openScoringModel('completions:tiny', { completions: { baseUrl: server.url, shape: 'echo' } })
    await expect(model.score(requests)).rejects.toThrow(message)
    await expect(model.score(requests)).rejects.toThrow(expect.objectContaining({ fault: 'cannot-score' }))
  })

  it('whose tokens straddle the start of the string is reported as such', async () => {
    const merging: Behaviour = (scored, body, path) => {
      // Merges the newline with what follows, as many tokenizers do.
      const merged: (typeof scored)[number][] = []
      for (const token of scored) {
        const last = merged.at(-1)
        if (last?.text === '\n' && token.text === '9')
          merged[merged.length - 1] = { id: 0, text: '\n9', logprob: (last.logprob ?? 0) + (token.logprob ?? 0) }
        else merged.push(token)
      }
      return shapes.tgi(merged, body, path)
    }
    await using server = await loopback(merging)
    const model = await openScoringModel('completions:tiny', { completions: { baseUrl: server.url, shape: 'tgi' } })
    await expect(model.score([{ context, text: '9\n' }])).rejects.toThrow(/"\\n9" straddles the start/u)
  })

  it('that is not there is an error worth a retry', async () => {
    const model = await openScoringModel('completions:x', { completions: { baseUrl: 'http://127.0.0.1:9/v1' } })
    await expect(model.score(requests)).rejects.toThrow(expect.objectContaining({ fault: 'http', retryable: true }))
  })
})

it.each([
  ['completions:x', {}, /needs a base URL/u],
  ['completions:x', { completions: { baseUrl: 'localhost:8000' } }, /looks like http/u],
  ['nothing', {}, /unknown scoring model "nothing"; there are tiny/u],
  ['gguf:/no/such/file.gguf', {}, /there is no GGUF file \/no\/such\/file\.gguf;/u],
  ['gguf:/no/such/file.gguf?threads=2&gpu=off', {}, /there is no GGUF file \/no\/such\/file\.gguf;/u],
  ['gguf:f.gguf?thread=2', {}, /contextSize, threads, gpu/u],
  ['gguf:f.gguf?threads=0', {}, /threads/u],
  ['gguf:f.gguf?gpu=yes', {}, /gpu/u],
])('spec %s with %j is refused', async (spec, options, message) => {
  await expect(openScoringModel(spec, options)).rejects.toThrow(message)
})
