import { describe, expect, it } from 'vitest'
import type { ModelReply, Settings } from '../../../src/models/index.ts'
import { readAs } from '../../mock/read-as.ts'

/** What a route makes of a body of success, as its provider documents it. */
const read = (spec: string, body: unknown, settings: Settings = {}): Promise<ModelReply> =>
  readText(spec, JSON.stringify(body), settings)

const readText = (spec: string, body: string, settings: Settings = {}): Promise<ModelReply> =>
  readAs(spec, 200, body, settings)

const chat = (choice: object, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop', ...choice }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  ...more,
})

const message = (text: string) => ({
  id: 'm',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const responses = (more: object) => ({
  id: 'r',
  object: 'response',
  created_at: 1,
  status: 'completed',
  error: null,
  model: 'gpt-5',
  output: [],
  usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  ...more,
})

const said = (content: unknown, stop_reason: string | null = 'end_turn') => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 3 },
})

const candidate = (content?: unknown) => ({ candidates: [{ content, finishReason: 'STOP' }] })

const gone = { error: { code: 502, message: 'the provider behind died' } }

describe('a body of success that holds no answer is a failure, never an empty answer of the model', () => {
  it.each<[string, string, object, object]>([
    ['an error', 'openai-compatible:m', { error: { code: 429, message: 'slow' } }, { code: 'rate-limited' }],
    ['an empty account', 'openai-compatible:m', { error: { code: 402, message: 'pay' } }, { code: 'http-402' }],
    ['an error by name', 'openai-responses:gpt-5', { error: { type: 'server_error' } }, { code: 'http-500' }],
    ['an error by type', 'anthropic:m', { type: 'error', error: { type: 'overloaded_error' } }, { code: 'http-529' }],
    ['an error of Google', 'google:m', { error: { code: 503, status: 'UNAVAILABLE' } }, { code: 'http-503' }],
    ['an error of its choice', 'openai-compatible:m', chat({ ...gone, finish_reason: 'error' }), { code: 'http-502' }],
    ['a choice that ends so', 'openai:m', chat({ finish_reason: 'error' }), { code: 'bad-body' }],
    ['a choice that a stopped server broke off', 'openai:m', chat({ finish_reason: 'abort' }), { code: 'bad-body' }],
    ['work that failed', 'openai-responses:gpt-5', responses({ status: 'failed' }), { code: 'bad-body' }],
    ['work that goes on', 'openai-responses:gpt-5', responses({ status: 'in_progress' }), { code: 'bad-body' }],
    ['cancelled work', 'openai-responses:gpt-5', responses({ status: 'cancelled' }), { code: 'bad-body' }],
    ['nothing', 'google:m', {}, { code: 'bad-body' }],
    ['another thing', 'openai-compatible:m', { detail: 'gone' }, { code: 'bad-body' }],
    ['no text and no end', 'google:m', { candidates: [{ content: { role: 'model' } }] }, { code: 'bad-body' }],
    ['no text and no end', 'anthropic:m', said([], null), { code: 'bad-body' }],
    ['no text and no end', 'openai:m', chat({ message: { content: null }, finish_reason: null }), { code: 'bad-body' }],
    ['no candidate', 'google:m', { candidates: [], usageMetadata: { promptTokenCount: 9 } }, { code: 'bad-body' }],
  ])('%s by %s', async (_, spec, body, expected) => {
    const reply = await read(spec, body)
    expect(reply).toMatchObject({ kind: 'failure', http: 200, body: JSON.stringify(body), ...expected })
    expect(reply).toMatchObject({ message: expect.stringMatching(/^HTTP 200 with /u) })
  })

  it.each<[string, string, object, object]>([
    [
      'a cut answer',
      'openai-responses:gpt-5',
      responses({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      { finish: 'truncated' },
    ],
    [
      'a blocked prompt',
      'google:m',
      { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 9 } },
      { finish: 'refused' },
    ],
    ['an error that says nothing', 'openai-compatible:m', chat({}, { error: {} }), { finish: 'stop' }],
  ])('%s by %s is an answer all the same', async (_, spec, body, expected) => {
    expect(await read(spec, body)).toMatchObject({ kind: 'answer', ...expected })
  })
})

it.each<[string, object]>([
  ['anthropic:m', said([])],
  ['anthropic:m', said(null)],
  ['anthropic:m', said([{ type: 'text', text: null }])],
  ['google:m', candidate()],
  ['google:m', candidate({ role: 'model' })],
  ['google:m', candidate({ parts: [{ text: null }] })],
  ['openai-responses:gpt-5', responses({ output: [] })],
  ['openai-responses:gpt-5', responses({ output: null })],
  ['openai-responses:gpt-5', responses({ output: [{ ...message(''), content: [] }] })],
  ['openai:m', chat({ message: { role: 'assistant', content: null } })],
  ['openai:m', chat({ message: { role: 'assistant', content: [] } })],
  ['openai-compatible:m', chat({ message: undefined })],
])(
  'an empty answer with an ordinary end is the own one of the model, which would be paid again: %s %j',
  async (spec, body) => {
    expect(await read(spec, body)).toMatchObject({ kind: 'answer', finish: 'stop', text: '' })
  },
)

it('numbers that JSON does not have stand in the way of no text, and what stands in texts stays', async () => {
  const text = 'NaN and "Infinity" \\'
  const body = JSON.stringify(chat({ message: { role: 'assistant', content: text }, logprobs: 'X' }))
  for (const number of ['NaN', '-Infinity'])
    expect(await readText('openai:m', body.replace('"X"', number))).toMatchObject({ kind: 'answer', text })
  expect(await readText('openai:m', `${body} and more`)).toMatchObject({ code: 'bad-body', retry: 'once', http: 200 })
})

it.each(['openai:m', 'openai-responses:gpt-5', 'anthropic:m', 'google:m'])(
  'a body nested deeper than can be written is told in words, or read: %s',
  async (spec) => {
    const deep = `${'[['.repeat(20_000)}${']]'.repeat(20_000)}`
    const reply = await readText(spec, `{"error":${deep}}`)
    expect(reply).toMatchObject({ kind: 'failure', code: 'bad-body', body: expect.stringContaining('[[') })
    expect(reply).toMatchObject({ message: expect.not.stringContaining('RangeError') })
    expect(await readText(spec, deep)).toMatchObject({ kind: 'failure', code: 'bad-body' })
    const answer = JSON.stringify(chat({ message: { role: 'assistant', content: 'Yes' } })).slice(0, -1)
    if (spec === 'openai:m')
      expect(await readText(spec, `${answer},"more":${deep}}`)).toMatchObject({ kind: 'answer', text: 'Yes' })
  },
)

describe('what was honoured', () => {
  it('tells an effort that stands for another, and one that the server says it took', async () => {
    const body = responses({ output: [message('Yes')], reasoning: { effort: 'medium' } })
    expect(await read('openai-responses:gpt-5', body, { effort: 'high' })).toMatchObject({
      ignored: ['effort (asked as "high", the server says "medium")'],
    })
    expect(await read('openai-responses:gpt-5', body, { effort: 'medium' })).toMatchObject({ ignored: [] })
    expect(await read('openai-responses:another', body, { effort: 'low' })).toMatchObject({
      ignored: ['effort (asked as "low", the server says "medium")'],
    })
    const google = { candidates: [{ content: { parts: [{ text: 'Yes' }] }, finishReason: 'STOP' }] }
    expect(await read('google:gemini-3-pro', google, { effort: 'xhigh' })).toMatchObject({
      ignored: [expect.stringMatching(/^effort \(.*"xhigh".*"high"/u)],
    })
    expect(await read('google:gemini-3-pro', google, { effort: 'low' })).toMatchObject({ ignored: [] })
    const budget = [expect.stringMatching(/^effort \(sent as a budget of \d+ tokens for thinking\)$/u)]
    expect(await read('google:gemini-2.5-flash', google, { effort: 'high' })).toMatchObject({ ignored: budget })
    const claude = 'anthropic:claude-haiku-4-5'
    expect(await read(claude, said([{ type: 'text', text: 'Yes' }]), { effort: 'low' })).toMatchObject({
      ignored: budget,
    })
    for (const [spec, one] of [
      ['google:gemini-2.5-flash', google],
      [claude, said([{ type: 'text', text: 'Yes' }])],
    ] as const)
      expect(await read(spec, one, { effort: 'low', thinkingBudget: 2000, maxTokens: 4000 })).toMatchObject({
        ignored: ['effort (thinkingBudget goes before it)'],
      })
  })
})

it.each(['openai-compatible:m', 'openai:m'])('what was thought is no 0 where it was not counted: %s', async (spec) => {
  const said = { message: { role: 'assistant', content: 'Yes', reasoning_content: 'well' } }
  const usageOf = async (details: object) => {
    const reply = await read(spec, chat(said, { usage: { prompt_tokens: 9, completion_tokens: 3, ...details } }))
    return 'usage' in reply ? reply.usage : null
  }
  expect(await usageOf({})).toEqual({ inputTokens: 9, outputTokens: 3 })
  const counted = { prompt_tokens_details: { cached_tokens: 0 }, completion_tokens_details: { reasoning_tokens: 0 } }
  expect(await usageOf(counted)).toEqual({ inputTokens: 9, outputTokens: 3, reasoningTokens: 0, cachedTokens: 0 })
})

it.each([
  ['openai-compatible:m', chat({ message: { role: 'assistant', content: 'Yes' } }, { usage: {} })],
  ['openai:m', chat({ message: { role: 'assistant', content: 'Yes' } }, { usage: {} })],
  ['google:m', { candidates: [{ content: { parts: [{ text: 'Yes' }] }, finishReason: 'STOP' }], usageMetadata: {} }],
])('counts that were not given are no zeros: %s', async (spec, body) => {
  const reply = await read(spec, body)
  expect(reply).toMatchObject({ kind: 'answer', text: 'Yes' })
  expect(Object.keys('usage' in reply ? reply.usage : {})).not.toContain('inputTokens')
  expect(Object.keys('usage' in reply ? reply.usage : {})).not.toContain('outputTokens')
})
