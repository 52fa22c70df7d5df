import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../src/core/index.ts'
import {
  auc,
  aucEstimate,
  aucStandardError,
  balancedAccuracy,
  bestSamples,
  binomialUpper,
  cohenKappa,
  confusion,
  designEffect,
  detectableMean,
  entropy,
  fleissKappa,
  homogeneity,
  itemsForMargin,
  itemsForPairs,
  kl,
  krippendorffAlpha,
  largestShare,
  macroF1,
  mcnemar,
  mcnemarOf,
  median,
  midranks,
  moments,
  pairedDifference,
  pearson,
  powerOfPairs,
  powerRatio,
  quantile,
  rankAgreement,
  rhoOf,
  sampleCoverage,
  signFlipTest,
  smoothed,
  spearman,
  standardError,
  sum,
  varianceComponents,
} from '../../../src/libraries/statistics/index.ts'

const stream = () => new Sfc32(1, 2, 3, 4)
/** Quantiles of the normal, from tables. */
const [Z975, Z80, Z995, Z90] = [1.959963984540054, 0.8416212335729143, 2.5758293035489004, 1.2815515655446004]

describe('sizes of studies, by their formulas with quantiles from tables', () => {
  it('of a margin', () => {
    expect(itemsForMargin(0.05, 0.2)).toBe(Math.ceil((Z975 ** 2 * 0.16) / 0.0025))
    expect(itemsForMargin(0.05, 0.5, 0.99)).toBe(Math.ceil((Z995 ** 2 * 0.25) / 0.0025))
  })

  it('of pairs', () => {
    const n = (a: number, b: number, za: number, zb: number) =>
      Math.ceil((za * Math.sqrt(a + b) + zb * Math.sqrt(a + b - (a - b) ** 2)) ** 2 / (a - b) ** 2)
    expect(itemsForPairs(0.1, 0.3)).toBe(n(0.1, 0.3, Z975, Z80))
    expect(itemsForPairs(0.3, 0)).toBe(n(0.3, 0, Z975, Z80))
    expect(itemsForPairs(0.25, 0.75, { alpha: 0.01, power: 0.9 })).toBe(n(0.25, 0.75, Z995, Z90))
    expect(powerOfPairs(0.1, 0.3, 76)).toBeCloseTo(powerOfPairs(0.3, 0.1, 76), 12)
    expect(powerOfPairs(0.2, 0.2, 50)).toBeCloseTo(0.05, 6)
    // All that differs favours one: the standard error under the effect is 0 where every item does.
    expect([powerOfPairs(1, 0, 4), powerOfPairs(1, 0, 3)]).toEqual([1, 0])
    for (const [a, b] of [
      [-0.1, 0.2],
      [0.2, -0.1],
      [0.6, 0.5],
    ] as const)
      expect(() => itemsForPairs(a, b)).toThrow(/discordant items lie in 0..1/)
  })

  it('of means, and their design', () => {
    expect(detectableMean(49, 2, { alpha: 0.01, power: 0.9 })).toBeCloseTo(((Z995 + Z90) * 2) / 7, 10)
    expect(designEffect(3, 0.25)).toBe(1.5)
    for (const wrong of [() => itemsForMargin(0), () => itemsForPairs(0.1, 0.1), () => detectableMean(0, 1)])
      expect(wrong).toThrow(/must be above 0, got 0/)
  })
})

describe('moments', () => {
  it('of a few numbers, worked out by hand', () => {
    expect(moments([5])).toEqual({ n: 1, mean: 5, variance: 0 })
    expect(moments([1, 3])).toEqual({ n: 2, mean: 2, variance: 2 })
    expect(moments([1e9 + 1, 1e9 + 2, 1e9 + 3]).variance).toBe(1)
    expect(() => moments([])).toThrow(/no values does not exist/)
    expect([standardError([]), standardError([4]), standardError([1, 3])]).toEqual([null, null, 1])
    expect(sum([1, 1e100, 1, -1e100])).toBe(2)
    expect(sum([1e100, 1, 1, -1e100])).toBe(2)
    expect(sum([])).toBe(0)
  })

  it('quantiles lie between the numbers beside them', () => {
    const values = [40, 10, 30, 20]
    const at = [0, 0.25, 1 / 3, 0.5, 0.75, 1].map((p) => quantile(values, p))
    expect(at).toEqual([10, 17.5, 20, 25, 32.5, 40])
    expect(values).toEqual([40, 10, 30, 20])
    expect(quantile([7], 0.9)).toBe(7)
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, null])
    for (const p of [-0.1, 1.1, Number.NaN]) expect(() => quantile(values, p)).toThrow(/needs 0 <= p <= 1/)
    expect(() => quantile([], 0.5)).toThrow(/no values/)
  })

  it('ranks share what equals take up', () => {
    expect(midranks([3, 1, 3, 2, 3])).toEqual({ ranks: Float64Array.of(4, 1, 4, 2, 4), ties: [3] })
    expect(midranks([2, 2, 1, 1])).toEqual({ ranks: Float64Array.of(3.5, 3.5, 1.5, 1.5), ties: [2, 2] })
    const infinite = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    expect(midranks(infinite)).toEqual({ ranks: Float64Array.of(3.5, 2, 3.5, 1), ties: [2] })
    expect(midranks([])).toEqual({ ranks: new Float64Array(0), ties: [] })
    expect(() => midranks([1, Number.NaN])).toThrow(/got NaN at 1/)
  })
})

describe('correlations', () => {
  it('leave out pairs with a gap on either side, and need three', () => {
    const gap = Number.NaN
    expect(pearson([1, gap, 2, 3, 9], [2, 5, 4, 7, gap])?.r).toBeCloseTo(pearson([1, 2, 3], [2, 4, 7])?.r ?? 0, 15)
    expect(pearson([1, gap, 2, 3, 9], [2, 5, 4, 7, gap])?.n).toBe(3)
    expect(pearson([1, 2, gap], [1, 3, 5])).toBeNull()
    expect(pearson([1, 2, 3], [4, 4, 4])).toBeNull()
    expect(spearman([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull()
    expect(() => pearson([1, 2], [1])).toThrow(/got 2 and 1 values/)
  })

  it('have a test from three pairs on and an interval from four', () => {
    // r = 1/2 on three pairs: t = 0.5 / sqrt(0.75) on one degree of freedom, where p = 1 - 2 atan(t) / pi.
    const few = pearson([1, 2, 3], [1, 3, 2])
    expect(few?.r).toBeCloseTo(0.5, 14)
    expect(few?.p).toBeCloseTo(1 - (2 * Math.atan(0.5 / Math.sqrt(0.75))) / Math.PI, 10)
    expect(few?.estimate).toBeNull()
    expect(pearson([1, 2, 3], [2, 4, 6])?.r).toBeCloseTo(1, 14)
    expect(pearson([1, 2, 3], [2, 4, 6])?.p).toBeCloseTo(0, 7)
    const x = [1, 2, 3, 4, 5, 6]
    const y = [2, 1, 4, 3, 6, 5]
    const r = 1 - (6 * 6) / (6 * 35)
    for (const [found, spread] of [
      [pearson(x, y), 1],
      [spearman(x, y), 1 + r ** 2 / 2],
    ] as const) {
      const half = Z975 * Math.sqrt(spread / 3)
      expect(found?.r).toBeCloseTo(r, 14)
      expect(found?.estimate?.low).toBeCloseTo(Math.tanh(Math.atanh(r) - half), 12)
      expect(found?.estimate?.high).toBeCloseTo(Math.tanh(Math.atanh(r) + half), 12)
      expect(found?.estimate?.n).toBe(6)
    }
  })
})

describe('areas under a curve', () => {
  it('have the standard error of their definition, and an interval on logits', () => {
    const [scores, labels] = [
      [0.9, 0.4, 0.7, 0.4, 0.6, 0.1, 0.2],
      [1, 1, 1, 0, 0, 0, 0],
    ]
    const [high, low] = [1, 0].map((one) => scores.filter((_, i) => labels[i] === one)) as [number[], number[]]
    const wins = (x: number, y: number) => (x > y ? 1 : x === y ? 0.5 : 0)
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length
    const variance = (list: readonly number[]) =>
      list.reduce((all, x) => all + (x - mean(list)) ** 2, 0) / (list.length - 1)
    const ofHigh = high.map((x) => mean(low.map((y) => wins(x, y))))
    const ofLow = low.map((y) => mean(high.map((x) => wins(x, y))))
    const [value, error] = [mean(ofHigh), Math.sqrt(variance(ofHigh) / 3 + variance(ofLow) / 4)]
    expect(auc(scores, labels)).toBeCloseTo(value, 14)
    expect(aucStandardError(scores, labels)).toBeCloseTo(error, 14)
    const odds = (p: number) => Math.log(p / (1 - p))
    const found = aucEstimate(scores, labels)
    expect(odds(found?.low ?? 0)).toBeCloseTo(odds(value) - (Z975 * error) / (value * (1 - value)), 10)
    expect(odds(found?.high ?? 0)).toBeCloseTo(odds(value) + (Z975 * error) / (value * (1 - value)), 10)
    expect(found).toMatchObject({ n: 7, method: 'DeLong 95 %, logit' })
  })

  it('that are whole or none have Wilson’s interval on the smaller class', () => {
    const reach = Z975 ** 2 / (2 + Z975 ** 2)
    const whole = aucEstimate([3, 4, 0, 1, 2], [1, 1, 0, 0, 0])
    expect(whole).toMatchObject({ value: 1, high: 1, n: 5 })
    expect(whole?.low).toBeCloseTo(1 - reach, 12)
    const none = aucEstimate([0, 1, 2, 3, 4], [1, 1, 0, 0, 0])
    expect(none).toMatchObject({ value: 0, low: 0 })
    expect(none?.high).toBeCloseTo(reach, 12)
  })

  it('are none of one class, and have no error of a single score', () => {
    expect([auc([1, 2], [1, 1]), auc([1, 2], [0, 0]), auc([1, 2], [0, 1])]).toEqual([null, null, 1])
    for (const labels of [
      [1, 0, 0],
      [1, 1, 0],
    ]) {
      expect(aucEstimate([1, 2, 3], labels)).toBeNull()
      expect(aucStandardError([1, 2, 3], labels)).toBeNull()
    }
    expect(() => auc([1], [1, 0])).toThrow(/got 1 and 2/)
  })
})

describe('agreement', () => {
  const gap = -1
  it('skips gaps: units with fewer than two labels, or without all of them', () => {
    // Units 0 and 1 count: two equal, two unlike. Observed 1/2 + 1/2 of 4 labels; 0 three times, 1 once.
    const ratings = [
      [0, 0, gap, 1],
      [0, 1, 1, gap],
    ]
    expect(krippendorffAlpha(ratings)).toBeCloseTo(1 - (2 * 3) / (3 * 1 + 1 * 3), 12)
    expect(fleissKappa(ratings)).toBeCloseTo((0.5 - 0.625) / 0.375, 12)
    expect(cohenKappa(ratings[0] ?? [], ratings[1] ?? [])).toBeCloseTo(0, 12)
    expect(largestShare(ratings)).toBe(0.75)
  })

  it('of three raters, worked out by hand', () => {
    const ratings = [
      [0, 0, 1],
      [0, 1, 1],
      [1, 2, 1],
    ]
    expect(largestShare(ratings)).toBeCloseTo((2 / 3 + 1 / 3 + 1) / 3, 14)
    // Agreeing pairs 1 of 3, 0, 3 of 3; labels 0, 1, 2 come 3, 5, 1 times of 9.
    const expected = (9 + 25 + 1) / 81
    expect(fleissKappa(ratings)).toBeCloseTo((4 / 9 - expected) / (1 - expected), 12)
    // Disagreement inside units: (2 + 2) / 2, 3 * 2 / 2, 0; between all: 3*6 + 5*4 + 1*8 over 9 * 8.
    expect(krippendorffAlpha(ratings)).toBeCloseTo(1 - (5 * 8) / 46, 12)
  })

  it('is undefined of nothing, of one rater and of one label', () => {
    for (const ratings of [[], [[]], [[0, 1]], [[0], [gap]]]) {
      expect([krippendorffAlpha(ratings), fleissKappa(ratings), largestShare(ratings)]).toEqual([null, null, null])
    }
    expect(cohenKappa([0, gap], [gap, 1])).toBeNull()
    expect(cohenKappa([0, 0], [0, 0])).toBeNull()
    expect(cohenKappa([0, 1, 1], [0, 1])).toBe(1)
    expect(() => krippendorffAlpha([[0, 1], [0]])).toThrow(/one entry per unit from every rater, got 2, 1/)
  })
})

describe('tables of counts', () => {
  it('are told apart by expected counts, rows and columns of nothing left out', () => {
    // Expected 12, 18, 8, 12 of 50.
    const found = homogeneity([
      [15, 15, 0],
      [0, 0, 0],
      [5, 15, 0],
    ])
    expect(found).toMatchObject({ df: 1, thin: 0 })
    expect(found?.statistic).toBeCloseTo(9 / 12 + 9 / 18 + 9 / 8 + 9 / 12, 12)
    // One degree of freedom: p of the square of a normal.
    expect(found?.p).toBeCloseTo(0.0771, 4)
    const thin = homogeneity([
      [1, 2, 3],
      [4, 5, 6],
    ])
    expect(thin).toMatchObject({ df: 2, thin: 4 })
    for (const table of [
      [],
      [[1, 2]],
      [[1], [2]],
      [
        [0, 0],
        [1, 2],
      ],
      [
        [0, 1],
        [0, 2],
      ],
    ])
      expect(homogeneity(table)).toBeNull()
    for (const table of [
      [[1, 2], [1]],
      [
        [1, -1],
        [1, 2],
      ],
      [
        [Number.NaN, 1],
        [1, 2],
      ],
    ])
      expect(() => homogeneity(table)).toThrow(/rows of one length and counts >= 0/)
  })

  it('of one right only are tested by the binomial', () => {
    // Two of two: 2 / 4, and less by half of that. One of four: 2 (1 + 4) / 16, less 4 / 16.
    expect(mcnemar(0, 2).exact).toBeCloseTo(0.5, 12)
    expect(mcnemar(0, 2).midP).toBeCloseTo(0.25, 12)
    expect(mcnemar(3, 1).exact).toBeCloseTo(10 / 16, 12)
    expect(mcnemar(3, 1).midP).toBeCloseTo(6 / 16, 12)
    expect([mcnemar(0, 0), mcnemar(2, 2)].map(({ exact, midP }) => [exact, midP])).toEqual([
      [1, 1],
      [1, 1],
    ])
    expect(mcnemarOf([1, true, 0, 1, 0], [0, 1, 1, false, 0])).toMatchObject({ onlyA: 2, onlyB: 1 })
    for (const [a, b] of [
      [-1, 2],
      [2, -1],
      [0.5, 1],
      [1, 0.5],
    ] as const)
      expect(() => mcnemar(a, b)).toThrow(/needs two counts/)
    expect(() => mcnemarOf([1], [1, 0])).toThrow(/same length/)
    for (const [a, b] of [
      [0.5, 1],
      [1, 2],
    ] as const)
      expect(() => mcnemarOf([1, a], [0, b])).toThrow(/at 1$/)
  })

  it('of answers have a balanced accuracy and a macro F1', () => {
    const matrix = confusion(['a', 'a', 'b', 'b', 'b'], ['a', 'c', 'b', 'a', 'b'], ['z', 'b'])
    expect(matrix.labels).toEqual(['z', 'b', 'a', 'c'])
    expect(balancedAccuracy(matrix)).toBeCloseTo((1 / 2 + 2 / 3) / 2, 14)
    // F1 of a 2/4, of b 4/5, of c 0; z is neither true nor said.
    expect(macroF1(matrix)).toBeCloseTo((0.5 + 0.8) / 3, 14)
    expect(macroF1(matrix, ['a', 'b', 'q'])).toBeCloseTo((0.5 + 0.8) / 3, 14)
    expect([macroF1(confusion([], [])), balancedAccuracy(confusion([], []))]).toEqual([null, null])
    expect(() => confusion(['a'], [])).toThrow(/got 1 and 0 labels/)
  })
})

describe('divergence', () => {
  it('of shares by hand, and of none that are no shares', () => {
    expect(kl([0.25, 0.75, 0], [0.5, 0.25, 0.25])).toBeCloseTo(0.25 * Math.log(0.5) + 0.75 * Math.log(3), 14)
    expect(entropy([0.25, 0.75, 0])).toBeCloseTo(-0.25 * Math.log(0.25) - 0.75 * Math.log(0.75), 14)
    expect(smoothed([3, 0, 1], 0.5)).toEqual([3.5 / 5.5, 0.5 / 5.5, 1.5 / 5.5])
    expect(smoothed([3, 1], 0)).toEqual([0.75, 0.25])
    expect([sampleCoverage([1, 2, 1, 0]), sampleCoverage([2, 2])]).toEqual([0.5, 1])
    expect(() => kl([1], [0.5, 0.5])).toThrow(/got 1 and 2/)
    expect(() => kl([0.5, 0.5], [0.5, 0.6])).toThrow(/^q must/)
    expect(() => entropy([1.5, -0.5])).toThrow(/^p must/)
    for (const [counts, epsilon] of [
      [[0, 0], 0],
      [[1, 1], -0.1],
      [[2, -1], 1],
    ] as const)
      expect(() => smoothed(counts, epsilon)).toThrow(/smoothing needs/)
    for (const counts of [[0, 0], [], [1.5, 1], [3, -1]]) expect(() => sampleCoverage(counts)).toThrow(/counts are/)
  })
})

describe('paired differences', () => {
  it('by flipped signs: all patterns counted one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 8 }), (values) => {
        const total = Math.abs(values.reduce((a, b) => a + b, 0))
        let [extreme, all] = [0, 0]
        for (let set = 0; set < 2 ** values.length; set++, all++)
          if (Math.abs(values.reduce((a, x, i) => a + ((set >> i) & 1 ? x : -x), 0)) >= total) extreme++
        const own = values.map((_, i) => i)
        expect(signFlipTest(values, own, { stream: stream() }).p).toBeCloseTo(extreme / all, 12)
      }),
    )
  })

  it('by many flipped signs: near the normal, whatever the sizes', () => {
    // Sum 18 of 100 signs with sizes 1 and 2 (variance 40 + 4 * 60): about P(|Z| >= 17.5 / 16.7).
    const values = Array.from({ length: 100 }, (_, i) => (i < 40 ? 1 : 2) * (i % 2 === 0 ? 1 : -1))
    values[1] = 1
    values[3] = 1
    values[41] = 2
    values[43] = 2
    values[45] = 2
    values[5] = 1
    const total = values.reduce((a, b) => a + b, 0)
    const found = signFlipTest(values, Array.from(values.keys()), { stream: stream(), draws: 20_000 })
    expect(total).toBe(18)
    // Sums are even: half of the next step is taken off.
    expect(Math.abs(found.p - 0.309)).toBeLessThan(0.015)
  })

  it('by so many flipped signs that heads are drawn, not counted: the binomial tail', () => {
    const [heads, n] = [5098, 10_000]
    const values = Array.from({ length: n }, (_, i) => (i < heads ? 1 : -1))
    const { p } = signFlipTest(values, Array.from(values.keys()), { stream: stream(), draws: 20_000 })
    // Four standard errors of a share of 20,000 draws.
    expect(Math.abs(p - 2 * binomialUpper(heads - 1, n, 0.5))).toBeLessThan(0.0062)
  })

  it('of all groups alike have a width, and refuse what are no scores', () => {
    const even = pairedDifference([0.75, 0.75, 0.75], [0.25, 0.25, 0.25], [0, 1, 2])
    expect(even).toMatchObject({ kind: 'even', p: 0.25, difference: { value: 0.5, n: 3 } })
    expect(even?.difference.low).toBeLessThan(0.5)
    expect(pairedDifference([1, 0.5, 1], [1, 0.5, 1], [0, 1, 2])).toMatchObject({
      kind: 'even',
      p: 1,
      difference: { value: 0 },
    })
    expect(pairedDifference([], [], [])).toBeNull()
    expect(pairedDifference([0.5, 0], [0, 0], [5, 5])).toBeNull()
    for (const wrong of [-0.1, 1.1, Number.NaN]) {
      expect(() => pairedDifference([0, wrong], [0, 0], [0, 1])).toThrow(/a score lies in 0..1, got .* at 1/)
      expect(() => pairedDifference([0, 0], [wrong, 0], [0, 1])).toThrow(/a score lies in 0..1, got .* at 0/)
    }
  })

  it('of many groups are Student’s t of the groups', () => {
    const a = Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? 0.2 : 0.9))
    const b = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 0 : 1))
    const own = a.map((_, i) => i)
    const found = pairedDifference(a, b, own)
    const differences = a.map((x, i) => x - (b[i] ?? 0))
    const error = standardError(differences) ?? 0
    expect(found).toMatchObject({ kind: 'varied', df: 19 })
    expect(found?.difference.value).toBeCloseTo(0.225, 14)
    // t of 19 degrees of freedom at 97.5 %: 2.093024.
    expect(found?.difference.low).toBeCloseTo(0.225 - 2.093024 * error, 5)
    expect(found?.difference.high).toBeCloseTo(0.225 + 2.093024 * error, 5)
  })
})

describe('agreement of ranks', () => {
  it('is the share of all orders that agree as much', () => {
    const x = Float64Array.of(1, 2, 3, 4)
    // Of 24 orders one is the same and one the reverse; rho of one neighbouring swap is 0.8, of four orders each way.
    expect(rankAgreement(x, Float64Array.of(1, 2, 3, 4), stream())).toMatchObject({
      rho: 1,
      tau: 1,
      n: 4,
      method: 'exact',
    })
    expect(rankAgreement(x, Float64Array.of(1, 2, 3, 4), stream())?.p).toBeCloseTo(2 / 24, 12)
    const swapped = rankAgreement(x, Float64Array.of(2, 1, 3, 4), stream())
    expect(swapped?.rho).toBeCloseTo(0.8, 12)
    expect(swapped?.tau).toBeCloseTo(4 / 6, 12)
    expect(swapped?.p).toBeCloseTo(8 / 24, 12)
    expect(rhoOf(Float64Array.of(1.5, 1.5, 3), Float64Array.of(1, 2, 3))).toBeCloseTo(1.5 / Math.sqrt(1.5 * 2), 12)
    expect(() => rankAgreement(x, Float64Array.of(1, 2), stream())).toThrow(/got 4 and 2/)
  })
})

describe('what can be told', () => {
  it('of a gap, by the items that its formula asks for', () => {
    const gaps = [1, 0, 0, -1, 1, 0, 0, 1]
    const [mean, square] = [0.25, 0.5]
    const enough = (design: number) =>
      (design * (Z975 * Math.sqrt(square) + Z80 * Math.sqrt(square - mean ** 2)) ** 2) / mean ** 2
    const variance = (8 / 7) * (square - mean ** 2)
    expect(powerRatio(gaps, 0).resolution).toBeCloseTo(8 / enough(1), 10)
    expect(powerRatio(gaps, 0).needed).toBe(Math.ceil(enough(1) - 8))
    expect(powerRatio(gaps, Math.sqrt((3 * variance) / 8)).resolution).toBeCloseTo(8 / enough(3), 10)
    expect(powerRatio([1, 1, 1, 0.99], 0)).toMatchObject({ needed: 0 })
    expect(powerRatio([0.5, 0.5], 0)).toMatchObject({ needed: 2 })
  })

  it('of samples and items apart', () => {
    const of = (...values: readonly number[]) => ({
      n: values.length,
      sum: values.reduce((a, b) => a + b, 0),
      squares: values.reduce((a, b) => a + b * b, 0),
    })
    // Differences 1/2, -1/2, 3/2 with variance 1; within 1/2 + 0, 1/2 + 1/2, 0 + 1/2.
    const pairs = [
      { a: of(1, 0), b: of(0, 0) },
      { a: of(1, 0), b: of(1.5, 0.5) },
      { a: of(2, 2), b: of(1, 0) },
      { a: of(1), b: of(1, 0) },
      { a: of(1, 0), b: of(1) },
    ]
    const found = varianceComponents(pairs)
    expect(found?.items).toBe(3)
    expect(found?.withinItems).toBeCloseTo(2 / 3, 12)
    expect(found?.betweenItems).toBeCloseTo(1 - 1 / 3, 12)
    expect(bestSamples({ items: 2, withinItems: 8, betweenItems: 2 }, 4)).toBe(4)
    expect(bestSamples({ items: 2, withinItems: 1, betweenItems: 2 }, 1)).toBe(1)
    expect(bestSamples({ items: 2, withinItems: 1, betweenItems: 0 }, 1)).toBeNull()
    expect(varianceComponents(pairs.slice(0, 1))).toBeNull()
  })
})
