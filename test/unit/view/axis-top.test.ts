import { expect, it } from 'vitest'
import { axisTop } from '../../../src/view/client/parts/features.ts'

it('ends an axis at twice its highest mark where an interval of two groups reaches beyond, and else where intervals end', () => {
  expect(axisTop([{ value: 1000, high: 1500 }])).toBeNull()
  expect(
    axisTop([
      { value: 1000, high: 1500 },
      { value: 400, high: 9000 },
    ]),
  ).toBe(2000)
  expect(axisTop([{ value: 0, high: 0 }])).toBeNull()
  expect(axisTop([])).toBeNull()
})
