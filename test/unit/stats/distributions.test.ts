import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  betaQuantile,
  binomialCdf,
  binomialPmf,
  binomialUpper,
  chiSquaredCdf,
  chiSquaredQuantile,
  chiSquaredUpper,
  fCdf,
  fQuantile,
  fUpper,
  incompleteBeta,
  logGamma,
  normalCdf,
  normalQuantile,
  normalTwoSided,
  normalUpper,
  tCdf,
  tQuantile,
  tUpper,
} from '../../../src/stats/index.ts'
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
      expectClose(tCdf(-t, df), upper, 3e-13)
    })
    each('tQuantile', (row) => {
      const [p, df, t] = at(row)
      expectClose(tQuantile(p, df), t, 1e-13)
    })
  })
  it('chi-squared', () => {
    each('chiSquared', (row) => {
      const [x, df, lower, upper] = at(row)
      expectClose(chiSquaredCdf(x, df), lower, 1e-13, 1e-300)
      expectClose(chiSquaredUpper(x, df), upper, 1e-13, 1e-300)
    })
    each('chiSquaredQuantile', (row) => {
      const [p, df, x] = at(row)
      expectClose(chiSquaredQuantile(p, df), x, 1e-11)
    })
  })
  it('F', () => {
    each('f', (row) => {
      const [x, top, bottom, lower, upper] = at(row)
      expectClose(fCdf(x, top, bottom), lower, 1e-13)
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
        expectClose(tCdf(tQuantile(share, a), a), share, 1e-11)
        expectClose(chiSquaredCdf(chiSquaredQuantile(share, a), a), share, 1e-11)
        expectClose(fCdf(fQuantile(share, a, b), a, b), share, 1e-11)
        expectClose(incompleteBeta(betaQuantile(share, a / 2 + 1, b / 2 + 1), a / 2 + 1, b / 2 + 1).lower, share, 1e-9)
      }),
    )
  })
  it('tails sum to one and fall', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), df, df, (x, a, b) => {
        expectClose(fCdf(x, a, b) + fUpper(x, a, b), 1, 1e-13)
        expectClose(chiSquaredCdf(x, a) + chiSquaredUpper(x, a), 1, 1e-13)
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
  it('says what is wrong with an argument', () => {
    expect(() => tUpper(1, 0)).toThrow(/degrees of freedom, got 0/)
    expect(() => normalQuantile(1.5)).toThrow(/0 <= p <= 1, got 1.5/)
    expect(() => binomialPmf(1, 2.5, 0.5)).toThrow(/whole number of trials, got 2.5/)
  })
})
