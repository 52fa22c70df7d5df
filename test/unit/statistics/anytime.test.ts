import { describe, expect, it } from 'vitest'
import { below, namedStream } from '../../../src/core/index.ts'
import { anytimeInterval, anytimePath, anytimeTest } from '../../../src/libraries/statistics/index.ts'
import { sample } from '../../nightly.ts'

/** Pairs of answers of two models: the difference of one unit. */
const pairs = (name: string, a: number, b: number, n: number): number[] => {
  const stream = namedStream('anytime', name)
  const one = (rate: number): number => (below(stream, 1000) < 1000 * rate ? 1 : 0)
  return Array.from({ length: n }, () => one(a) - one(b))
}

describe('an anytime test', () => {
  it('is wrong in at most alpha of runs, though it is looked at every 25 units of 1,000', () => {
    const runs = sample({ nightly: 400, otherwise: 120 })
    let wrong = 0
    for (let run = 0; run < runs; run++) {
      const units = pairs(`equal ${run}`, 0.6, 0.6, 1000)
      for (let seen = 25; seen <= units.length; seen += 25) {
        const { above, below: less } = anytimeTest(units.slice(0, seen))
        if (above < 40 && less < 40) continue
        wrong++
        break
      }
    }
    expect(wrong / runs).toBeLessThanOrEqual(0.05)
  })

  it('finds twenty points in some hundred units', () => {
    const needed = Array.from({ length: 40 }, (_, run) => {
      const units = pairs(`apart ${run}`, 0.7, 0.5, 1500)
      return 1 + units.findIndex((_unit, i) => i % 25 === 24 && anytimeTest(units.slice(0, i + 1)).above >= 40)
    }).sort((x, y) => x - y)
    expect(needed[0]).toBeGreaterThan(0)
    expect(needed[20]).toBeLessThan(250)
  })

  it('is the wealth of bets, by hand: one unit of 1 and one of -1', () => {
    const stakes = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 0.9]
    const mean = stakes.reduce((sum, stake) => sum + (1 + stake) * (1 - stake), 0) / stakes.length
    const found = anytimeTest([1, -1])
    expect(found.above).toBeCloseTo(mean, 12)
    expect(found.below).toBeCloseTo(mean, 12)
    expect(found.mean).toBe(0)
  })

  it('says the same unit by unit', () => {
    const units = pairs('path', 0.7, 0.5, 60)
    const { above, below: less } = anytimePath(units)
    for (const end of [1, 2, 25, 60]) {
      const there = anytimeTest(units.slice(0, end))
      expect(above[end - 1]).toBeCloseTo(there.above, 9)
      expect(less[end - 1]).toBeCloseTo(there.below, 9)
    }
    expect(anytimePath([]).above).toHaveLength(0)
    expect(() => anytimePath([2])).toThrow(/from -1 to 1/)
    for (const unit of [-0.1, 1.1, Number.NaN])
      expect(() => anytimeInterval([0.5, unit], 0.05)).toThrow(`a unit is a number from 0 to 1, got ${unit}`)
  })

  it('stays a number whatever comes', () => {
    expect(anytimeTest(new Float64Array(100_000).fill(1)).above).toBe(Number.MAX_VALUE)
    expect(() => anytimeTest([1.5])).toThrow(/from -1 to 1/)
    expect(() => anytimeTest([Number.NaN])).toThrow(RangeError)
  })
})

describe('an anytime interval', () => {
  it('holds the mean at all looks of at least 95 % of runs', () => {
    const runs = sample({ nightly: 300, otherwise: 40 })
    let missed = 0
    for (let run = 0; run < runs; run++) {
      const units = pairs(`interval ${run}`, 0.3, 0, 400)
      for (let seen = 50; seen <= units.length; seen += 50) {
        const found = anytimeInterval(units.slice(0, seen), 0.05)
        if (found !== null && found.low <= 0.3 && found.high >= 0.3) continue
        missed++
        break
      }
    }
    expect(missed / runs).toBeLessThanOrEqual(0.05)
  })

  it('is not much wider than a fixed one: .06 each way at 1,000 units', () => {
    const { mean, low, high } = anytimeInterval(pairs('width', 0.5, 0, 1000), 0.05) ?? { mean: 0, low: 0, high: 0 }
    expect(low).toBeLessThan(mean)
    expect(high - low).toBeLessThan(0.13)
    expect(anytimeInterval([], 0.05)).toBeNull()
    expect(anytimeInterval([1, 1, 1], 0.05)).toMatchObject({ mean: 1, high: 1 })
  })
})
