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
    ['[]', 'the file: expected an object with asOf and models, came []'],
    ['null', 'the file: expected an object with asOf and models, came null'],
    ['{}', 'asOf: expected a text, when the prices were read, came nothing'],
    ['{"asOf":"x","models":3}', 'models: expected an object of providers, came 3'],
    ['{"asOf":"x","models":{"openai":[1]}}', 'models.openai: expected an object of models, came [1]'],
    [file(3), 'models.openai.gpt-x: expected an object with input and output, came 3'],
    [
      file({ input: '1', output: 2 }),
      'gpt-x.input: expected US dollars for a million tokens (a number of at least 0), came "1"',
    ],
    [
      file({ input: 1 }),
      'gpt-x.output: expected US dollars for a million tokens (a number of at least 0), came nothing',
    ],
    [file({ input: -1, output: 2 }), 'came -1'],
    [
      file({ input: 1, output: 2, maxOutput: 0.5 }),
      'maxOutput: expected a whole number of tokens, at least 1, came 0.5',
    ],
    [
      file({ input: 1, output: 2, cached: 1 }),
      'gpt-x has "cached", which is not known there; it may have input, output',
    ],
    [file({ input: 1, output: 2, long: { above: 1 } }), 'long.input: expected US dollars'],
  ])('that is none is told in words: %s', (text, words) => {
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
