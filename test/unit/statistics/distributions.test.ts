import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { binomialCdf, binomialPmf, binomialUpper } from '../../../src/libraries/statistics/distributions/binomial.ts'
import {
  normalCdf,
  normalQuantile,
  normalTwoSided,
  normalUpper,
} from '../../../src/libraries/statistics/distributions/normal.ts'
import {
  betaQuantile,
  incompleteBeta,
  incompleteGamma,
  logGamma,
} from '../../../src/libraries/statistics/distributions/special-functions.ts'
import {
  chiSquaredQuantile,
  chiSquaredUpper,
  fUpper,
  tQuantile,
  tUpper,
} from '../../../src/libraries/statistics/distributions/test-statistics.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

type Rows = readonly (readonly number[])[]
const values = fixture<{
  readonly [name: string]: Rows
}>('distributions')
const each = (name: string, check: (row: number[]) => void) => {
  const rows = values[name] as Rows
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) check([...row])
}
const at = (row: number[]) => row as [number, number, number, number, number]

describe('distribution functions agree with 60-digit arithmetic', () => {
  it('normal', () => {
    each('normal', (row) => {
      const [x, lower, upper] = at(row)
      expectClose(normalCdf(x), lower, 1e-14, 1e-300)
      expectClose(normalUpper(x), upper, 1e-14, 1e-300)
    })
    each('normalQuantile', (row) => {
      const [p, x] = at(row)
      expectClose(normalQuantile(p), x, 2e-15, 1e-16)
    })
  })
  it('log gamma', () => {
    each('logGamma', (row) => {
      const [x, value] = at(row)
      expectClose(logGamma(x), value, 1e-14, 1e-14)
    })
  })
  it("Student's t", () => {
    each('t', (row) => {
      const [t, df, upper] = at(row)
      expectClose(tUpper(t, df), upper, 3e-13)
    })
    each('tQuantile', (row) => {
      const [p, df, t] = at(row)
      expectClose(tQuantile(p, df), t, 1e-13)
    })
  })
  it('chi-squared', () => {
    each('chiSquared', (row) => {
      const [x, df, lower, upper] = at(row)
      expectClose(incompleteGamma(df / 2, x / 2).lower, lower, 1e-13, 1e-300)
      expectClose(chiSquaredUpper(x, df), upper, 1e-13, 1e-300)
    })
    each('chiSquaredQuantile', (row) => {
      const [p, df, x] = at(row)
      expectClose(chiSquaredQuantile(p, df), x, 1e-11)
    })
  })
  it('F', () => {
    each('f', (row) => {
      const [x, top, bottom, , upper] = at(row)
      expectClose(fUpper(x, top, bottom), upper, 1e-12)
    })
  })
  it('binomial', () => {
    each('binomial', (row) => {
      const [k, n, p, mass] = at(row)
      expectClose(binomialPmf(k, n, p), mass, 3e-12, 1e-300)
      expectClose(binomialCdf(k, n, p), row[4] as number, 3e-12, 1e-300)
      expectClose(binomialUpper(k, n, p), row[5] as number, 3e-12, 1e-300)
    })
  })
  it('incomplete beta', () => {
    each('beta', (row) => {
      const [a, b, x, lower, upper] = at(row)
      const found = incompleteBeta(x, a, b)
      expectClose(found.lower, lower, 1e-12)
      expectClose(found.upper, upper, 1e-12, 1e-300)
    })
  })
})

describe('laws', () => {
  const df = fc.integer({ min: 1, max: 400 })
  const p = fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true })
  it('quantiles invert', () => {
    fc.assert(
      fc.property(p, df, df, (share, a, b) => {
        expectClose(normalCdf(normalQuantile(share)), share, 1e-12)
        expectClose(tUpper(-tQuantile(share, a), a), share, 1e-11)
        expectClose(incompleteGamma(a / 2, chiSquaredQuantile(share, a) / 2).lower, share, 1e-11)
        expectClose(incompleteBeta(betaQuantile(share, a / 2 + 1, b / 2 + 1), a / 2 + 1, b / 2 + 1).lower, share, 1e-9)
      }),
    )
  })
  it('tails fall', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), df, df, (x, a, b) => {
        expect(tUpper(x + 0.1, a)).toBeLessThanOrEqual(tUpper(x, a))
        expect(fUpper(x + 0.1, a, b)).toBeLessThanOrEqual(fUpper(x, a, b))
      }),
    )
  })
  it('t squared is F, and t tends to the normal', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 30, noNaN: true }), df, (t, n) => {
        expectClose(2 * tUpper(t, n), fUpper(t * t, 1, n), 1e-12)
        expectClose(2 * tUpper(t, Number.POSITIVE_INFINITY), normalTwoSided(t), 1e-14)
      }),
    )
  })
  it('end where they end', () => {
    const infinite = Number.POSITIVE_INFINITY
    expect([incompleteGamma(2, 0), incompleteGamma(2, infinite)]).toEqual([
      { lower: 0, upper: 1 },
      { lower: 1, upper: 0 },
    ])
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([
      { lower: 0, upper: 1 },
      { lower: 1, upper: 0 },
    ])
    expect([0, 1].map((share) => betaQuantile(share, 2, 3))).toEqual([0, 1])
    expect([0, 1].map((share) => chiSquaredQuantile(share, 3))).toEqual([0, infinite])
    expect([0, 1].map((share) => tQuantile(share, infinite))).toEqual([Number.NEGATIVE_INFINITY, infinite])
    expect([tUpper(1e200, 3), tUpper(-1e200, 3), normalUpper(39), normalUpper(-39)]).toEqual([0, 1, 0, 1])
    for (const x of [0, -1e-9, -1]) {
      expect([fUpper(x, 2, 3), chiSquaredUpper(x, 2)]).toEqual([1, 1])
    }
    expect(fUpper(infinite, 2, 3)).toBe(0)
    expectClose(fUpper(2.5, 3, infinite), chiSquaredUpper(7.5, 3), 1e-14)
  })
  it('the binomial is its sum, and nothing beside its whole numbers', () => {
    for (const share of [0, 0.3, 1])
      for (const n of [0, 1, 6]) {
        const choose = (k: number) => Array.from({ length: k }, (_, i) => (n - i) / (i + 1)).reduce((a, b) => a * b, 1)
        const masses = Array.from({ length: n + 1 }, (_, k) => choose(k) * share ** k * (1 - share) ** (n - k))
        for (let k = -1; k <= n + 1; k++) {
          expectClose(binomialPmf(k, n, share), masses[k] ?? 0, 1e-12, 1e-15)
          const below = masses.slice(0, Math.max(0, k + 1)).reduce((a, b) => a + b, 0)
          for (const at of [k, k + 0.5]) {
            expectClose(binomialCdf(at, n, share), Math.min(1, below), 1e-12, 1e-14)
            expectClose(binomialUpper(at, n, share), 1 - Math.min(1, below), 1e-12, 1e-14)
          }
        }
      }
    expect(binomialPmf(0.5, 2, 0.5)).toBe(0)
  })
  it('says what is wrong with an argument', () => {
    for (const p of [-0.01, 1.01, Number.NaN])
      for (const ask of [
        () => betaQuantile(p, 1, 1),
        () => chiSquaredQuantile(p, 1),
        () => tQuantile(p, 1),
        () => normalQuantile(p),
      ])
        expect(ask).toThrow(`a quantile needs 0 <= p <= 1, got ${p}`)
    for (const p of [-0.01, 1.01, Number.NaN])
      for (const chance of [binomialPmf, binomialCdf, binomialUpper])
        expect(() => chance(1, 2, p)).toThrow(`a binomial needs 0 <= p <= 1, got ${p}`)
    expect(() => binomialCdf(1, -1, 0.5)).toThrow('a binomial needs a whole number of trials, got -1')
    for (const [a, b] of [
      [0, 1],
      [1, 0],
    ] as const)
      expect(() => incompleteBeta(0.5, a, b)).toThrow(`incomplete beta needs a, b > 0, got a = ${a}, b = ${b}`)
    for (const x of [-0.1, 1.1]) expect(() => incompleteBeta(x, 1, 1)).toThrow(`needs 0 <= x <= 1, got ${x}`)
    expect(() => incompleteGamma(0, 1)).toThrow('incomplete gamma needs a > 0, got 0')
    expect(() => incompleteGamma(1, -1)).toThrow('incomplete gamma needs x >= 0, got -1')
    for (const x of [0, -1, Number.NaN]) expect(() => logGamma(x)).toThrow(`ln Gamma is computed for x > 0, got ${x}`)
    for (const df of [0, -1, Number.NaN])
      for (const ask of [() => tUpper(1, df), () => tQuantile(0.5, df)])
        expect(ask).toThrow(`Student's t needs more than 0 degrees of freedom, got ${df}`)
    expect(() => tUpper(1, 0)).toThrow(/degrees of freedom, got 0/)
    expect(() => normalQuantile(1.5)).toThrow(/0 <= p <= 1, got 1.5/)
    expect(() => binomialPmf(1, 2.5, 0.5)).toThrow(/whole number of trials, got 2.5/)
  })
})
