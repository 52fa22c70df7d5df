import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionsByName, keeps } from '../../../src/view/api/index.ts'
import { binOf, binsOf, conditionsOfStretch, levelWords } from '../../../src/view/client/parts/bins.ts'
import { stretchesOf } from '../../../src/view/server/stretches.ts'

const counts = fc
  .uniqueArray(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 30 })), {
    minLength: 1,
    maxLength: 60,
    selector: ([value]) => value,
  })
  .map((pairs) => new Map(pairs))

test('stretches hold every value once, each with the value it stands at, and conditions leave what they hold', () => {
  fc.assert(
    fc.property(counts, (of) => {
      const stretches = stretchesOf(of)
      expect(stretches.length).toBeLessThanOrEqual(6)
      const along = binsOf(
        'knob',
        stretches.map(({ at }) => at),
        stretches,
      )
      stretches.forEach(({ at, low, high }, place) => {
        expect(low <= at && at <= high).toBe(true)
        const conditions = conditionsOfStretch(along, { from: place, to: place })
        if (stretches.length > 1) expect(binOf(along, conditions)).toEqual({ from: place, to: place })
        for (const value of of.keys()) {
          const holders = stretches.filter((one) => one.low <= value && value <= one.high)
          expect(holders).toHaveLength(1)
          const own = conditionsByName(conditions).get('knob') ?? []
          if (conditions.length > 0) expect(keeps(value, own)).toBe(low <= value && value <= high)
        }
      })
    }),
  )
})

test('a stretch is named by its ends, a value by itself', () => {
  const along = binsOf(
    'knob',
    [2, 9],
    [
      { at: 2, low: 1, high: 4 },
      { at: 9, low: 9, high: 9 },
    ],
  )
  expect([0, 1].map((at) => levelWords(along, at))).toEqual(['1 to 4', '9'])
})
