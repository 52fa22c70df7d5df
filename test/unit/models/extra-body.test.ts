import { describe, expect, it } from 'vitest'
import {
  headersSchema,
  needsOf,
  openModel,
  type ProviderEnvironment,
  providers,
  settingsSchema,
} from '../../../src/models/index.ts'
import { encodedAs } from '../../mock/read-as.ts'

const problems = (schema: typeof settingsSchema | typeof headersSchema, value: unknown): string => {
  const read = schema.safeParse(value)
  return read.success ? '' : read.error.issues.map(({ message }) => message).join('\n')
}

describe('further fields of a body', () => {
  it.each([
    ['openai-compatible:m', { chat_template_kwargs: { enable_thinking: false }, min_p: 0.1, stop_token_ids: [1] }],
    ['openai:gpt-4.1', { service_tier: 'flex', logit_bias: { 1: -100 } }],
    ['openai-responses:gpt-5', { text: { verbosity: 'low' } }],
    ['anthropic:claude-sonnet-4-6', { service_tier: 'standard_only' }],
    ['google:gemini-3-pro', { safetySettings: [{ category: 'c', threshold: 'OFF' }] }],
  ])('are sent: %s', async (spec, body) => {
    expect(await encodedAs(spec, { body })).toMatchObject(body)
  })

  it('are merged with what the settings write', async () => {
    expect(
      await encodedAs('openai-responses:gpt-5', { effort: 'low', body: { reasoning: { summary: 'concise' } } }),
    ).toMatchObject({ reasoning: { effort: 'low', summary: 'concise' } })
    expect(
      await encodedAs('google:gemini-3-pro', { maxTokens: 9, body: { generationConfig: { mediaResolution: 'LOW' } } }),
    ).toMatchObject({ generationConfig: { maxOutputTokens: 9, mediaResolution: 'LOW' } })
  })

  it.each([
    [{ max_tokens: 5 }, 'write the setting maxTokens'],
    [{ generationConfig: { maxOutputTokens: 5 } }, 'write the setting maxTokens'],
    [{ generation_config: { max_output_tokens: 5 } }, 'write the setting maxTokens'],
    [{ n: 4 }, 'write "samples" beside the model'],
    [{ generationConfig: { candidateCount: 4 } }, 'write "samples" beside the model'],
    [{ messages: [] }, 'the question is written by the run'],
    [{ model: 'other' }, 'provider:model'],
    [{ stream: true }, 'read whole'],
    [{ extra_body: { top_k: 1 } }, 'write its contents under body'],
    [{ provider: { api_key: 'sk-123' } }, '"api_key" holds a secret'],
  ])('never say what a run says itself, or a secret: %j', (body, words) => {
    expect(problems(settingsSchema, { body })).toContain(words)
  })

  it('whose names only look like secrets are fields', () => {
    expect(problems(settingsSchema, { body: { thinking_token_budget: 1, stop_token_ids: [1], key: { a: 1 } } })).toBe(
      '',
    )
  })
})

describe('the field of the maximum', () => {
  it.each([
    ['openai-compatible:m', {}, 'max_tokens'],
    ['openai:my-deployment', {}, 'max_tokens'],
    ['openai:my-deployment', { maxTokensField: 'max_completion_tokens' }, 'max_completion_tokens'],
    ['openai-compatible:m', { maxTokensField: 'max_completion_tokens' }, 'max_completion_tokens'],
    ['openai:gpt-5', {}, 'max_completion_tokens'],
    ['openai:gpt-5', { maxTokensField: 'max_tokens' }, 'max_tokens'],
  ] as const)('%s %j', async (spec, more, field) => {
    const body = await encodedAs(spec, { maxTokens: 7, ...more })
    expect(Object.entries(body).filter(([key]) => key.startsWith('max'))).toEqual([[field, 7]])
  })
})

it('stops and penalties are sent where they are taken, and not to OpenAI models that reason', async () => {
  const settings = { stop: ['END'], frequencyPenalty: 1, presencePenalty: 0.5 }
  const sent = { stop: ['END'], frequency_penalty: 1, presence_penalty: 0.5 }
  expect(await encodedAs('openai-compatible:m', settings)).toMatchObject(sent)
  expect(await encodedAs('openai:gpt-4.1', settings)).toMatchObject(sent)
  expect(await encodedAs('anthropic:claude-haiku-4-5', settings)).toMatchObject({ stop_sequences: ['END'] })
  expect(await encodedAs('google:gemini-3-pro', settings)).toMatchObject({
    generationConfig: { stopSequences: ['END'], frequencyPenalty: 1, presencePenalty: 0.5 },
  })
  expect(Object.keys(await encodedAs('openai:gpt-5', settings))).toEqual(['model', 'messages'])
})

describe('headers', () => {
  const env = { AZURE_KEY: ' 0123-secret\n', OPENAI_API_KEY: 'k', ROUTER: 'r' }
  const around: ProviderEnvironment = { env, openReplay: () => Promise.reject(new Error('no')) }
  const sentBy = async (spec: string, headers: { readonly [name: string]: string }, more: object = {}) => {
    const options = { baseUrl: 'http://127.0.0.1:1/v1', headers, ...more }
    return (await openModel(spec, options, providers, around)).wire?.endpoint.headers
  }

  it('are sent with the values of their variables, in place of the key where they say who asks', async () => {
    const headers = { 'Api-Key': `\${AZURE_KEY}`, 'X-Title': `run \${ROUTER}` }
    expect(await sentBy('openai-compatible:m', headers)).toEqual({ 'api-key': '0123-secret', 'x-title': 'run r' })
    expect(await sentBy('anthropic:m', { authorization: `Bearer \${AZURE_KEY}` })).toMatchObject({
      authorization: 'Bearer 0123-secret',
      'anthropic-version': '2023-06-01',
    })
    expect(await sentBy('openai:m', { 'openai-project': 'p' })).toEqual({
      authorization: 'Bearer k',
      'openai-project': 'p',
    })
    await expect(sentBy('google:m', { 'x-a': 'b' })).rejects.toThrow('GOOGLE_GENERATIVE_AI_API_KEY')
    await expect(sentBy('openai:m', { 'x-a': `\${ABSENT}` })).rejects.toThrow(
      'the header x-a is missing: the environment variable ABSENT is not set',
    )
    for (const spec of ['openai:m', 'completions:m', 'hybrid:openai:m'])
      expect(needsOf(spec, { headers }, providers).secrets).toEqual(expect.arrayContaining(['AZURE_KEY', 'ROUTER']))
  })

  it.each([
    [{ Authorization: 'Bearer sk-1' }, 'holds a secret'],
    [{ 'x-custom': 'Bearer sk-1234' }, 'holds a secret'],
    [{ 'Ocp-Apim-Subscription-Key': 'abc' }, 'holds a secret'],
    [{ 'x-session-token': 'abc' }, 'holds a secret'],
    [{ cookie: 'a=b' }, 'holds a secret'],
    [{ 'Content-Type': 'text/plain' }, 'is written by the run'],
    [{ host: 'a' }, 'is written by the run'],
    [{ 'a b': 'c' }, 'is not a header name'],
    [{ a: 'b\r\nc: d' }, 'not printable'],
  ])('are recorded, so none holds a secret or breaks the request: %j', (headers, words) => {
    expect(problems(headersSchema, headers)).toContain(words)
  })

  it('that say what to do may say it', () => {
    const headers = { 'anthropic-beta': 'context-1m-2025-08-07', 'HTTP-Referer': 'https://a.org', 'x-author': 'me' }
    expect(problems(headersSchema, headers)).toBe('')
  })
})
