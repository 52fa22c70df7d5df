import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../src/core/index.ts'
import {
  allOfK,
  clusterBootstrap,
  clusteredMean,
  clusteredMeanEstimate,
  clusteredShare,
  designEffect,
  detectableMean,
  entropy,
  itemsForMargin,
  itemsForPairs,
  kl,
  pairedDifference,
  passAtK,
  powerOfPairs,
  signFlipTest,
  smoothed,
  standardError,
  uniform,
  wilson,
} from '../../../src/libraries/statistics/index.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

const stream = (seed: number) => {
  const made = new Sfc32(seed, 1, 2, 3)
  for (let i = 0; i < 20; i++) made.u32()
  return made
}

describe('clustered means and shares', () => {
  const rows = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 6 })), { minLength: 2, maxLength: 60 })
  it('rows that are their own clusters give sd / sqrt(n)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2 }), (values) => {
        const found = clusteredMean(
          values,
          values.map((_, i) => i),
        )
        expectClose(found.standardError as number, standardError(values) as number, 1e-12, 1e-15)
      }),
    )
  })
  it('writing every row twice into its cluster changes no error', () => {
    fc.assert(
      fc.property(rows, (sample) => {
        const values = sample.map(([v]) => Number(v))
        const clusters = sample.map(([, c]) => c)
        const once = clusteredMean(values, clusters)
        const twice = clusteredMean([...values, ...values], [...clusters, ...clusters])
        expect(twice.clusters).toBe(once.clusters)
        expectClose(twice.standardError ?? 0, once.standardError ?? 0, 1e-12, 1e-15)
      }),
    )
  })
  it('a share stays in 0..1, holds its value, and is never narrower than that of independent rows', () => {
    fc.assert(
      fc.property(rows, (sample) => {
        const values = sample.map(([v]) => Number(v))
        const found = clusteredShare(
          values,
          sample.map(([, c]) => c),
        )
        if (found === null) throw new Error('a share of some values exists')
        expect(0 <= found.low && found.low <= found.value && found.value <= found.high && found.high <= 1).toBe(true)
        const simple = clusteredShare(values, [...values.keys()])
        expect(found.high - found.low).toBeGreaterThanOrEqual(
          (simple?.high as number) - (simple?.low as number) - 1e-12,
        )
      }),
    )
    expect(clusteredShare([], [])).toBeNull()
    expect(clusteredShare([1, 0, 1], [4, 4, 4])?.method).toBe('beta-binomial over 1 group, 95 %')
    expect(clusteredShare([1, 0, 1], [1, 2, 3])?.method).toBe('beta, rows as independent, 95 %')
    expect(clusteredShare([1, 0.5, 1], [4, 4, 4])?.method).toContain('Wilson 95 %, rows of one group as independent')
    expect(clusteredMeanEstimate([1, 2], [0, 0])).toBeNull()
  })
  it('scores between 0 and 1 vary less than right and wrong; equal ones still have a width', () => {
    const scored = Array.from({ length: 100 }, (_, i) => 0.5 + (i % 2 === 0 ? 0.1 : -0.1))
    const rows = scored.map((_, i) => i)
    const found = clusteredShare(scored, rows)
    const { low, high } = clusteredMeanEstimate(scored, rows) ?? { low: 0, high: 0 }
    expectClose((found?.high ?? 0) - (found?.low ?? 0), high - low, 0.01)
    const equal = clusteredShare(
      rows.map(() => 1 / 3),
      rows.map((i) => i % 5),
    )
    const five = wilson(0, 5)
    expect((equal?.high ?? 0) - (equal?.low ?? 0)).toBeGreaterThan((five?.high ?? 1) - (five?.low ?? 0))
  })
  it('covers the true share about as often as promised when clusters correlate', () => {
    const draws = stream(11)
    let covered = 0
    const trials = 600
    for (let trial = 0; trial < trials; trial++) {
      const values: number[] = []
      const clusters: number[] = []
      for (let g = 0; g < 25; g++) {
        const p = draws.u32() % 2 === 0 ? 0.4 : 0.8
        for (let i = 0; i < 12; i++) {
          values.push(draws.u32() / 2 ** 32 < p ? 1 : 0)
          clusters.push(g)
        }
      }
      const found = clusteredShare(values, clusters)
      if (found !== null && found.low <= 0.6 && 0.6 <= found.high) covered++
    }
    // Binomial(600, 0.95) falls outside 0.92..0.98 with probability below 0.002; the draws are fixed.
    expect(covered / trials).toBeGreaterThan(0.92)
    expect(covered / trials).toBeLessThan(0.985)
  })
})

describe('bootstrap', () => {
  const values = Array.from({ length: 200 }, (_, i) => ((i * 37) % 11) - ((i % 10) * 3) / 4)
  const clusters = values.map((_, i) => i % 10)
  it('is reproducible, and near the analytic interval', () => {
    const total = (counts: Int32Array, of: (row: number) => number) =>
      values.reduce((sum, _, i) => sum + (counts[clusters[i] as number] as number) * of(i), 0)
    const meanOf = (counts: Int32Array) => total(counts, (i) => values[i] as number) / total(counts, () => 1)
    const resampled = () => clusterBootstrap(10, values.length, meanOf, { stream: stream(5) })
    const once = resampled()
    expect(resampled()).toEqual(once)
    const { mean, standardError: se } = clusteredMean(values, clusters)
    expectClose(once?.value as number, mean, 1e-12)
    // A percentile interval lacks the factor sqrt(G/(G-1)).
    const half = 1.96 * (se as number) * Math.sqrt(9 / 10)
    expectClose(once?.low as number, mean - half, 0, half / 4)
    expectClose(once?.high as number, mean + half, 0, half / 4)
  })
  it('leaves out undefined resamples, and says so', () => {
    const found = clusterBootstrap(4, 4, (counts) => ((counts[0] as number) > 0 ? (counts[0] as number) : null), {
      stream: stream(1),
      draws: 500,
    })
    expect(found?.method).toMatch(/500 draws, \d+ undefined/)
    expect(clusterBootstrap(1, 9, () => 1, { stream: stream(1) })).toBeNull()
  })
})

describe('paired tests', () => {
  it('is the t test of the differences when clusters are rows', () => {
    const a = [0.9, 0, 0.9, 0.9, 0, 0.9]
    const b = [0, 0, 0.9, 0, 0, 0]
    const found = pairedDifference(a, b, [0, 1, 2, 3, 4, 5])
    expectClose(found?.difference.value as number, 0.45, 1e-15)
    if (found?.kind !== 'varied') throw new Error('these differences vary')
    expectClose(found.t, 0.5 / (Math.sqrt(0.3) / Math.sqrt(6)), 1e-12)
    expectClose(found.df, 5, 1e-12)
    expect(pairedDifference([1, 0.5], [0, 0], [3, 3])).toBeNull()
    expect(() => pairedDifference([2], [0], [0])).toThrow('a score lies in 0..1, got 2 at 0')
  })
  it('one difference in all groups: sign flips and an interval that has a width', () => {
    const of = (a: number, b: number, groups: number) => {
      const rows = Array.from({ length: groups }, (_, g) => g)
      const found = pairedDifference(
        rows.map(() => a),
        rows.map(() => b),
        rows,
      )
      if (found?.kind !== 'even') throw new Error('these differences are even')
      return found
    }
    expect(of(0.75, 0.25, 2)).toMatchObject({ p: 0.5, difference: { value: 0.5 } })
    expect(of(0.75, 0.25, 2).difference.low).toBeLessThan(-0.9)
    expect(of(0.25, 0.75, 20)).toMatchObject({ p: 2 ** -19, difference: { value: -0.5 } })
    expect(of(0.25, 0.75, 20).difference.high).toBeGreaterThan(-0.4)
    // Thirds leave rounding where there is no error.
    expect(of(2 / 3, 1 / 3, 7).p).toBe(2 ** -6)
    const same = of(1 / 3, 1 / 3, 20)
    expect(same.p).toBe(1)
    expect([same.difference.value, same.difference.low]).toEqual([0, -same.difference.high])
    const flips = signFlipTest([1, 1, 1, 1, 1], [0, 1, 2, 3, 4], { stream: stream(1) })
    expect(of(0.75, 0.25, 5).p).toBe(flips.p)
  })
  it('the interval of a difference stays in -1..1', () => {
    const scores = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(4)), { minLength: 2, maxLength: 30 })
    fc.assert(
      fc.property(scores, (sample) => {
        const found = pairedDifference(
          sample.map(([a]) => a / 3),
          sample.map(([, b]) => b / 3),
          sample.map(([, , group]) => group),
        )
        if (found === null) return
        const { value, low, high } = found.difference
        expect(-1 <= low && low <= value && value <= high && high <= 1 && low < high).toBe(true)
        expect(found.p > 0 && found.p <= 1).toBe(true)
      }),
    )
  })
  it('sign flips: exact on few clusters, close to it when sampled', () => {
    const d = [1, 1, 1, 0, 1, 1, -1, 1, 1, 1]
    const own = d.map((_, i) => i)
    // 8 up and 1 down of nine signs that matter: 2 (1 + 9) / 2^9.
    expect(signFlipTest(d, own, { stream: stream(3) })).toMatchObject({ method: 'exact', p: 20 / 512 })
    const many = Array.from({ length: 40 }, (_, i) => (i % 5 === 0 ? -1 : 1))
    const sampled = signFlipTest(
      many,
      many.map((_, i) => i),
      { stream: stream(3), draws: 20000 },
    )
    expect(sampled.method).toBe('sampled')
    expect(sampled.p).toBeLessThan(0.002)
    expect(
      signFlipTest(
        many.map(() => 0),
        many.map((_, i) => i),
        { stream: stream(3), draws: 200 },
      ).p,
    ).toBe(1)
  })
})

describe('pass@k', () => {
  it('is the mean over all k-subsets', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }), fc.nat(8), (samples, extra) => {
        const k = (extra % samples.length) + 1
        let [any, all, subsets] = [0, 0, 0]
        for (let set = 0; set < 2 ** samples.length; set++) {
          const chosen = samples.filter((_, i) => (set >> i) & 1)
          if (chosen.length !== k) continue
          subsets++
          if (chosen.some(Boolean)) any++
          if (chosen.every(Boolean)) all++
        }
        const right = samples.filter(Boolean).length
        expectClose(passAtK(samples.length, right, k), any / subsets, 1e-12, 1e-15)
        expectClose(allOfK(samples.length, right, k), all / subsets, 1e-12, 1e-15)
      }),
    )
    expect(() => passAtK(3, 1, 4)).toThrow('pass@4 needs at least 4 samples of an item, got 3')
    for (const [n, c, k] of [
      [4, -1, 2],
      [4, 5, 2],
      [4, 1, 0],
      [4.5, 1, 2],
      [4, 1.5, 2],
      [4, 1, 1.5],
      [Number.NaN, 1, 1],
    ] as const)
      for (const share of [passAtK, allOfK])
        expect(() => share(n, c, k)).toThrow(
          `needs whole numbers 0 <= c <= n and k >= 1, got n = ${n}, c = ${c}, k = ${k}`,
        )
  })
})

describe('divergence', () => {
  it('gives the published smoothed values', () => {
    const one = uniform(16).map((_, i) => (i === 0 ? 64 : 0))
    expectClose(kl(uniform(16), smoothed(one, 1e-8)), 18.4, 0, 0.005)
    const four = uniform(16).map((_, i) => (i === 0 ? 52 : i < 4 ? 4 : 0))
    expect(kl(uniform(16), smoothed(four, 1e-8))).toBeGreaterThan(10)
  })
  it('is zero between equals only, and infinite where support is missing', () => {
    expect(kl([0.5, 0.5], [0.5, 0.5])).toBe(0)
    expect(kl([0.5, 0.5], [1, 0])).toBe(Number.POSITIVE_INFINITY)
    expectClose(entropy(uniform(8)), Math.log(8), 1e-14)
    expect(() => kl([0.5, 0.4], [0.5, 0.5])).toThrow(/sum to 1/)
  })
})

describe('power', () => {
  it('agrees with statsmodels on margins', () => {
    for (const [half, p, n] of fixture<{ margin: [number, number, number][] }>('tests').margin) {
      expect(Math.abs(itemsForMargin(half, p) - n)).toBeLessThanOrEqual(1)
    }
  })
  it('sizes reach the power asked for, a fifth fewer does not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 45 }), fc.integer({ min: 3, max: 40 }), (base, gap) => {
        const m = itemsForPairs((base + gap) / 200, base / 300)
        expect(powerOfPairs((base + gap) / 200, base / 300, m)).toBeGreaterThanOrEqual(0.7999)
        expect(powerOfPairs((base + gap) / 200, base / 300, m * 0.8)).toBeLessThan(0.8)
      }),
    )
  })
  it('published examples', () => {
    expect(itemsForMargin(0.02)).toBe(2401)
    // A half standard deviation is seen on 32 pairs (Cohen's table, two-sided .05, power .8).
    expectClose(detectableMean(32, 1), 0.5, 1e-2)
    expect(designEffect(1, 0.3)).toBe(1)
    expectClose(designEffect(11, 0.2), 3, 1e-15)
  })
})
