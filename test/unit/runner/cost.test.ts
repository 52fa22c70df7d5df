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
