import { describe, expect, it } from 'vitest'
import {
  anthropicMessages,
  type Codec,
  decodeResponse,
  googleGenerateContent,
  openAiChat,
  openAiCompatible,
  openAiResponses,
  readUsage,
} from '../../../src/models/codecs/index.ts'
import type { Settings } from '../../../src/models/index.ts'

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Is 4 even?' },
  { role: 'assistant', content: 'Answer: ' },
] as const

const encode = (codec: Codec, model: string, settings: Settings = {}) => codec.encode({ model, messages, settings })

describe('a request to OpenAI chat completions', () => {
  it('holds messages and settings', () => {
    expect(encode(openAiChat, 'gpt-4o', { temperature: 0, topP: 0.5, maxTokens: 9, seed: 1, effort: 'low' })).toEqual({
      path: '/chat/completions',
      body: { model: 'gpt-4o', max_tokens: 9, temperature: 0, top_p: 0.5, seed: 1, reasoning_effort: 'low', messages },
      ignored: [],
    })
    expect(encode(openAiChat, 'gpt-4o', { topK: 5, thinkingBudget: 5 }).ignored).toEqual(['topK', 'thinkingBudget'])
  })

  it.each(['o1', 'o3-mini', 'gpt-5', 'gpt-5-mini', 'gpt-5.1', 'gpt-6-sol', 'gpt-10'])(
    'is written in the way of models that reason: %s',
    (model) => {
      const { body, ignored } = encode(openAiChat, model, { temperature: 0, topP: 1, maxTokens: 9 })
      expect(body).toMatchObject({ max_completion_tokens: 9, messages: [{ role: 'developer' }, {}, {}] })
      expect(Object.keys(body)).toEqual(['model', 'max_completion_tokens', 'messages'])
      expect(ignored).toEqual(['temperature', 'topP'])
      expect(encode(openAiChat, model, { temperature: 0, effort: 'none' })).toMatchObject({
        body: { temperature: 0, reasoning_effort: 'none' },
        ignored: [],
      })
    },
  )

  it.each(['gpt-4o', 'gpt-5-chat-latest', 'ft:gpt-4o', 'omni', 'm'])('is not, for %s', (model) => {
    expect(encode(openAiChat, model, { maxTokens: 9 }).body).toMatchObject({ max_tokens: 9, messages })
  })

  it('takes no names of models for what they say at other servers, which also take topK', () => {
    expect(encode(openAiCompatible, 'gpt-5', { temperature: 0, topK: 20, maxTokens: 9 })).toEqual({
      path: '/chat/completions',
      body: { model: 'gpt-5', max_tokens: 9, temperature: 0, top_k: 20, messages },
      ignored: [],
    })
  })
})

describe('a request to OpenAI Responses', () => {
  it('asks for an effort and a summary of the reasoning', () => {
    expect(encode(openAiResponses, 'm', { effort: 'high', temperature: 1, maxTokens: 9, seed: 1 })).toEqual({
      path: '/responses',
      body: {
        model: 'm',
        max_output_tokens: 9,
        reasoning: { effort: 'high', summary: 'detailed' },
        input: [
          { role: 'developer', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'input_text', text: 'Is 4 even?' }] },
          { role: 'assistant', content: [{ type: 'output_text', text: 'Answer: ' }] },
        ],
      },
      ignored: ['seed', 'temperature'],
    })
    const { body, ignored } = encode(openAiResponses, 'm', { temperature: 1, effort: 'none' })
    expect(body).toMatchObject({ temperature: 1, reasoning: { effort: 'none' } })
    expect(ignored).toEqual([])
  })
})

describe('a request to Anthropic', () => {
  it('has its instructions apart, a maximum, and no blanks at the end of an answer that is begun', () => {
    expect(encode(anthropicMessages, 'claude-sonnet-4-5', { temperature: 0.5, topK: 5, seed: 1 })).toEqual({
      path: '/messages',
      body: {
        model: 'claude-sonnet-4-5',
        temperature: 0.5,
        top_k: 5,
        max_tokens: 64_000,
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Is 4 even?' }] },
          { role: 'assistant', content: [{ type: 'text', text: 'Answer:' }] },
        ],
      },
      ignored: ['seed'],
    })
  })

  it.each([
    ['claude-3-haiku-20240307', 4096],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-sonnet-4-0', 64_000],
    ['claude-haiku-4-5-20251001', 64_000],
    ['claude-opus-4-6', 128_000],
    ['claude-fable-5', 128_000],
    ['m', 4096],
  ])('asks for as many tokens as the model can write: %s', (model, most) => {
    expect(encode(anthropicMessages, model).body).toMatchObject({ max_tokens: most })
  })

  it('makes an effort a budget inside the maximum, or sends it to models that take one', () => {
    expect(
      encode(anthropicMessages, 'claude-opus-4-5', { effort: 'high', maxTokens: 10_000, temperature: 0 }),
    ).toMatchObject({
      body: { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 6000 } },
      ignored: ['temperature'],
      effortSent: 'sent as a budget of 6000 tokens for thinking',
    })
    expect(encode(anthropicMessages, 'claude-opus-4-6', { effort: 'xhigh' })).toMatchObject({
      body: { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
      ignored: [],
    })
    expect(encode(anthropicMessages, 'claude-opus-5', { effort: 'minimal' })).toMatchObject({
      body: { output_config: { effort: 'low' } },
      ignored: ['effort (there is no "minimal" here: sent as "low")'],
    })
    for (const settings of [{ effort: 'none' }, { thinkingBudget: 0 }] as const)
      expect(encode(anthropicMessages, 'claude-opus-5', settings)).toMatchObject({
        body: { thinking: { type: 'disabled' } },
        ignored: [],
      })
  })

  it('leaves out settings of the sampling that the model refuses', () => {
    const sampling = { temperature: 0.5, topP: 0.5, topK: 5 }
    expect(encode(anthropicMessages, 'claude-opus-4-7', sampling).ignored).toEqual(['temperature', 'topP', 'topK'])
    expect(encode(anthropicMessages, 'claude-opus-4-6', sampling).ignored).toEqual(['topP'])
    expect(encode(anthropicMessages, 'm', sampling).ignored).toEqual([])
    expect(encode(anthropicMessages, 'm', { temperature: 1.5 })).toMatchObject({
      body: { temperature: 1 },
      ignored: [expect.stringMatching(/^temperature \(/u)],
    })
  })
})

describe('a request to Google', () => {
  it('has its instructions apart', () => {
    expect(encode(googleGenerateContent, 'gemini-2.0-flash', { temperature: 0, topK: 5, maxTokens: 9 })).toEqual({
      path: '/models/gemini-2.0-flash:generateContent',
      body: {
        generationConfig: { temperature: 0, topK: 5, maxOutputTokens: 9 },
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Is 4 even?' }] },
          { role: 'model', parts: [{ text: 'Answer: ' }] },
        ],
      },
      ignored: [],
    })
    const { path, body } = encode(googleGenerateContent, 'tunedModels/x')
    expect([path, Object.keys(body)]).toEqual([
      '/tunedModels/x:generateContent',
      ['generationConfig', 'contents', 'systemInstruction'],
    ])
    expect(encode(googleGenerateContent, 'gemma-3-4b-it').body).toMatchObject({
      contents: [{ parts: [{ text: 'Be brief.\n\n' }, { text: 'Is 4 even?' }] }, {}],
    })
  })

  it.each([
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-flash', 'high', { thinkingBudget: 24_576 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.5-pro', 'low', { thinkingBudget: 6554 }],
    ['gemini-3-pro-preview', 'none', { thinkingLevel: 'low' }],
    ['gemini-3-flash-preview', 'minimal', { thinkingLevel: 'minimal' }],
    ['gemini-4-argon', 'xhigh', { thinkingLevel: 'high' }],
  ] as const)('asks %s for an effort of %s', (model, effort, thinkingConfig) => {
    expect(encode(googleGenerateContent, model, { effort }).body).toMatchObject({
      generationConfig: { thinkingConfig },
    })
  })
})

/** Bodies as the servers send them. */
describe('a response', () => {
  const none = { id: null, model: null }
  it.each<[string, object, object]>([
    [
      'of chat completions',
      {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        model: 'gpt-5-mini',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Yes', refusal: null }, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 30,
          total_tokens: 50,
          prompt_tokens_details: { cached_tokens: 4 },
          completion_tokens_details: { reasoning_tokens: 25 },
        },
      },
      {
        id: 'chatcmpl-1',
        model: 'gpt-5-mini',
        text: 'Yes',
        reasoning: null,
        finish: 'stop',
        usage: { inputTokens: 20, outputTokens: 30, reasoningTokens: 25, cachedTokens: 4 },
      },
    ],
    [
      'with the reasoning in parts',
      {
        choices: [
          {
            message: {
              content: [
                { type: 'thinking', thinking: [{ type: 'text', text: 'even?' }] },
                { type: 'text', text: 'Yes' },
              ],
            },
            finish_reason: 'length',
          },
        ],
      },
      { ...none, text: 'Yes', reasoning: 'even?', finish: 'truncated', usage: {} },
    ],
    [
      'that refuses beside its text',
      { choices: [{ message: { content: '', refusal: 'I cannot.' }, finish_reason: 'stop' }] },
      { ...none, text: 'I cannot.', reasoning: null, finish: 'refused', usage: {} },
    ],
    [
      'whose reasoning is counted in the total only',
      { choices: [{ text: 'Yes' }], usage: { prompt_tokens: '20', completion_tokens: '3', total_tokens: '40' } },
      { ...none, text: 'Yes', reasoning: null, finish: null, usage: { inputTokens: 20, outputTokens: 20 } },
    ],
    [
      'of Responses',
      {
        id: 'resp_1',
        object: 'response',
        model: 'gpt-5',
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        reasoning: { effort: 'high' },
        output: [
          {
            type: 'reasoning',
            summary: [
              { type: 'summary_text', text: 'A' },
              { type: 'summary_text', text: 'B' },
            ],
          },
          { type: 'message', content: [{ type: 'output_text', text: 'Ye' }] },
        ],
        usage: { input_tokens: 20, output_tokens: 30, output_tokens_details: { reasoning_tokens: 25 } },
      },
      {
        id: 'resp_1',
        model: 'gpt-5',
        text: 'Ye',
        reasoning: 'A\n\nB',
        finish: 'truncated',
        effort: 'high',
        usage: { inputTokens: 20, outputTokens: 30, reasoningTokens: 25 },
      },
    ],
    [
      'of Responses that refuses',
      { status: 'completed', output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] },
      { ...none, text: 'No.', reasoning: null, finish: 'refused', usage: {} },
    ],
    [
      'of Anthropic',
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [
          { type: 'thinking', thinking: 'even?', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'Yes' },
        ],
        stop_reason: 'end_turn',
        usage: { input_tokens: 5, cache_creation_input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 30 },
      },
      {
        id: 'msg_1',
        model: 'claude-sonnet-4-5',
        text: 'Yes',
        reasoning: 'even?',
        finish: 'stop',
        usage: { inputTokens: 20, outputTokens: 30, cachedTokens: 5 },
      },
    ],
    [
      'of Google',
      {
        responseId: 'r1',
        modelVersion: 'gemini-2.5-flash',
        candidates: [
          {
            content: { role: 'model', parts: [{ text: 'even?', thought: true }, { text: 'Yes' }] },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, thoughtsTokenCount: 25, totalTokenCount: 50 },
      },
      {
        id: 'r1',
        model: 'gemini-2.5-flash',
        text: 'Yes',
        reasoning: 'even?',
        finish: 'stop',
        usage: { inputTokens: 20, outputTokens: 30, reasoningTokens: 25, cachedTokens: 0 },
      },
    ],
    [
      'of Google to a blocked prompt',
      { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 9 } },
      {
        ...none,
        text: '',
        reasoning: null,
        finish: 'refused',
        refusal: 'SAFETY',
        usage: { inputTokens: 9, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
      },
    ],
  ])('%s', (_, body, expected) => {
    expect(decodeResponse(body as { readonly [key: string]: unknown })).toEqual(expected)
  })

  it.each<[object, string]>([
    [{ choices: [] }, 'no choice'],
    [{ choices: [{ finish_reason: 'abort' }] }, 'a response that ended in "abort"'],
    [{ output: [], status: 'failed' }, 'a response that is failed'],
    [{ candidates: [] }, 'no candidate, and no reason why'],
    [{ hello: 'world' }, 'nothing where a response would be'],
  ])('that is none: %j', (body, why) => {
    expect(decodeResponse(body as { readonly [key: string]: unknown })).toBe(why)
  })

  it('has the counts that its server gives, and no others', () => {
    expect(readUsage({ usage: { prompt_tokens: 5 } })).toEqual({ inputTokens: 5 })
    expect(readUsage({ usage: { prompt_tokens: null, completion_tokens: [], total_tokens: 'x' } })).toEqual({})
    expect(readUsage({ usage: 'none', usageMetadata: [] })).toEqual({})
  })
})
