import { expect, it } from 'vitest'
import { send } from '../../../src/models/http.ts'
import { openCompletions, openTiny } from '../../../src/models/scoring/index.ts'
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
  expect(tgi.body('m', ['a'])).toEqual({
    inputs: 'a',
    parameters: { max_new_tokens: 1, details: true, decoder_input_details: true },
  })
  expect(responseShapes.sglang.body('m', ['a', 'b'])).toEqual({
    text: ['a', 'b'],
    sampling_params: { max_new_tokens: 1, temperature: 0 },
    return_logprob: true,
    logprob_start_len: 0,
    return_text_in_logprobs: true,
  })
})

it('each shape is asked at its own address, with as many prompts as it takes, and for ids as its tokenizer tells them', () => {
  const places = Object.entries(responseShapes).map(([name, { url, lists, tokenizer }]) => [
    name,
    url('http://h/v1'),
    lists,
    tokenizer?.body('m', 'a') ?? null,
  ])
  const tokenize = { model: 'm', prompt: 'a', add_special_tokens: true }
  expect(places).toEqual([
    ['prompt-logprobs', 'http://h/v1/completions', true, tokenize],
    ['echo', 'http://h/v1/completions', true, null],
    ['sglang', 'http://h/generate', true, tokenize],
    ['tgi', 'http://h/generate', false, { inputs: 'a' }],
  ])
})

it('choices belong to prompts by their numbers, and must be as many', () => {
  const one = (index: number | undefined, logprob: number) => ({
    ...(index === undefined ? {} : { index }),
    prompt_logprobs: [null, { '7': { logprob, decoded_token: 'b' } }],
    prompt_token_ids: [3, 7],
  })
  const read = (...choices: readonly unknown[]) =>
    responseShapes['prompt-logprobs'].read({ choices }, ['ab', 'cb']).map((tokens) => tokens[1]?.logprob)
  expect(read(one(1, -1), one(0, -2))).toEqual([-2, -1])
  expect(read(one(undefined, -1), one(undefined, -2))).toEqual([-1, -2])
  expect(() => read(one(0, -1))).toThrow('the answer to 2 prompts has 1 choices')
  for (const [a, b] of [
    [0, 0],
    [1, 2],
  ] as const)
    expect(() => read(one(a, -1), one(b, -2))).toThrow('the choices of the answer are not numbered 0 to 1')
  const { sglang } = responseShapes
  expect(() => sglang.read([{}], ['a', 'b'])).toThrow('the answer to 2 prompts has 1 entries')
})

it("a prompt's own token is known by its id, or by being alone", () => {
  const read = (entry: object, ids?: readonly number[]) =>
    responseShapes['prompt-logprobs'].read({ choices: [{ prompt_logprobs: [null, entry], prompt_token_ids: ids }] }, [
      'ab',
    ])
  const two = { '7': { logprob: -1, decoded_token: 'b' }, '9': { logprob: -0.1, decoded_token: 'x' } }
  expect(read(two, [3, 7])[0]).toEqual([
    { text: '', logprob: null, id: 3 },
    { text: 'b', logprob: -1, id: 7 },
  ])
  expect(read({ '7': { logprob: -1 } })[0]).toEqual([
    { text: '', logprob: null },
    { text: '', logprob: -1, id: 7 },
  ])
  const unknown = "prompt_logprobs[1] has 2 entries and none of them is known to be the prompt's own token"
  expect(() => read(two)).toThrow(unknown)
  expect(() => read(two, [3, 8])).toThrow(unknown)
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
  const watched: typeof send = (request) => {
    seen.push(request.headers['authorization'] ?? null)
    return send(request)
  }
  for (const key of [{}, { apiKey: 'k-1' }]) {
    const completions = { baseUrl: server.url, shape: 'echo', send: watched, ...key } as const
    const model = openCompletions('tiny', completions)
    await model.score([{ context: '\n', text: '1\n' }])
  }
  expect(new Set(seen)).toEqual(new Set([null, 'Bearer k-1']))
})

it('the embedded model stops between two strings', async () => {
  const model = await openTiny()
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(model.score([{ context: '\n', text: '1\n' }], signal)).rejects.toThrow('enough')
})
