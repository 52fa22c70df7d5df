import { describe, expect, it } from 'vitest'
import { parseAssignments, settingsAs, settingsFrom, settingsSchema, settingsText } from '../../../src/models/index.ts'
import { SETTINGS, type Settings, writeSettings } from '../../../src/models/settings.ts'

const all: Settings = {
  temperature: 0.5,
  topP: 0.9,
  topK: 20,
  maxTokens: 10,
  maxTokensField: 'max_completion_tokens',
  stop: ['\n\n'],
  frequencyPenalty: 0.5,
  presencePenalty: -1,
  seed: 1,
  effort: 'low',
  thinkingBudget: 1024,
  body: { chat_template_kwargs: { enable_thinking: false } },
}

describe('the table of settings', () => {
  it('is what an experiment may write', () => {
    expect(settingsSchema.parse(all)).toEqual(all)
    expect(settingsSchema.parse({ stop: 'END' })).toEqual({ stop: ['END'] })
    expect(Object.keys(all)).toEqual(Object.keys(SETTINGS))
    for (const wrong of [{ topK: 0 }, { topP: 2 }, { effort: 'most' }, { top_k: 1 }, { stop: [] }, { body: [1] }])
      expect(settingsSchema.safeParse(wrong).success).toBe(false)
  })

  it('names settings in other tools, and back', () => {
    const { maxTokensField: _, ...named } = all
    expect(settingsFrom('inspect', settingsAs('inspect', all))).toEqual(named)
    expect(settingsAs('everyEvalEver', all)).toEqual({ temperature: 0.5, top_p: 0.9, top_k: 20, max_tokens: 10 })
    expect(settingsFrom('inspect', { top_k: null, temperature: [], extra_body: {}, other: 1 })).toEqual({})
  })

  it('says what a wire format takes, and what is ignored', () => {
    expect(writeSettings({ topK: 20, seed: 1 }, 'openai-compatible')).toEqual({
      fields: { top_k: 20, seed: 1 },
      ignored: [],
    })
    expect(writeSettings({ topK: 20, seed: 1 }, 'openai')).toEqual({ fields: { seed: 1 }, ignored: ['topK'] })
    expect(writeSettings({ stop: ['a'] }, 'anthropic').fields).toEqual({ stop_sequences: ['a'] })
    expect(writeSettings({ stop: ['a'], presencePenalty: 1 }, 'openai-responses').ignored).toEqual([
      'stop',
      'presencePenalty',
    ])
    expect(writeSettings({ effort: 'low', body: { min_p: 0.1 } }, 'llama').ignored).toEqual(['effort', 'body'])
  })

  it('one arm has one text, whatever the order of its keys', () => {
    const text = settingsText({ body: { b: { d: 1, c: [2] }, a: null }, temperature: 0.5 })
    expect(text).toBe('{"body":{"a":null,"b":{"c":[2],"d":1}},"temperature":0.5}')
    expect(settingsText({ temperature: 0.5, body: { a: null, b: { c: [2], d: 1 } } })).toBe(text)
  })
})

describe('KEY=VALUE', () => {
  it('changes nothing beyond what it gives', () => {
    parseAssignments(['body.__proto__.polluted=1'])
    expect({}).not.toHaveProperty('polluted')
  })

  it('is a setting, a field of the body or a header', () => {
    expect(
      parseAssignments([
        'stop=END',
        'maxTokensField=max_completion_tokens',
        'seed=3',
        'body.chat_template_kwargs.enable_thinking=false',
        'body.chat_template_kwargs.level=high',
        'body.provider={"order":["a"]}',
        `headers.api-key=\${AZURE_KEY}`,
        'headers.x-title=a=b',
      ]),
    ).toEqual({
      settings: {
        stop: ['END'],
        maxTokensField: 'max_completion_tokens',
        seed: 3,
        body: { chat_template_kwargs: { enable_thinking: false, level: 'high' }, provider: { order: ['a'] } },
      },
      headers: { 'api-key': `\${AZURE_KEY}`, 'x-title': 'a=b' },
    })
    expect(parseAssignments(['body={"min_p":0.1}', 'body.top_a=1']).settings).toEqual({
      body: { min_p: 0.1, top_a: 1 },
    })
    expect(parseAssignments(['stop=42', 'stop=["a","b"]']).settings).toEqual({ stop: ['a', 'b'] })
  })

  it.each([
    ['temperatur=1', 'did you mean "temperature"?'],
    ['topK', 'expected a setting'],
    ['topK=x', 'expected a number'],
    ['body.max_tokens=5', '"max_tokens" cannot stand here: write the setting maxTokens'],
  ])('%s is refused in words', (text, words) => {
    expect(() => parseAssignments([text])).toThrow(words)
  })
})
