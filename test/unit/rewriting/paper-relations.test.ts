import { expect, it } from 'vitest'
import { paperBleeds } from '../../../src/libraries/rewriting/relations.ts'

it('a rule that deletes bleeds what stands in the midst of its left side', () => {
  expect(paperBleeds(['abc', ''], 'b')).toBe(true)
  expect(paperBleeds(['abc', ''], 'd')).toBe(false)
})
