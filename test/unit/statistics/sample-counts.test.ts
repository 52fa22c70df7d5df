import { expect, it } from 'vitest'
import { allRows, memoryFrame, sampleCounts } from '../../../src/libraries/statistics/index.ts'

it('counts the samples of an item and those that are right, without those that have no score', () => {
  const frame = memoryFrame({ item: ['a', 'b', 'a', 'b', 'c', 'a'] })
  const right = Float64Array.from([1, 0, 0, Number.NaN, Number.NaN, 1])
  expect(sampleCounts(frame, right, allRows(frame))).toEqual([
    { row: 0, n: 3, right: 2 },
    { row: 1, n: 1, right: 0 },
  ])
  expect(sampleCounts(frame, right, Int32Array.from([2, 5]))).toEqual([{ row: 2, n: 2, right: 1 }])
})
