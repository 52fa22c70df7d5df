import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionsByName, keeps } from '../../../src/view/api/index.ts'
import { binOf, binsOf, conditionsOfBin, levelWords } from '../../../src/view/client/parts/features.ts'
import { equalCountBins } from '../../../src/view/server/by-feature.ts'

const counts = fc
  .uniqueArray(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 30 })), {
    minLength: 1,
    maxLength: 60,
    selector: ([value]) => value,
  })
  .map((pairs) => new Map(pairs))

test('bins hold every value once, each with the value it stands at, and conditions leave what they hold', () => {
  fc.assert(
    fc.property(counts, (of) => {
      const bins = equalCountBins(of)
      expect(bins.length).toBeLessThanOrEqual(6)
      const along = binsOf(
        'parameter',
        bins.map(({ at }) => at),
        bins,
      )
      bins.forEach(({ at, low, high }, place) => {
        expect(low <= at && at <= high).toBe(true)
        const conditions = conditionsOfBin(along, { from: place, to: place })
        if (bins.length > 1) expect(binOf(along, conditions)).toEqual({ from: place, to: place })
        for (const value of of.keys()) {
          const holders = bins.filter((one) => one.low <= value && value <= one.high)
          expect(holders).toHaveLength(1)
          const own = conditionsByName(conditions).get('parameter') ?? []
          if (conditions.length > 0) expect(keeps(value, own)).toBe(low <= value && value <= high)
        }
      })
    }),
  )
})

test('a bin is named by its ends, a value by itself', () => {
  const along = binsOf(
    'parameter',
    [2, 9],
    [
      { at: 2, low: 1, high: 4 },
      { at: 9, low: 9, high: 9 },
    ],
  )
  expect([0, 1].map((at) => levelWords(along, at))).toEqual(['1 to 4', '9'])
})
