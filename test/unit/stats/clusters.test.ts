import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allRows, clustering, clusterSums, rowsByLevel } from '../../../src/stats/index.ts'

const codes = fc.oneof(
  fc.array(fc.integer({ min: -5, max: 5 })),
  fc.array(fc.constantFrom(-(2 ** 31), -1, 0, 7, 2 ** 31 - 1)),
)

test('clusters are numbered as they appear, close together or far apart', () => {
  fc.assert(
    fc.property(codes, (list) => {
      const order = [...new Set(list)]
      const { count, of, sizes, firsts } = clustering(list)
      expect(count).toBe(order.length)
      expect([...of]).toEqual(list.map((code) => order.indexOf(code)))
      expect([...sizes]).toEqual(order.map((code) => list.filter((one) => one === code).length))
      expect([...firsts]).toEqual(order.map((code) => list.indexOf(code)))
      expect([...clusterSums(list, clustering(list))]).toEqual(
        order.map((code) => list.filter((one) => one === code).reduce((sum, one) => sum + one, 0)),
      )
    }),
  )
})

test('rows by level are all rows of a level, in order; others are in none', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1, max: 4 })), (list) => {
      const found = rowsByLevel(allRows(list), Int32Array.from(list), 4)
      expect(found.map((rows) => [...rows])).toEqual(
        [0, 1, 2, 3].map((level) => [...list.keys()].filter((row) => list[row] === level)),
      )
    }),
  )
})
