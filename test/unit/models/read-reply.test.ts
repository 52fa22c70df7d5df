import { describe, expect, it } from 'vitest'
import { type ModelReply, readBody, type Settings } from '../../../src/models/index.ts'
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

const yes = { message: { role: 'assistant', content: 'Yes' } }

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
    ['an error beside choices', 'openai-compatible:m', chat(yes, { error: { message: 'died' } }), { code: 'bad-body' }],
    ['an error that is a text', 'openai:m', chat(yes, { error: 'died' }), { code: 'bad-body' }],
    ['an error that is true', 'openai:m', chat(yes, { error: true }), { code: 'bad-body' }],
    ['an error that is its code', 'openai:m', chat(yes, { error: 503 }), { code: 'http-503' }],
    ['errors', 'openai:m', chat(yes, { error: [{ message: 'died' }] }), { code: 'bad-body' }],
    ['an end of its server', 'openai:m', chat({ ...yes, finish_reason: 'network_error' }), { code: 'bad-body' }],
    ['an end of its server', 'anthropic:m', said([{ type: 'text', text: 'Yes' }], 'error'), { code: 'bad-body' }],
    ['a number as content', 'openai:m', chat({ message: { content: 12_345 } }), { code: 'bad-body' }],
    ['an object as content', 'openai:m', chat({ message: { content: { answer: 'Yes' } } }), { code: 'bad-body' }],
    ['a number as a part', 'openai:m', chat({ message: { content: [7] } }), { code: 'bad-body' }],
    ['a part with an object', 'openai:m', chat({ message: { content: [{ text: {} }] } }), { code: 'bad-body' }],
    ['a text as message', 'openai:m', chat({ message: 'Yes' }), { code: 'bad-body' }],
    ['a number as content', 'anthropic:m', said(1), { code: 'bad-body' }],
    ['an object as content', 'anthropic:m', said({ text: 'Yes' }), { code: 'bad-body' }],
    ['a text as content', 'google:m', candidate('Yes'), { code: 'bad-body' }],
    ['an object as parts', 'google:m', candidate({ parts: { text: 'Yes' } }), { code: 'bad-body' }],
    ['a number as part', 'google:m', candidate({ parts: [{ text: 1 }] }), { code: 'bad-body' }],
    ['a text as output', 'openai-responses:gpt-5', responses({ output: 'Yes' }), { code: 'bad-body' }],
    [
      'a number as content',
      'openai-responses:gpt-5',
      responses({ output: [{ ...message(''), content: 5 }] }),
      { code: 'bad-body' },
    ],
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
    [
      'an error with empty fields',
      'openai-compatible:m',
      chat(yes, { error: { message: '', type: '', param: null, code: 0 } }),
      { text: 'Yes' },
    ],
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

it('texts in a list, and a text where a list of parts is usual, are the text', async () => {
  const expected = { kind: 'answer', text: 'Yes' }
  expect(await read('openai:m', chat({ message: { content: ['Yes'] } }))).toMatchObject(expected)
  expect(await read('openai:m', chat({ message: { content: [{ type: 'text', text: 'Yes' }] } }))).toMatchObject(
    expected,
  )
  expect(await read('anthropic:m', said('Yes'))).toMatchObject(expected)
  const plain = responses({ output: [{ type: 'message', role: 'assistant', content: 'Yes' }] })
  expect(await read('openai-responses:gpt-5', plain)).toMatchObject(expected)
})

it.each([999, 600, 304, 100])('a status of %i is a failure, whatever its body', async (status) => {
  const reply = await readAs('openai:m', status, JSON.stringify(chat(yes)))
  expect(reply).toMatchObject({ kind: 'failure', code: `http-${status}`, http: status })
})

describe('a stream that nobody asked for', () => {
  const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
  const piece = (content: unknown, finish_reason: string | null = null) =>
    event({ choices: [{ delta: { content }, finish_reason }] })
  const whole = piece('Y') + piece('es') + piece('', 'stop')

  it('is a failure, whose body can be read later where it came whole', async () => {
    expect(await readText('openai:m', `${whole}data: [DONE]\n\n`)).toMatchObject({ code: 'bad-body', retry: 'once' })
    expect(readBody(`${whole}data: [DONE]\n\n`, true)).toMatchObject({ text: 'Yes', finish: 'stop' })
  })

  it.each([
    ['an error event', `${piece('Yes')}${event({ error: { message: 'died' } })}data: [DONE]\n\n`],
    ['an error event behind its end', `${whole}${event({ error: 'died' })}`],
    ['an event of type error', `${whole}${event({ type: 'error', code: '500', message: 'died' })}`],
    ['a named event', `${whole}event: error\ndata: {"detail":"died"}\n\n`],
    ['an error in a choice', `${whole}${event({ choices: [{ error: { code: 502 }, finish_reason: 'error' }] })}`],
    ['an end that is its server’s', piece('Yes') + piece('', 'error')],
    ['no end', piece('Yes')],
    ['a number as a piece', `${piece(1)}${whole}`],
  ])('and broke off with %s is no answer', (_, body) => {
    expect(readBody(body, true)).toBeNull()
  })
})

it.each([
  { ...chat(yes), error: { message: 'died' } },
  chat({ message: { content: { answer: 'Yes' } } }),
  chat({ ...yes, finish_reason: 'abort' }),
])('a kept body with no answer is read as none later either', (body) => {
  expect(readBody(JSON.stringify(body), true)).toBeNull()
})

describe('what was honoured', () => {
  const ignoredBy = async (spec: string, body: object, settings: Settings): Promise<unknown> => {
    const reply = await read(spec, body, settings)
    return reply.kind === 'answer' ? reply.ignored : reply
  }

  it('is an effort that was sent as it is, and one in other terms where the model reasoned', async () => {
    const thought = { message: { role: 'assistant', content: 'Yes', reasoning_content: 'well' } }
    const counted = {
      usage: { prompt_tokens: 9, completion_tokens: 30, completion_tokens_details: { reasoning_tokens: 27 } },
    }
    for (const body of [chat(thought), chat(yes, counted), chat(yes)])
      for (const spec of ['openai-compatible:m', 'openai:gpt-5'])
        expect(await ignoredBy(spec, body, { effort: 'low' })).toEqual([])
    const claude = said([
      { type: 'thinking', thinking: 'well', signature: 's' },
      { type: 'text', text: 'Yes' },
    ])
    expect(await ignoredBy('anthropic:claude-haiku-4-5', claude, { effort: 'low' })).toEqual([])
    const gemini = {
      ...candidate({ parts: [{ text: 'Yes' }] }),
      usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 40 },
    }
    expect(await ignoredBy('google:gemini-2.5-flash', gemini, { effort: 'high' })).toEqual([])
  })

  it('is not a wish for no reasoning where the model reasoned', async () => {
    const thought = chat({ message: { role: 'assistant', content: 'Yes', reasoning_content: 'well' } })
    const told = ['effort (asked not to reason, and the model did)']
    expect(await ignoredBy('openai-compatible:m', thought, { effort: 'none' })).toEqual(told)
    expect(await ignoredBy('openai-compatible:m', chat(yes), { effort: 'none' })).toEqual([])
    for (const body of [{ chat_template_kwargs: { enable_thinking: false } }, { thinking: { type: 'disabled' } }]) {
      expect(await ignoredBy('openai-compatible:m', thought, { body })).toEqual([
        'body (asked not to reason, and the model did)',
      ])
      expect(await ignoredBy('openai-compatible:m', chat(yes), { body })).toEqual([])
    }
    expect(await ignoredBy('openai-compatible:m', thought, { body: { enable_thinking: true } })).toEqual([])
    const gemini = {
      ...candidate({ parts: [{ text: 'Yes' }] }),
      usageMetadata: { promptTokenCount: 9, thoughtsTokenCount: 40 },
    }
    expect(await ignoredBy('google:gemini-2.5-pro', gemini, { thinkingBudget: 0 })).toEqual([
      'thinkingBudget (asked not to reason, and the model did)',
    ])
  })

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

it.each(['thinking', 'reasoning', 'reasoning_text'])('parts called %s are no text of the response', async (type) => {
  const content = [
    { type, text: 'No' },
    { type: 'text', text: 'Yes' },
  ]
  expect(await read('openai-compatible:m', chat({ message: { role: 'assistant', content } }))).toMatchObject({
    text: 'Yes',
    reasoning: 'No',
  })
})
