import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allRows, memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { itemMeans, sampledPairs, sharedItems } from '../../../src/report/analyses/item-means.ts'

const row = fc.record({
  item: fc.constantFrom('i1', 'i2', 'i3', 'i4', 'i5', null),
  side: fc.constantFrom('a', 'b', 'c'),
  right: fc.constantFrom(0, 0.5, 1, Number.NaN),
})

/** Means by item in order of first appearance, with maps. */
function plain(rows: readonly { readonly item: string | null; readonly right: number }[]) {
  const all = new Map<string | null, number[]>()
  for (const { item, right } of rows) if (!Number.isNaN(right)) all.set(item, [...(all.get(item) ?? []), right])
  return all
}

test('shared items have the means of both sides, in the order of the first, whatever pairs were asked before', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
      const frame = memoryFrame({ item: rows.map(({ item }) => item), side: rows.map(({ side }) => side) })
      const right = Float64Array.from(rows, (one) => one.right)
      const of = (side: string) => allRows(frame).filter((at) => rows[at]?.side === side)
      for (const [a, b] of [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a'],
      ] as const) {
        const [mine, theirs] = [itemMeans(frame, right, of(a)), itemMeans(frame, right, of(b))]
        const found = sharedItems(frame, mine, theirs)
        const [x, y] = [a, b].map((side) => plain(rows.filter((one) => one.side === side))) as [
          ReturnType<typeof plain>,
          ReturnType<typeof plain>,
        ]
        const shared = [...x.keys()].filter((item) => y.has(item))
        const mean = (list: readonly number[] = []) => list.reduce((sum, one) => sum + one, 0) / list.length
        expect([...found.rows].map((at) => rows[at]?.item)).toEqual(shared)
        expect([...found.first]).toEqual(shared.map((item) => mean(x.get(item))))
        expect([...found.second]).toEqual(shared.map((item) => mean(y.get(item))))
        expect(sampledPairs(mine, theirs, found).map((pair) => [pair.a.n, pair.b.n])).toEqual(
          shared.map((item) => [x.get(item)?.length, y.get(item)?.length]),
        )
        expect(mine.single).toBe([...x.values()].every((list) => list.length === 1))
      }
    }),
  )
})
