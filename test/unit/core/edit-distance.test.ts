import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from '../../../src/core/index.ts'

/** By its definition, one symbol at a time. */
function plainDistance(a: readonly unknown[], b: readonly unknown[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, symbol] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(
        Math.min((row[j] as number) + (symbol === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1),
      )
    row = next
  }
  return row[b.length] as number
}

const list = fc.array(fc.nat(2), { maxLength: 14 })

it('is the plain distance of any two lists, near or far, one of them empty or not', () => {
  fc.assert(
    fc.property(list, list, (a, b) => {
      expect(editDistance(a, b)).toBe(plainDistance(a, b))
      expect(editDistance([...a, ...b], [...b, ...a])).toBe(plainDistance([...a, ...b], [...b, ...a]))
    }),
    { numRuns: 2000 },
  )
})

it('few edits of a long list are found soon', () => {
  const long = Array.from({ length: 200_000 }, (_, i) => i)
  const edited = [7, ...long.slice(0, 100_000), 'x', ...long.slice(100_003)]
  expect(editDistance(long, edited)).toBe(4)
  expect(editDistance('kitten', 'sitting')).toBe(3)
})
