import fc from 'fast-check'
import { expect, test } from 'vitest'
import { below } from '../../../src/core/index.ts'
import { analysisStream, drawnKinds, groupKinds, kindCounts } from '../../../src/stats/index.ts'

const columns = fc
  .array(fc.tuple(fc.constantFrom(0, 1, 0.5), fc.constantFrom(0, 1)), { minLength: 1, maxLength: 30 })
  .map((groups) => [Float64Array.from(groups, ([a]) => a), Float64Array.from(groups, ([, b]) => b)] as const)

test('groups are of one kind where no column tells them apart', () => {
  fc.assert(
    fc.property(columns, ([a, b]) => {
      const { kindOf, firsts } = groupKinds([a, b], a.length)
      for (let g = 0; g < a.length; g++)
        for (let h = 0; h < a.length; h++) expect(kindOf[g] === kindOf[h]).toBe(a[g] === a[h] && b[g] === b[h])
      expect([...firsts]).toEqual([...firsts.keys()].map((kind) => kindOf.indexOf(kind)))
    }),
  )
})

test('a draw of kinds is one of groups', () => {
  fc.assert(
    fc.property(columns, ([a, b]) => {
      const kinds = groupKinds([a, b], a.length)
      const [one, other] = [analysisStream(1, 'draw'), analysisStream(1, 'draw')]
      const groups = Array.from(a, () => below(other, a.length))
      const drawn = drawnKinds(kinds, one)
      expect([...drawn]).toEqual([...drawn.keys()].map((kind) => groups.filter((g) => kinds.kindOf[g] === kind).length))
      expect([...kindCounts(kinds)]).toEqual(
        [...drawn.keys()].map((kind) => kinds.kindOf.filter((one) => one === kind).length),
      )
    }),
  )
})
