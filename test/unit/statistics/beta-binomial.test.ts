import { describe, expect, it, test } from 'vitest'
import { below, float, namedStream } from '../../../src/core/index.ts'
import {
  betaBinomialDifference,
  betaBinomialInterval,
  type DiscordantCount,
  type GroupCount,
} from '../../../src/libraries/statistics/beta-binomial.ts'
import { betaQuantile } from '../../../src/libraries/statistics/distributions/special-functions.ts'
import { clusteredShare, pairedDifference } from '../../../src/libraries/statistics/index.ts'

const FINE = { rho: 96, mu: 320 }
const equal = (rows: number, correct: readonly number[]) => correct.map((one) => ({ rows, correct: one }))
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
/** 1,494 rows in 20 groups, with these numbers of errors. */
const twenty = (errors: readonly number[]) =>
  Array.from({ length: 20 }, (_, i) => ({ rows: i < 14 ? 75 : 74, correct: (i < 14 ? 75 : 74) - (errors[i] ?? 0) }))

function randomGroups(seed: number): GroupCount[] {
  const stream = namedStream('beta-binomial test', String(seed))
  const share = 0.5 + 0.49 * float(stream)
  return Array.from({ length: 1 + below(stream, 12) }, () => {
    const rows = 1 + below(stream, 120)
    const own = Math.min(1, share + 0.4 * (float(stream) - 0.5))
    return { rows, correct: Array.from({ length: rows }, () => float(stream) < own).filter(Boolean).length }
  })
}
const mirrored = (groups: readonly GroupCount[]) =>
  groups.map(({ rows, correct }) => ({ rows, correct: rows - correct }))

describe('the interval of a share over groups', () => {
  // Reference values of a fine grid.
  test.each([
    ['20 groups, all correct', twenty([]), 0.972, 1],
    ['20 groups, one error', twenty([1]), 0.958, 1],
    ['20 groups, one error in each', twenty(times(20, 1)), 0.972, 0.992],
    ['20 groups, 20 errors in one', twenty([20]), 0.929, 0.999],
    ['1 group, all correct', equal(76, [76]), 0.401, 1],
    ['2 groups, all correct', equal(76, times(2, 76)), 0.592, 1],
    ['4 groups, all correct', equal(76, times(4, 76)), 0.789, 1],
    ['8 groups, 8 errors in each', equal(76, times(8, 68)), 0.862, 0.919],
    ['one error in four groups', equal(50, [49, 50, 50, 50]), 0.741, 0.999],
  ])('%s', (_, groups, low, high) => {
    const found = betaBinomialInterval(groups, 0.95, FINE)
    expect(found.low).toBeCloseTo(low, 2.7)
    expect(found.high).toBeCloseTo(high, 2.7)
  })

  const samples = Array.from({ length: 60 }, (_, seed) => randomGroups(seed))

  it('does not depend on the order of groups, and mirrors when correct and incorrect are exchanged', () => {
    for (const groups of samples) {
      const { low, high } = betaBinomialInterval(groups)
      const backwards = betaBinomialInterval(groups.toReversed())
      const mirror = betaBinomialInterval(mirrored(groups))
      for (const [a, b] of [
        [backwards.low, low],
        [backwards.high, high],
        [1 - mirror.high, low],
        [1 - mirror.low, high],
      ])
        expect(a).toBeCloseTo(b as number, 11)
    }
  })

  it('contains the share and the interval of independent rows', () => {
    for (const groups of samples) {
      const { low, high } = betaBinomialInterval(groups)
      const rows = groups.reduce((sum, one) => sum + one.rows, 0)
      const correct = groups.reduce((sum, one) => sum + one.correct, 0)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
      expect(low).toBeLessThanOrEqual(correct / rows)
      expect(high).toBeGreaterThanOrEqual(correct / rows)
      if (correct > 0) expect(low).toBeLessThanOrEqual(betaQuantile(0.025, correct + 0.5, rows - correct + 0.5) + 1e-12)
      if (correct < rows)
        expect(high).toBeGreaterThanOrEqual(betaQuantile(0.975, correct + 0.5, rows - correct + 0.5) - 1e-12)
    }
  })

  it('has its highest limits where every row is correct, and no error that becomes correct raises both limits', () => {
    for (const groups of samples) {
      const now = betaBinomialInterval(groups)
      const all = betaBinomialInterval(groups.map(({ rows }) => ({ rows, correct: rows })))
      expect(all.low).toBeGreaterThanOrEqual(now.low)
      const slack = 0.005 * (now.high - now.low)
      for (const [at, group] of groups.entries()) {
        if (group.correct === 0) continue
        const worse = betaBinomialInterval(groups.with(at, { ...group, correct: group.correct - 1 }))
        expect(worse.low > now.low + slack && worse.high > now.high + slack).toBe(false)
      }
    }
  })

  it('is not wider when every group comes twice, and one group is not narrower than two alike', () => {
    for (const groups of samples) {
      const once = betaBinomialInterval(groups)
      const twice = betaBinomialInterval([...groups, ...groups])
      expect(twice.high - twice.low).toBeLessThanOrEqual((once.high - once.low) * 1.005)
    }
  })

  it('is that of Jeffreys where every group has one row', () => {
    const { low, high } = betaBinomialInterval(equal(1, [...times(30, 1), ...times(10, 0)]))
    expect(low).toBeCloseTo(betaQuantile(0.025, 30.5, 10.5), 9)
    expect(high).toBeCloseTo(betaQuantile(0.975, 30.5, 10.5), 9)
  })

  it('changes by less than .07 from all correct to one error, from two groups of 50 on', () => {
    for (const count of [2, 3, 4, 8, 20]) {
      const all = betaBinomialInterval(equal(50, times(count, 50)))
      const one = betaBinomialInterval(equal(50, [49, ...times(count - 1, 50)]))
      expect(all.low - one.low).toBeGreaterThanOrEqual(0)
      expect(all.low - one.low).toBeLessThan(0.07)
    }
  })

  it('is accurate to 1 % of its width', () => {
    for (const groups of samples.slice(0, 12)) {
      const [fast, exact] = [betaBinomialInterval(groups), betaBinomialInterval(groups, 0.95, FINE)]
      const slack = 0.01 * (exact.high - exact.low)
      expect(Math.abs(fast.low - exact.low)).toBeLessThan(slack)
      expect(Math.abs(fast.high - exact.high)).toBeLessThan(slack)
    }
  })

  it('needs rows', () => expect(() => betaBinomialInterval([])).toThrow('at least one row'))
})

describe('a share of right and wrong rows in groups', () => {
  const rowsOf = (groups: readonly GroupCount[]) => ({
    values: groups.flatMap(({ rows, correct }) => [...times(correct, 1), ...times(rows - correct, 0)]),
    clusters: groups.flatMap(({ rows }, g) => times(rows, g)),
  })
  const shareOf = (groups: readonly GroupCount[]) => {
    const { values, clusters } = rowsOf(groups)
    const found = clusteredShare(values, clusters)
    if (found === null) throw new Error('there are rows')
    return found
  }

  it('has the interval of its counts, whatever the order of rows', () => {
    const groups = equal(76, [60, 70, 76, 50])
    const { values, clusters } = rowsOf(groups)
    const order = values.map((_, i) => (i * 5) % values.length)
    const mixed = clusteredShare(
      order.map((i) => values[i] as number),
      order.map((i) => clusters[i] as number),
    )
    const { low, high } = betaBinomialInterval(groups)
    expect(mixed?.low).toBeCloseTo(low, 12)
    expect(mixed?.high).toBeCloseTo(high, 12)
    expect(mixed).toMatchObject({ n: 304, groups: 4, method: 'beta-binomial over 4 groups, 95 %' })
  })

  it('is highest where all of 1,494 rows are right, and no error moves a limit by more than .07', () => {
    const series = [[], [1], [1, 1, 1], times(5, 1), times(20, 1), times(20, 2), [20], [40]].map((errors) =>
      shareOf(twenty(errors)),
    )
    const [all, one] = series
    for (const { low, high } of series) {
      expect(low).toBeLessThanOrEqual(all?.low ?? 0)
      expect(high).toBeLessThanOrEqual(all?.high ?? 0)
    }
    expect(all?.high).toBe(1)
    expect((all?.low ?? 0) - (one?.low ?? 0)).toBeLessThan(0.07)
  })

  it.each([
    ['all right', 76],
    ['8 of 76 wrong in each', 68],
  ])('%s: more groups are never wider', (_, correct) => {
    const widths = [1, 2, 3, 4, 8, 12, 20, 60].map((count) => {
      const { low, high } = shareOf(equal(76, times(count, correct)))
      return high - low
    })
    for (const [i, width] of widths.entries()) if (i > 0) expect(width).toBeLessThan(widths[i - 1] as number)
  })
})

describe('the difference of two paired shares', () => {
  const alike = (count: number, onlyA: number, onlyB: number) => times(count, { rows: 76, onlyA, onlyB })

  test.each([
    [1, 37, 0, -0.18, 0.72, 0.2],
    [4, 37, 0, 0.12, 0.54, 0.013],
    [8, 20, 15, 0.005, 0.125, 0.037],
    [20, 20, 15, 0.03, 0.101, 0.0003],
    [4, 0, 0, -0.07, 0.07, 1],
  ])('of %i groups with %i to %i rows apart', (count, onlyA, onlyB, low, high, p) => {
    const found = betaBinomialDifference(alike(count, onlyA, onlyB))
    expect(Math.abs(found.low - low)).toBeLessThan(0.01)
    expect(Math.abs(found.high - high)).toBeLessThan(0.01)
    expect(Math.abs(found.p - p)).toBeLessThan(0.01)
  })

  const random = (seed: number): DiscordantCount[] => {
    const stream = namedStream('paired beta-binomial test', String(seed))
    return Array.from({ length: 1 + below(stream, 8) }, () => {
      const rows = 1 + below(stream, 60)
      const onlyA = below(stream, Math.floor(rows / 2) + 1)
      return { rows, onlyA, onlyB: below(stream, Math.floor((rows - onlyA) / 3) + 1) }
    })
  }

  it('mirrors when the systems change places, and excludes 0 exactly where p < .05', () => {
    for (let seed = 0; seed < 40; seed++) {
      const groups = random(seed)
      const found = betaBinomialDifference(groups)
      const swapped = betaBinomialDifference(
        groups.map(({ rows, onlyA, onlyB }) => ({ rows, onlyA: onlyB, onlyB: onlyA })),
      )
      expect(swapped.low).toBeCloseTo(-found.high, 6)
      expect(swapped.p).toBeCloseTo(found.p, 6)
      expect(found.low > 0 || found.high < 0).toBe(found.p < 0.05)
    }
  })

  it.each([1, 3])('keeps the digits of a small p whichever system wins: groups of %i', (rows) => {
    const both = [
      { rows, onlyA: rows, onlyB: 0 },
      { rows, onlyA: 0, onlyB: rows },
    ].map((group) => betaBinomialDifference(times(60, group)).p)
    expect(both[0]).toBeGreaterThan(0)
    expect(both[0]).toBeLessThan(1e-12)
    expect((both[1] as number) / (both[0] as number)).toBeCloseTo(1, 6)
  })

  it('is that of paired rows, item by item', () => {
    const groups = alike(4, 37, 0).flatMap(({ rows, onlyA }, g) =>
      Array.from({ length: rows }, (_, i) => [g, i < onlyA]),
    )
    const found = pairedDifference(
      groups.map(() => 1),
      groups.map(([, wins]) => (wins === true ? 0 : 1)),
      groups.map(([g]) => Number(g)),
    )
    const { difference: value, low, high, p } = betaBinomialDifference(alike(4, 37, 0))
    const method = 'paired, beta-binomial over 4 groups, 95 %'
    expect(found).toMatchObject({ kind: 'shares', p, difference: { value, low, high, n: 304, groups: 4, method } })
  })

  it('is McNemar with mid-p where rows are single', () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ rows: 1, onlyA: i < 9 ? 1 : 0, onlyB: i >= 98 ? 1 : 0 }))
    // 2 (P(X <= 1) + P(X = 2) / 2), X ~ Binomial(11, 1/2).
    expect(betaBinomialDifference(rows).p).toBeCloseTo((2 * (12 + 55 / 2)) / 2048, 6)
  })
})
