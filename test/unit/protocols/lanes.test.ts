import fc from 'fast-check'
import { expect, it } from 'vitest'
import { threadFor } from '../../../src/lab/serve-pool.ts'

const place = fc.record({ task: fc.string(), seed: fc.string() })

it('gives all items of a group to one lane, and groups in a row to the lanes in turn', () => {
  fc.assert(
    fc.property(
      place,
      fc.integer({ min: 1, max: 2000 }),
      fc.nat(1000),
      fc.integer({ min: 1, max: 8 }),
      (at, size, group, lanes) => {
        const laneAt = (index: number): number => threadFor({ ...at, index }, size, lanes)
        const own = laneAt(group * size)
        expect(own).toBeLessThan(lanes)
        expect(laneAt(group * size + size - 1)).toBe(own)
        expect(laneAt((group + 1) * size)).toBe((own + 1) % lanes)
      },
    ),
  )
})

it('keeps a few indices together where nothing is known of groups', () => {
  const lanes = Array.from({ length: 64 }, (_, index) => threadFor({ task: 'a/b', seed: '1', index }, null, 2))
  expect(new Set(lanes).size).toBe(2)
  expect(lanes.filter((lane, i) => i > 0 && lane !== lanes[i - 1])).toHaveLength(3)
})
