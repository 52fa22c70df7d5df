import { describe, expect, it } from 'vitest'
import { float } from '../../../src/core/index.ts'
import {
  analysisStream,
  bestSamples,
  itemsForPairs,
  powerRatio,
  type Sampled,
  varianceComponents,
} from '../../../src/libraries/statistics/index.ts'

/** Gaps of n items, shares of them won by one side only. */
const gaps = (n: number, onlyA: number, onlyB: number): number[] =>
  Array.from({ length: n }, (_, i) => (i < n * onlyA ? 1 : i < n * (onlyA + onlyB) ? -1 : 0))

describe('resolution of a pair', () => {
  it('is items over those that the formula for pairs asks for', () => {
    const found = powerRatio(gaps(400, 0.15, 0.1), 0)
    expect(400 / (found.resolution as number)).toBeCloseTo(782.5, 0)
    expect(found.needed).toBe(itemsForPairs(0.15, 0.1) - 400)
    expect(powerRatio(gaps(1000, 0.15, 0.1), 0)).toMatchObject({ needed: 0 })
  })

  it('asks for as many times the items as groups widen the interval, squared', () => {
    const values = gaps(400, 0.15, 0.1)
    const mean = 0.05
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 399
    const alone = powerRatio(values, Math.sqrt(variance / 400))
    const grouped = powerRatio(values, 2 * Math.sqrt(variance / 400))
    expect((alone.resolution as number) / (grouped.resolution as number)).toBeCloseTo(4, 6)
  })

  it('of gaps that are all one is as many items as a proportion of 1 needs', () => {
    const found = powerRatio(gaps(40, 1, 0), 0)
    expect(40 / (found.resolution as number)).toBeCloseTo(3.8415, 3)
    expect(powerRatio([1, 1], 0).needed).toBe(2)
  })

  it('has nothing to see where there is no difference', () => {
    expect(powerRatio(gaps(100, 0.1, 0.1), 0)).toEqual({ resolution: null, needed: null })
    expect(powerRatio([0, 0], 0)).toEqual({ resolution: null, needed: null })
  })
})

describe('noise budget', () => {
  const stream = analysisStream(7, 'noise')
  /** K samples of right or wrong at chance p. */
  const sampled = (p: number, k: number): Sampled => {
    let sum = 0
    for (let i = 0; i < k; i++) if (float(stream) < p) sum++
    return { n: k, sum, squares: sum }
  }

  it('finds both parts of the variance that the pairs were made with', () => {
    const pairs = Array.from({ length: 20_000 }, () => {
      const p = 0.2 + 0.6 * float(stream)
      return { p, a: sampled(p, 3), b: sampled(0.4, 5) }
    })
    const truth = pairs.map(({ p }) => p - 0.4)
    const mean = truth.reduce((sum, x) => sum + x, 0) / truth.length
    const between = truth.reduce((sum, x) => sum + (x - mean) ** 2, 0) / truth.length
    const within = pairs.reduce((sum, { p }) => sum + p * (1 - p) + 0.24, 0) / pairs.length
    const found = varianceComponents(pairs)
    expect(found?.items).toBe(20_000)
    expect(found?.withinItems).toBeCloseTo(within, 2)
    expect(found?.betweenItems).toBeCloseTo(between, 2)
  })

  it('spends as the published rule says', () => {
    const budget = { items: 10, withinItems: 0.2, betweenItems: 0.05 }
    expect(bestSamples(budget, 5)).toBeCloseTo(4.47, 2)
    expect(bestSamples(budget, 0.1)).toBe(1)
    expect(bestSamples({ ...budget, betweenItems: 0 }, 5)).toBeNull()
  })

  it('needs two items that both sampled twice', () => {
    const once = { n: 1, sum: 1, squares: 1 }
    expect(
      varianceComponents([
        { a: once, b: once },
        { a: once, b: once },
      ]),
    ).toBeNull()
  })
})
