import { expect, it } from 'vitest'
import { checkUsage } from '../../../src/models/index.ts'

const bounds = { input: 100, output: 50 }

it('thoughts are no more than all that was written', () => {
  expect(checkUsage({ inputTokens: 20, outputTokens: 30, reasoningTokens: 30 }, bounds).refused).toEqual([])
  const { usage, refused } = checkUsage({ inputTokens: 20, outputTokens: 3, reasoningTokens: 40 }, bounds)
  expect(usage).toEqual({ inputTokens: 20, outputTokens: 3 })
  expect(refused).toEqual(['reasoningTokens 40, where a whole number from 0 to 3 can be'])
  expect(checkUsage({ reasoningTokens: 51 }, bounds).refused.length).toBe(1)
  expect(checkUsage({ outputTokens: 60, reasoningTokens: 55 }, bounds).refused.length).toBe(2)
  expect(checkUsage({ outputTokens: 3, reasoningTokens: 40 }, null).refused.length).toBe(1)
})
