import fc from 'fast-check'
import { expect, test } from 'vitest'
import { below } from '../../../src/core/index.ts'
import { analysisStream, distinctGroups, drawnKinds } from '../../../src/libraries/statistics/index.ts'

const columns = fc
  .array(fc.tuple(fc.constantFrom(0, 1, 0.5), fc.constantFrom(0, 1)), { minLength: 1, maxLength: 30 })
  .map((groups) => [Float64Array.from(groups, ([a]) => a), Float64Array.from(groups, ([, b]) => b)] as const)

test('groups are of one kind where no column tells them apart', () => {
  fc.assert(
    fc.property(columns, ([a, b]) => {
      const { kindOf, firsts } = distinctGroups([a, b], a.length)
      for (let g = 0; g < a.length; g++)
        for (let h = 0; h < a.length; h++) expect(kindOf[g] === kindOf[h]).toBe(a[g] === a[h] && b[g] === b[h])
      expect([...firsts]).toEqual([...firsts.keys()].map((kind) => kindOf.indexOf(kind)))
    }),
  )
})

test('a draw of few groups is one of groups', () => {
  fc.assert(
    fc.property(columns, ([a, b]) => {
      const kinds = distinctGroups([a, b], a.length)
      expect([...kinds.counts]).toEqual(
        [...kinds.counts.keys()].map((kind) => kinds.kindOf.filter((one) => one === kind).length),
      )
      if (a.length >= 8 * kinds.counts.length) return
      const [one, other] = [analysisStream(1, 'draw'), analysisStream(1, 'draw')]
      const groups = Array.from(a, () => below(other, a.length))
      const drawn = drawnKinds(kinds, one)
      expect([...drawn]).toEqual([...drawn.keys()].map((kind) => groups.filter((g) => kinds.kindOf[g] === kind).length))
    }),
  )
})

test('a draw of many groups of few kinds has their number, and their means and covariances', () => {
  const shares = [0.5, 0.3, 0.15, 0.05]
  const groups = 2000
  const column = Float64Array.from({ length: groups }, (_, g) =>
    shares.findIndex((_share, k) => g < groups * shares.slice(0, k + 1).reduce((x, y) => x + y) - 1e-9),
  )
  const kinds = distinctGroups([column], groups)
  expect([...kinds.counts]).toEqual(shares.map((share) => groups * share))
  const stream = analysisStream(1, 'many')
  const draws = 4000
  const drawn = Array.from({ length: draws }, () => drawnKinds(kinds, stream))
  for (const one of drawn) expect(one.reduce((x, y) => x + y)).toBe(groups)
  for (const [i, p] of shares.entries())
    for (const [j, q] of shares.entries()) {
      const products = drawn.map((one) => ((one[i] as number) - groups * p) * ((one[j] as number) - groups * q))
      const covariance = groups * (i === j ? p * (1 - p) : -p * q)
      const found = products.reduce((x, y) => x + y) / draws
      const error = Math.sqrt(products.reduce((x, y) => x + (y - found) ** 2, 0)) / draws
      expect(Math.abs(found - covariance), `${i} ${j}`).toBeLessThan(4.5 * error)
    }
})
