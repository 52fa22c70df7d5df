import { afterEach, describe, expect, it } from 'vitest'
import { type Model, openModel, providers } from '../../src/models/index.ts'
import { openReplay } from '../../src/runner/index.ts'
import { parityCall } from './parity-call.ts'
import { answering } from './wire.ts'

/**
 * What llama.cpp's server was seen to answer (0.5.0-dev of 2026-09-28, as node-llama-cpp 3.22.1 brings its source), cut to what is
 * read. test/conformance/llama-server.test.ts asks the server itself.
 */
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const signal = AbortSignal.timeout(20_000)

async function opened(spec: string, answer: Parameters<typeof answering>[0]): Promise<Model> {
  const wire = await answering(answer)
  closing.push(wire.close)
  return openModel(spec, { baseUrl: `${wire.url}/v1` }, providers, { env: {}, openReplay })
}

const chat = (finish_reason: string, message: object) => ({
  choices: [{ finish_reason, index: 0, message: { role: 'assistant', ...message } }],
  created: 1795734265,
  model: '/models/qwen2b.gguf',
  system_fingerprint: 'b0-unknown',
  object: 'chat.completion',
  usage: {
    completion_tokens: 19,
    prompt_tokens: 60,
    total_tokens: 79,
    prompt_tokens_details: { cached_tokens: 12 },
  },
  id: 'chatcmpl-U01hDK4Nr6FjJ09dXqqHYZ3DX8BoHWUY',
  timings: { cache_n: 12, prompt_n: 48, prompt_ms: 75.094, predicted_n: 19, predicted_ms: 32.027 },
})

const error = (code: number, type: string, message: string, more: object = {}) => ({
  status: code,
  body: { error: { code, message, type, ...more } },
})
const tooLong = error(
  400,
  'exceed_context_size_error',
  'request (3050 tokens) exceeds the available context size (2048 tokens), try increasing it',
  { n_prompt_tokens: 3050, n_ctx: 2048 },
)
const loading = error(503, 'unavailable_error', 'Loading model')

describe('a chat with it', () => {
  it.each([
    ['stop', { content: 'Yes' }, { text: 'Yes', finish: 'stop', reasoning: null }],
    ['length', { content: '<|im_' }, { text: '<|im_', finish: 'truncated', reasoning: null }],
    [
      'stop',
      { content: '\n\nYes', reasoning_content: '\nit is' },
      { text: '\n\nYes', finish: 'stop', reasoning: '\nit is' },
    ],
    ['length', { content: '', reasoning_content: '\nit is not' }, { text: '', finish: 'truncated' }],
  ])('that ends with %s, %o', async (finish, message, wanted) => {
    const model = await opened('openai-compatible:m', () => ({ body: chat(finish, message) }))
    const reply = await model.call(parityCall(), signal)
    // It does not count the tokens of a thought.
    expect(reply).toMatchObject({ ...wanted, usage: { inputTokens: 60, outputTokens: 19, cachedTokens: 12 } })
    expect(reply.kind === 'answer' && reply.usage.reasoningTokens).toBeUndefined()
  })

  it.each([
    ['http-400', 'never', /exceeds the available context size/u, tooLong],
    ['http-400', 'never', /model 'nope' not found/u, error(400, 'invalid_request_error', "model 'nope' not found")],
    ['http-401', 'never', /Invalid API Key/u, error(401, 'authentication_error', 'Invalid API Key')],
    ['http-503', 'slow-down', /Loading model/u, loading],
  ] as const)('that fails: %s, %s, %s', async (code, retry, message, answer) => {
    const model = await opened('openai-compatible:m', () => answer)
    expect(await model.call(parityCall(), signal)).toMatchObject({
      kind: 'failure',
      code,
      retry,
      message: expect.stringMatching(message),
    })
  })
})

/** Scores as it does: each byte a token, of a probability that grows with what stood before it. */
function scores({ path, body }: { readonly path: string; readonly body: { readonly [key: string]: unknown } }) {
  // Several models behind one address: without a name it refuses.
  if (body['model'] !== 'm') return error(400, 'invalid_request_error', 'model name is missing from the request')
  const bytes = (text: unknown) => [...Buffer.from(String(text))]
  if (path === '/tokenize')
    return {
      body: { tokens: bytes(body['content']).map((id) => ({ id, piece: id < 128 ? String.fromCharCode(id) : [id] })) },
    }
  if (path === '/v1/completions')
    return {
      body: { choices: [{ text: '1', index: 0, logprobs: { content: [one(49, -0.24)] }, finish_reason: 'length' }] },
    }
  if (path !== '/completion') return error(404, 'not_found_error', 'File Not Found')
  const prompt = body['prompt'] as readonly number[]
  if (prompt.length >= MAX_LENGTH) return tooLong
  const own = (id: number) => -(1 + ((id * 7 + prompt.reduce((sum, other, i) => sum + other * (i + 1), 0)) % 97) / 10)
  const likeliest = Array.from({ length: 257 }, (_, id) => one(id, own(id)))
    .toSorted((a, b) => b.logprob - a.logprob)
    .slice(0, Number(body['n_probs']))
  const [[forced]] = (body['logit_bias'] ?? [[likeliest[0]!.id]]) as [[number]]
  const read = {
    index: 0,
    content: '\uFFFD',
    stop: true,
    tokens_predicted: 1,
    tokens_evaluated: prompt.length,
    // Whatever ends with its context.
    truncated: prompt.length === MAX_LENGTH - 1,
    stop_type: 'limit',
  }
  // A token that begins a character and does not end it: nothing is said of it.
  if (forced >= 0xc0) return { body: read }
  return { body: { ...read, completion_probabilities: [{ ...one(forced, own(forced)), top_logprobs: likeliest }] } }
}

const MAX_LENGTH = 40
const one = (id: number, logprob: number) => ({ id, token: '', bytes: [id], logprob })
const asking = (context: string, text: string) => parityCall(0, { request: { kind: 'score', context, text } })

describe('strings scored by it', () => {
  it('are found to the last byte, parts of characters among them, and up to the end of the context', async () => {
    const model = await opened('completions:m', scores)
    const text = 'é日 x\n'
    const reply = await model.call(asking('\n12\n', text), signal)
    if (reply.kind !== 'answer') throw new Error(reply.message)
    expect(reply.logprobs?.map((token) => token.text).join('')).toBe(text)
    expect(reply.logprobs?.length).toBe(Buffer.byteLength(text))
    const longest = await model.call(asking('\n', '1'.repeat(MAX_LENGTH - 1)), signal)
    expect(longest.kind === 'answer' && longest.logprobs?.length).toBe(MAX_LENGTH - 1)
  })

  it('wait where the key is wrong: it is no server that cannot score', async () => {
    const model = await opened('completions:m', () => error(401, 'authentication_error', 'Invalid API Key'))
    expect(await model.call(asking('\n', '1'), signal)).toMatchObject({ kind: 'failure', code: 'http-401', http: 401 })
  })

  it('are refused where the context is too short for them', async () => {
    const model = await opened('completions:m', scores)
    expect(await model.call(asking('\n', '1'.repeat(MAX_LENGTH)), signal)).toMatchObject({
      kind: 'failure',
      code: 'http-400',
      retry: 'never',
      message: expect.stringContaining('exceeds the available context size'),
    })
  })

  it('are refused at once where it says how long its context is', async () => {
    const asked: string[] = []
    const model = await opened('completions:m', (request) => {
      asked.push(request.path)
      return request.path === '/props?model=m'
        ? { body: { default_generation_settings: { n_ctx: MAX_LENGTH } } }
        : scores(request)
    })
    const longest = await model.call(asking('\n', '1'.repeat(MAX_LENGTH - 1)), signal)
    expect(longest.kind).toBe('answer')
    asked.length = 0
    expect(await model.call(asking('\n', '1'.repeat(MAX_LENGTH)), signal)).toMatchObject({
      code: 'cannot-score',
      retry: 'never',
      message: expect.stringContaining('41 tokens with its context, and the server reads 40'),
    })
    expect(asked).toEqual(['/tokenize'])
  })
})
