import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  allRows,
  clustering,
  clusterMeans,
  clusterSums,
  mean,
  memoryFrame,
  partition,
  rowsByLevel,
} from '../../../src/libraries/statistics/index.ts'

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

test('means of clusters are those of their values, to the last bit', () => {
  const rows = fc.array(
    fc.record({ code: fc.integer({ min: 0, max: 3 }), value: fc.double({ noNaN: true, min: -1e9, max: 1e9 }) }),
  )
  fc.assert(
    fc.property(rows, (list) => {
      const codes = list.map(({ code }) => code)
      const found = clusterMeans(
        list.map(({ value }) => value),
        clustering(codes),
      )
      expect([...found]).toEqual(
        [...new Set(codes)].map((code) => mean(list.filter((row) => row.code === code).map(({ value }) => value))),
      )
    }),
  )
})

test('parts are all rows that agree on the columns, in order of first appearance, missing ones too', () => {
  const level = fc.constantFrom('x', 'y', null)
  fc.assert(
    fc.property(fc.array(fc.record({ a: level, b: level })), (list) => {
      const frame = memoryFrame({ a: list.map(({ a }) => a), b: list.map(({ b }) => b) })
      const first = [...new Set(list.map(({ a }) => a))]
      const expected = first.flatMap((a) =>
        [...new Set(list.filter((row) => row.a === a).map(({ b }) => b))].map((b) => ({
          key: { a, b },
          rows: [...list.keys()].filter((row) => list[row]?.a === a && list[row]?.b === b),
        })),
      )
      expect(partition(frame, ['a', 'b']).map(({ key, rows }) => ({ key, rows: [...rows] }))).toEqual(expected)
    }),
  )
})
