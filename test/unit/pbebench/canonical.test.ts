import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pairsKey, partitionKey, scrambledKey } from '../../../src/tasks/pbebench/canonical.ts'

it('has the frozen key of the worked example', () => {
  expect(pairsKey({ inputs: ['ab', 'b'], outputs: ['bb', 'b'] })).toBe('34113a7e213e98118f72a325833edf22')
})

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 5 })
const pairs = fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 6 })
const rename = (text: string): string => [...text].map((letter) => 'dcab'['abcd'.indexOf(letter)]).join('')

it('leaves renaming and reordering alone, as the fence key does', () => {
  fc.assert(
    fc.property(pairs, (list) => {
      const here = { inputs: list.map(([a]) => a), outputs: list.map(([, b]) => b) }
      const there = { inputs: here.inputs.map(rename).reverse(), outputs: here.outputs.map(rename).reverse() }
      expect(pairsKey(there)).toBe(pairsKey(here))
      expect(partitionKey(there.inputs, there.outputs)).toBe(partitionKey(here.inputs, here.outputs))
      const rules = [
        ['b', 'a'],
        ['a', 'dc'],
      ] as const
      const renamed = rules.map(([l, r]) => [rename(l), rename(r)] as const).reverse()
      expect(scrambledKey(there, renamed)).toBe(scrambledKey(here, rules))
    }),
    { numRuns: 200 },
  )
})

it('tells questions apart that no renaming makes equal', () => {
  const key = (inputs: string[], outputs: string[]) => pairsKey({ inputs, outputs })
  expect(key(['ab', 'cd'], ['ab', 'cd'])).not.toBe(key(['ab', 'bc'], ['ab', 'bc']))
  expect(key(['ab'], ['ab'])).not.toBe(key(['ab', 'ab'], ['ab', 'ab']))
})
