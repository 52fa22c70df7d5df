import { expect, it } from 'vitest'
import { trueMinus } from '../../../src/core/index.ts'

it.each([
  ['-7', '−7'],
  ['-0.500 [-0.750, 0.250]', '−0.500 [−0.750, 0.250]'],
  ['-\u221E', '−\u221E'],
  ['3.0e-9', '3.0e−9'],
  ['p = -1e-7, below 2.5e-3', 'p = −1e−7, below 2.5e−3'],
])('numbers below 0 and their powers of ten have a true minus sign: %s', (text, said) => {
  expect(trueMinus(text)).toBe(said)
})

it.each(['gpt-4', 'lr-1e-5', 'a-b', 'A - B', '2-3', 'node-3e-9b', '--', ''])('what is no number stays: %s', (text) => {
  expect(trueMinus(text)).toBe(text)
})
