import { describe, expect, it } from 'vitest'
import { settingsAs, settingsFrom, settingsSchema } from '../../../src/models/index.ts'
import { SETTINGS, type Settings, settingFlags, writeSettings } from '../../../src/models/settings.ts'

const all: Settings = {
  temperature: 0.5,
  topP: 0.9,
  topK: 20,
  maxTokens: 10,
  seed: 1,
  effort: 'low',
  thinkingBudget: 1024,
}

describe('the table of settings', () => {
  it('is what an experiment may write', () => {
    expect(settingsSchema.parse(all)).toEqual(all)
    expect(Object.keys(all)).toEqual(Object.keys(SETTINGS))
    for (const wrong of [{ topK: 0 }, { topP: 2 }, { effort: 'most' }, { top_k: 1 }])
      expect(settingsSchema.safeParse(wrong).success).toBe(false)
  })

  it('names settings in other tools, and back', () => {
    expect(settingsFrom('inspect', settingsAs('inspect', all))).toEqual(all)
    expect(settingsAs('everyEvalEver', all)).toEqual({ temperature: 0.5, top_p: 0.9, top_k: 20, max_tokens: 10 })
    expect(settingsFrom('inspect', { top_k: null, temperature: [], other: 1 })).toEqual({})
  })

  it('says what a wire format takes, and what is ignored', () => {
    expect(writeSettings({ topK: 20, seed: 1 }, 'openai-compatible')).toEqual({
      fields: { top_k: 20, seed: 1 },
      ignored: [],
    })
    expect(writeSettings({ topK: 20, seed: 1 }, 'openai')).toEqual({ fields: { seed: 1 }, ignored: ['topK'] })
    expect(writeSettings({ effort: 'low' }, 'llama').ignored).toEqual(['effort'])
  })

  it('has the options of the command line', () => {
    expect(Object.keys(settingFlags)).toEqual(Object.keys(all).filter((name) => name !== 'seed'))
    expect(settingFlags.topK.parse('20')).toBe(20)
    expect(settingFlags.effort.parse('none')).toBe('none')
    expect(() => settingFlags.topK.parse('x')).toThrow('expected a number, came "x"')
    expect(() => settingFlags.topK.parse('')).toThrow('expected a number')
  })
})
