import { expect, it } from 'vitest'
import { costOf, mostOf } from '../../../src/runner/money.ts'

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
  expect(mostOf(cents, { input: 4e6, output: 2e6 })).toBe(2)
})

it('costs what was used, at the price of long prompts above their threshold and not at it', () => {
  const price = { input: 1, output: 10, long: { above: 1000, input: 2, output: 20 } }
  expect(costOf(price, { inputTokens: 1000, outputTokens: 100 })).toBeCloseTo(2000 / 1e6, 15)
  expect(costOf(price, { inputTokens: 1001, outputTokens: 100 })).toBeCloseTo(4002 / 1e6, 15)
  expect(costOf(price, { inputTokens: 0, outputTokens: 0 })).toBe(0)
})

it('books the dearest of two prices, and 4096 tokens where nothing limits them', () => {
  const price = { input: 1, output: 30, long: { above: 1000, input: 2, output: 20 } }
  expect(mostOf(price, { input: 10, output: 10 })).toBeCloseTo((20 + 300) / 1e6, 15)
  expect(mostOf(price, { input: 10, output: null })).toBeCloseTo((20 + 30 * 4096) / 1e6, 15)
  expect(mostOf(null, { input: 10, output: null })).toBe(0)
})
