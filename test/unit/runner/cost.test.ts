import { expect, it } from 'vitest'
import { providers } from '../../../src/models/index.ts'
import type { RunModel } from '../../../src/runner/index.ts'
import {
  boundsOf,
  costOf,
  estimateTokens,
  maxCost,
  maxOutputTokens,
  requireMaxTokens,
  requirePrices,
} from '../../../src/runner/money/cost.ts'

const cents = { input: 0.25, output: 0.5 }

it.each([[{ inputTokens: 1000 }], [{ outputTokens: 1000 }], [{}]])(
  'knows no cost of %j: both counts are needed',
  (usage) => {
    expect(costOf(cents, usage)).toBeUndefined()
  },
)

it('has none without a price', () => {
  expect(costOf(null, { inputTokens: 1, outputTokens: 1 })).toBeUndefined()
})

it('books prices below one dollar as they are', () => {
  expect(maxCost(cents, { input: 4e6, output: 2e6 })).toBe(2)
})

it('costs what was used, at the price of long prompts above their threshold and not at it', () => {
  const price = { input: 1, output: 10, long: { above: 1000, input: 2, output: 20 } }
  expect(costOf(price, { inputTokens: 1000, outputTokens: 100 })).toBeCloseTo(2000 / 1e6, 15)
  expect(costOf(price, { inputTokens: 1001, outputTokens: 100 })).toBeCloseTo(4002 / 1e6, 15)
  expect(costOf(price, { inputTokens: 0, outputTokens: 0 })).toBe(0)
})

it('books the dearest of two prices, and 4096 tokens where nothing limits them', () => {
  const price = { input: 1, output: 30, long: { above: 1000, input: 2, output: 20 } }
  expect(maxCost(price, { input: 10, output: 10 })).toBeCloseTo((20 + 300) / 1e6, 15)
  expect(maxCost(price, { input: 10, output: null })).toBeCloseTo((20 + 30 * 4096) / 1e6, 15)
  expect(maxCost(null, { input: 10, output: null })).toBe(0)
})

const model = (name: string, more: Partial<RunModel> = {}): RunModel => ({
  name,
  spec: `openai:${name}`,
  options: {},
  settings: [{}],
  samples: 1,
  subsample: null,
  attributes: {},
  price: null,
  ...more,
})

it('takes four characters for a token, and a part of four for a whole one', () => {
  expect([0, 1, 4, 5, 8, 9, 1000].map(estimateTokens)).toEqual([0, 1, 1, 2, 2, 3, 250])
})

it('knows the most output by the settings, by the price, or by the less of both', () => {
  const by = (maxOutput: number | undefined, maxTokens: number | undefined) =>
    maxOutputTokens({ price: { input: 1, output: 1, maxOutput } }, maxTokens === undefined ? {} : { maxTokens }, {})
  expect([by(undefined, undefined), by(500, undefined), by(undefined, 300)]).toEqual([null, 500, 300])
  expect([by(500, 300), by(200, 300), by(300, 300)]).toEqual([300, 200, 300])
  expect(maxOutputTokens({ price: null }, { maxTokens: 7 }, {})).toBe(7)
  expect(maxOutputTokens({ price: null }, { maxTokens: 7 }, { maxOutput: () => 70 })).toBe(70)
})

it('bounds the input of a call by its bytes and a template, five times for each string that is scored', () => {
  const messages = ['abc', 'ä€𝄞', ''].map((content) => ({ role: 'user', content }) as const)
  const chat = { kind: 'chat', messages } as const
  expect(boundsOf(chat, 20, null)).toEqual({ input: 1024 + 3 + 2 + 3 + 4, output: 20 })
  expect(boundsOf(chat, null, null)).toEqual({ input: 1036, output: null })
  expect(boundsOf({ kind: 'score', context: 'ab', text: 'cde' }, null, 3)).toEqual({ input: 1029 * 15, output: 15 })
})

it('needs a price under a limit, of models that cost money, and names those without', () => {
  const priced = model('known', { price: cents })
  const free = model('free', { spec: 'baseline:first' })
  expect(() => requirePrices([priced, free], 5, providers)).not.toThrow()
  expect(() => requirePrices([model('a'), priced, model('b')], undefined, providers)).not.toThrow()
  expect(() => requirePrices([model('a'), priced, model('b')], 5, providers)).toThrow(
    /a cost limit of \$5 needs the price of a, b\. Add --price/u,
  )
})

it('needs an end of what a call can bring under a limit, where output costs and any settings leave it open', () => {
  const chat = { kind: 'chat' } as Parameters<typeof requireMaxTokens>[1][number]
  const endless = model('endless', { price: cents, settings: [{ maxTokens: 5 }, {}] })
  const asks =
    (one: RunModel, usd: number | null = 5, route = chat) =>
    () =>
      requireMaxTokens([one], [route], usd)
  expect(asks(endless)).toThrow(/a cost limit of \$5 needs the most output of a call to endless:/u)
  expect(asks(endless, null)).not.toThrow()
  expect(asks({ ...endless, settings: [{ maxTokens: 5 }] })).not.toThrow()
  expect(asks({ ...endless, price: null })).not.toThrow()
  expect(asks({ ...endless, price: { input: 1, output: 0 } })).not.toThrow()
  expect(asks(endless, 5, { ...chat, kind: 'score' } as typeof chat)).not.toThrow()
})
