import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  auc,
  aucEstimate,
  aucStandardError,
  confusion,
  holm,
  homogeneity,
  macroF1,
  mcnemar,
  mcnemarOf,
  midranks,
  pearson,
  quantile,
  spearman,
  wilson,
} from '../../../src/libraries/statistics/index.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

const reference = fixture<{
  wilson: [number, number, number, number][]
  holm: { p: number[]; adjusted: number[] }
  pairs: { x: number[]; y: number[]; pearson: number[]; spearman: number[] }
  chi2: { table: number[][]; result: [number, number, number] }
  mcnemar: [number, number, number, number][]
  f1: { truth: string[]; said: string[]; union: number; two: number }
  auc: {
    labels: number[]
    a: number[]
    b: number[]
    aucA: number
    aucB: number
    seA: number
  }
  quantile: { values: number[]; p: number[]; q: number[] }
}>('tests')

describe('agreement with scipy, statsmodels and scikit-learn', () => {
  it('Wilson intervals', () => {
    for (const [k, n, low, high] of reference.wilson) {
      const found = wilson(k, n)
      expectClose(found?.low as number, low, 1e-12, 1e-15)
      expectClose(found?.high as number, high, 1e-12)
    }
    expect(wilson(0, 0)).toBeNull()
    expect(() => wilson(3, 2)).toThrow(/got 3 of 2/)
  })
  it('Holm', () => {
    holm(reference.holm.p).forEach((p, i) => {
      expectClose(p, reference.holm.adjusted[i] as number, 1e-12)
    })
  })
  it('Holm of what is no p value: refused', () => {
    expect(holm([0, 1])).toEqual([0, 1])
    for (const p of [-0.01, 1.01, Number.NaN]) expect(() => holm([0.5, p])).toThrow(`a p value lies in 0..1, got ${p}`)
  })
  it('correlations', () => {
    const { x, y } = reference.pairs
    const [r, p, low, high] = reference.pairs.pearson as [number, number, number, number]
    const found = pearson(x, y)
    expectClose(found?.r as number, r, 1e-12)
    expectClose(found?.p as number, p, 1e-9)
    expectClose(found?.estimate?.low as number, low, 1e-10)
    expectClose(found?.estimate?.high as number, high, 1e-10)
    const ranked = spearman(x, y)
    reference.pairs.spearman.forEach((value, i) => {
      const ours = [ranked?.r, ranked?.p, ranked?.estimate?.low, ranked?.estimate?.high][i] as number
      expectClose(ours, value, 1e-9)
    })
    expect(pearson([1, 1, 1, 1], y.slice(0, 4))).toBeNull()
    expect(pearson([0.1, 0.1, 0.1], [1, 2, 3])).toBeNull()
    expect(spearman([1, Number.NaN, 2, 3, 5], [1, 7, 2, 3, 4])?.n).toBe(4)
  })
  it('chi-squared homogeneity', () => {
    const [statistic, df, p] = reference.chi2.result
    const found = homogeneity(reference.chi2.table)
    expectClose(found?.statistic as number, statistic, 1e-12)
    expect(found?.df).toBe(df)
    expectClose(found?.p as number, p, 1e-12)
    expect(homogeneity([[1, 2]])).toBeNull()
    expect(homogeneity([])).toBeNull()
    expect(homogeneity([[], []])).toBeNull()
    expect(
      homogeneity([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull()
    expect(
      homogeneity([
        [0, 3],
        [0, 4],
      ]),
    ).toBeNull()
  })
  it("McNemar's test", () => {
    for (const [b, c, exact, midP] of reference.mcnemar) {
      expectClose(mcnemar(b, c).exact, exact, 1e-12)
      expectClose(mcnemar(b, c).midP, midP, 1e-12)
    }
    expect(mcnemarOf([1, 1, 0, 1], [1, 0, 1, 0])).toMatchObject({ onlyA: 2, onlyB: 1 })
    expect(() => mcnemarOf([0.5], [1])).toThrow(/right \(1\) or wrong \(0\)/)
  })
  it('macro F1 with and without the unknown class', () => {
    const matrix = confusion(reference.f1.truth, reference.f1.said)
    expectClose(macroF1(matrix) as number, reference.f1.union, 1e-14)
    expectClose(macroF1(matrix, ['yes', 'no']) as number, reference.f1.two, 1e-14)
  })
  it('AUC and DeLong', () => {
    const { labels, a, b, aucA, aucB, seA } = reference.auc
    expectClose(auc(a, labels) as number, aucA, 1e-14)
    expectClose(auc(b, labels) as number, aucB, 1e-14)
    expectClose(aucStandardError(a, labels) as number, seA, 1e-12)
    const estimate = aucEstimate(a, labels)
    expect(estimate?.low).toBeLessThan(aucA)
    expect(estimate?.high).toBeLessThan(1)
    expect(auc([1, 2], [true, true])).toBeNull()
    expect(aucEstimate([1, 2, 3, 4], [false, false, true, true])).toMatchObject({ value: 1, high: 1 })
  })
  it('quantiles', () => {
    reference.quantile.p.forEach((p, i) => {
      expectClose(quantile(reference.quantile.values, p), reference.quantile.q[i] as number, 1e-14)
    })
  })
})

describe('laws', () => {
  const numbers = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 3, maxLength: 40 })
  it('midranks sum to n(n+1)/2 and follow the order', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const { ranks } = midranks(values)
        expect(ranks.reduce((s, r) => s + r, 0)).toBe((values.length * (values.length + 1)) / 2)
        values.forEach((x, i) => {
          values.forEach((y, j) => {
            if (x < y) expect(ranks[i]).toBeLessThan(ranks[j] as number)
            if (x === y) expect(ranks[i]).toBe(ranks[j])
          })
        })
      }),
    )
  })
  it('AUC is the pair count, invariant under monotone maps, reflected by negation', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.boolean()), { maxLength: 30 }), (rows) => {
        const scores = rows.map(([s]) => s)
        const labels = rows.map(([, l]) => l)
        const value = auc(scores, labels)
        const pairs = rows.flatMap(([s, l]) =>
          l ? rows.filter(([, k]) => !k).map(([t]) => (s > t ? 1 : s === t ? 0.5 : 0)) : [],
        )
        if (pairs.length === 0) {
          expect(value).toBeNull()
          return
        }
        expectClose(value as number, pairs.reduce((a: number, b) => a + b, 0) / pairs.length, 1e-12, 1e-12)
        expectClose(
          auc(
            scores.map((s) => s ** 3 - 7),
            labels,
          ) as number,
          value as number,
          1e-12,
          1e-12,
        )
        expectClose(
          auc(
            scores.map((s) => -s),
            labels,
          ) as number,
          1 - (value as number),
          1e-12,
          1e-12,
        )
      }),
    )
  })
  it('Holm lies between p and m p, keeps the order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }), (p) => {
        const adjusted = holm(p)
        p.forEach((value, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(value)
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, p.length * value) + 1e-15)
          p.forEach((other, j) => {
            if (value < other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] as number)
          })
        })
      }),
    )
  })
  it('correlations are symmetric, in -1..1, and ranks see only order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 })), { minLength: 3 }),
        (rows) => {
          const x = rows.map(([v]) => v)
          const y = rows.map(([, v]) => v)
          const r = pearson(x, y)
          expectClose(pearson(y, x)?.r ?? 0, r?.r ?? 0, 1e-12, 1e-14)
          if (r !== null) expect(Math.abs(r.r)).toBeLessThanOrEqual(1)
          const ranked = spearman(x, y)
          const cubed = spearman(
            x.map((v) => v ** 3),
            y,
          )
          expectClose(cubed?.r ?? 0, ranked?.r ?? 0, 1e-12, 1e-14)
        },
      ),
    )
  })
})
