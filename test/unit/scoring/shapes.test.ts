import { expect, it } from 'vitest'
import { openScoringModel } from '../../../src/models/scoring/index.ts'
import { probing } from '../../../src/models/scoring/probe.ts'
import { responseShapes } from '../../../src/models/scoring/shapes.ts'
import { loopback, shapes } from './loopback.ts'

it('each shape asks for the next token of certain text, and for one token, as its server documents', () => {
  const { echo, tgi } = responseShapes
  expect(echo.body('m', ['a'])).toEqual({
    model: 'm',
    prompt: 'a',
    max_tokens: 1,
    temperature: 0,
    echo: true,
    logprobs: 1,
  })
  expect(responseShapes['prompt-logprobs'].body('m', ['a', 'b'])).toEqual({
    model: 'm',
    prompt: ['a', 'b'],
    max_tokens: 1,
    temperature: 0,
    prompt_logprobs: 0,
    return_token_ids: true,
  })
  expect(tgi.body('m', ['a'])).toMatchObject({ inputs: 'a', parameters: { max_new_tokens: 1 } })
})

const echoed = (tokens: string[], token_logprobs: (number | null)[], text_offset?: number[]) => ({
  choices: [{ logprobs: { tokens, token_logprobs, ...(text_offset === undefined ? {} : { text_offset }) } }],
})

it('offsets tell the generated token, even where the last token of the prompt is spelled as nothing', () => {
  const read = (json: unknown) => responseShapes.echo.read(json, ['aé'])[0]?.map(({ logprob }) => logprob)
  expect(read(echoed(['a', 'é', '', '9'], [null, -1, -2, -3], [0, 1, 1, 2]))).toEqual([null, -1, -2])
  // Without offsets, or with those of another text, the spelled length is all there is.
  expect(read(echoed(['a', 'é', '9'], [null, -1, -3]))).toEqual([null, -1])
  expect(read(echoed(['a', 'é', '9'], [null, -1, -3], [5, 6, 7]))).toEqual([null, -1])
  expect(read(echoed(['a', 'é', '9'], [null, -1, -3], [0, 1]))).toEqual([null, -1])
})

it('every shape more is three prompts more to book', () => {
  for (const n of [0, 1, 2]) expect(probing(n + 1).output - probing(n).output).toBe(3)
  expect(probing(0)).toEqual({ input: 4 * 128, output: 4 })
})

it('a key goes along where there is one, and nothing else does', async () => {
  await using server = await loopback(shapes.echo)
  const seen: (string | null)[] = []
  const watched: typeof fetch = (url, init) => {
    seen.push(new Headers(init?.headers).get('authorization'))
    return fetch(url, init)
  }
  for (const key of [{}, { apiKey: 'k-1' }]) {
    const completions = { baseUrl: server.url, shape: 'echo', fetch: watched, ...key } as const
    const model = await openScoringModel('completions:tiny', { completions })
    await model.score([{ context: '\n', text: '1\n' }])
  }
  expect(new Set(seen)).toEqual(new Set([null, 'Bearer k-1']))
})

it('the embedded model stops between two strings', async () => {
  const model = await openScoringModel('tiny')
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(model.score([{ context: '\n', text: '1\n' }], signal)).rejects.toThrow('enough')
})
