import { expect, it } from 'vitest'
import * as statistics from '../../../src/libraries/statistics/index.ts'

it('a program that uses the package plans and judges a study with the numbers of docs/statistics.md', () => {
  const { itemsForMargin, itemsForPairs, powerOfPairs, designEffect, pairedDifference } = statistics
  expect(itemsForMargin(0.05)).toBe(385)
  expect(itemsForPairs(0.15, 0.1)).toBe(783)
  expect(powerOfPairs(0.15, 0.1, 783)).toBeCloseTo(0.8, 3)
  expect(designEffect(10, 0.05)).toBeCloseTo(1.45, 12)
  expect(pairedDifference([1, 0.5, 1, 1], [0, 0.5, 1, 0], [1, 1, 2, 2])).toMatchObject({ kind: 'even', p: 0.5 })
})
