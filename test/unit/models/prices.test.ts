import { describe, expect, it } from 'vitest'
import { parsePrices } from '../../../src/models/prices.ts'

const file = (price: unknown) => JSON.stringify({ asOf: '2026-01-01', models: { openai: { 'gpt-x': price } } })

describe('a price file', () => {
  it('is read as it is', () => {
    expect(parsePrices(file({ input: 1, output: 2 }), 'p.json').models['openai']).toEqual({
      'gpt-x': { input: 1, output: 2 },
    })
  })

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'p.json is not a price file (US dollars per 1M tokens): expected a mapping, got []'],
    ['{}', 'asOf: expected a text, got nothing; models: expected a mapping, got nothing'],
    ['{"asOf":"x","models":3}', 'models: expected a mapping, got 3'],
    ['{"asOf":"x","models":{"openai":[1]}}', 'models.openai: expected a mapping, got [1]'],
    [file(3), 'models.openai.gpt-x: expected a mapping, got 3'],
    [file({ input: '1', output: 2 }), 'gpt-x.input: expected a number, got "1"'],
    [file({ input: 1 }), 'gpt-x.output: expected a number, got nothing'],
    [file({ input: -1, output: 2 }), 'expected a number of at least 0, got -1'],
    [file({ input: 1, output: 2, maxOutput: 0.5 }), 'maxOutput: expected a whole number, got 0.5'],
    [file({ input: 1, output: 2, cached: 1 }), 'gpt-x: unknown key "cached".'],
    [file({ input: 1, output: 2, long: { above: 1 } }), 'long.input: expected a number'],
  ])('that is none is refused with what was expected: %s', (text, words) => {
    const message = ((): string => {
      try {
        parsePrices(text, 'p.json')
      } catch (error) {
        return (error as Error).message
      }
      return 'nothing was thrown'
    })()
    expect(message).toContain(words)
    expect(message).not.toMatch(/✖|Invalid input/u)
  })
})
