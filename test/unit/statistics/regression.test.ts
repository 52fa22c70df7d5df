import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clusteredMean,
  type Design,
  design,
  type Fit,
  linear,
  logistic,
  pairwise,
  type Unfit,
} from '../../../src/libraries/statistics/index.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

interface Described {
  readonly names: readonly string[]
  readonly estimate: readonly number[]
  readonly standardError: readonly number[]
  readonly p: readonly number[]
  readonly low: readonly number[]
  readonly high: readonly number[]
  readonly wald: readonly (readonly [string, number, number, number])[]
}
interface Data {
  readonly u: readonly number[]
  readonly v: readonly number[]
  readonly z: readonly number[]
  readonly w: readonly number[]
  readonly group: readonly number[]
  readonly model: readonly string[]
  readonly style: readonly string[]
}
const reference = fixture<{
  readonly data: Data
  readonly linear: Described & { r2: number; adjustedR2: number; sigma: number; f: [number, number] }
  readonly logistic: Described & {
    deviance: number
    nullDeviance: number
    mcFadden: number
    lr: [number, number]
    aic: number
  }
  readonly clusteredMean: readonly [number, number, number, number]
}>('regression')
const { data } = reference

const nominal = (values: readonly string[], base?: string) => {
  const levels = [...new Set(values)].sort()
  const codes = values.map((value) => levels.indexOf(value))
  return { kind: 'nominal', codes, levels, ...(base === undefined ? {} : { base }) } as const
}
const numeric = (values: readonly number[]) => ({ kind: 'numeric', values }) as const
const variables = (base: string) => ({
  u: numeric(data.u),
  v: numeric(data.v),
  model: nominal(data.model, base),
  style: nominal(data.style, 's'),
})
const main = design(variables('b'), [['u'], ['v'], ['model'], ['u', 'model'], ['v', 'model'], ['u', 'v']])
const factorial = design(variables('a'), [['u'], ['v'], ['model'], ['style'], ['model', 'style']])

/** statsmodels writes `C(model, Treatment('b'))[T.c]:u` where we write `u:model=c`. */
const plain = (name: string) =>
  name
    .replaceAll(/C\((\w+)[^[\]]*?\)\)\[T\.(\w+)\]/g, '$1=$2')
    .replaceAll(/C\((\w+), Treatment\('\w'\)\)/g, '$1')
    .split(':')
    .sort()
    .join(':')
const sorted = (name: string) => name.split(':').sort().join(':')

function expectSame(fit: Fit, expected: Described, waldAsF: boolean): void {
  expect(fit.coefficients.map((c) => sorted(c.name)).sort()).toEqual(expected.names.map(plain).sort())
  expected.names.forEach((name, i) => {
    const found = fit.coefficients.find((c) => sorted(c.name) === plain(name))
    for (const key of ['estimate', 'standardError', 'p', 'low', 'high'] as const) {
      expectClose(found?.[key] as number, expected[key][i] as number, 1e-7, 1e-9)
    }
  })
  for (const [name, statistic, p, df] of expected.wald) {
    const found = fit.wald.find((test) => sorted(test.term) === plain(name))
    expect(found?.df).toBe(df)
    expectClose(found?.statistic as number, statistic, 1e-6)
    if (found?.kind === 'F' || !waldAsF) expectClose(found?.p as number, p, 1e-6, 1e-12)
  }
}

const fitted = <T extends Fit>(fit: T | Unfit): T => {
  if ('code' in fit) throw new Error(fit.message)
  return fit
}

describe('linear regression agrees with statsmodels', () => {
  it('classical errors', () => {
    const fit = fitted(linear(main, data.w))
    expectSame(fit, reference.linear, true)
    expectClose(fit.r2, reference.linear.r2, 1e-10)
    expectClose(fit.adjustedR2, reference.linear.adjustedR2, 1e-10)
    expectClose(fit.sigma, reference.linear.sigma, 1e-10)
    expectClose(fit.f?.statistic as number, reference.linear.f[0], 1e-9)
    expectClose(fit.f?.p as number, reference.linear.f[1], 1e-7)
  })
  it('of an intercept alone has the mean of the rows', () => {
    const [value] = reference.clusteredMean
    expectClose(clusteredMean(data.w, data.group).mean, value, 1e-12)
  })
})

describe('logistic regression agrees with statsmodels', () => {
  it('maximum likelihood', () => {
    const fit = fitted(logistic(factorial, data.z))
    expectSame(fit, reference.logistic, false)
    expectClose(fit.deviance, reference.logistic.deviance, 1e-11)
    expectClose(fit.nullDeviance, reference.logistic.nullDeviance, 1e-9)
    expectClose(fit.r2, reference.logistic.mcFadden, 1e-8)
    expectClose(fit.aic, reference.logistic.aic, 1e-11)
    expectClose(fit.likelihoodRatio?.statistic as number, reference.logistic.lr[0], 1e-8)
    expectClose(fit.likelihoodRatio?.p as number, reference.logistic.lr[1], 1e-7)
  })
})

describe('laws of regression', () => {
  const rows = fc.array(
    fc.record({
      x: fc.integer({ min: -9, max: 9 }),
      k: fc.integer({ min: 0, max: 2 }),
      y: fc.integer({ min: -20, max: 20 }),
    }),
    { minLength: 12, maxLength: 60 },
  )
  const built = (sample: readonly { x: number; k: number }[], shift: number): Design =>
    design(
      {
        x: numeric(sample.map((r) => r.x + shift)),
        k: { kind: 'nominal', codes: sample.map((r) => r.k), levels: ['p', 'q', 'r'] },
      },
      [['x'], ['k']],
    )
  it('residuals of least squares are orthogonal to the design, shifts move the intercept only', () => {
    fc.assert(
      fc.property(rows, (sample) => {
        const outcome = sample.map((r) => r.y)
        const plainDesign = built(sample, 0)
        const fit = linear(plainDesign, outcome)
        fc.pre(fit.kind === 'linear')
        const residuals = outcome.map(
          (y, i) =>
            y - fit.coefficients.reduce((sum, c, j) => sum + c.estimate * (plainDesign.columns[j]?.[i] as number), 0),
        )
        for (const column of plainDesign.columns) {
          expectClose(
            column.reduce((sum, x, i) => sum + x * (residuals[i] as number), 0),
            0,
            0,
            1e-9 * sample.length * 400,
          )
        }
        const shifted = fitted(linear(built(sample, 1000), outcome))
        expectClose(shifted.coefficients[1]?.estimate as number, fit.coefficients[1]?.estimate as number, 1e-6, 1e-8)
        expectClose(shifted.r2, fit.r2, 1e-6, 1e-9)
      }),
    )
  })
  it('outcomes put together by their design and cluster give the same fit', () => {
    const one = fc.record({ x: fc.integer({ min: 0, max: 3 }), g: fc.integer({ min: 0, max: 3 }), right: fc.boolean() })
    fc.assert(
      fc.property(fc.array(one, { minLength: 40, maxLength: 120 }), (sample) => {
        const single = logistic(
          design({ x: numeric(sample.map((r) => r.x)) }, [['x']]),
          sample.map((r) => Number(r.right)),
          {
            clusters: sample.map((r) => r.g),
          },
        )
        fc.pre(single.kind === 'logistic')
        const cells = [...Map.groupBy(sample, (r) => `${r.x}/${r.g}`).values()]
        const grouped = fitted(
          logistic(
            design({ x: numeric(cells.map((c) => c[0]?.x as number)) }, [['x']]),
            cells.map((c) => c.filter((r) => r.right).length / c.length),
            { clusters: cells.map((c) => c[0]?.g as number), trials: cells.map((c) => c.length) },
          ),
        )
        expect(grouped.residualDf).toBe(single.residualDf)
        expectClose(grouped.deviance, single.deviance, 1e-10)
        expectClose(grouped.nullDeviance, single.nullDeviance, 1e-10)
        single.coefficients.forEach((c, j) => {
          expectClose(grouped.coefficients[j]?.estimate as number, c.estimate, 1e-7, 1e-9)
          expectClose(grouped.coefficients[j]?.standardError as number, c.standardError, 1e-6, 1e-9)
        })
      }),
    )
  })
  it('a saturated logistic fit gives back the shares of its cells', () => {
    const cell = fc.record({ n: fc.integer({ min: 2, max: 40 }), right: fc.integer({ min: 1, max: 39 }) })
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 4 }), (cells) => {
        fc.pre(cells.every(({ n, right }) => right < n))
        const codes = cells.flatMap(({ n }, k) => Array.from({ length: n }, () => k))
        const y = cells.flatMap(({ n, right }) => Array.from({ length: n }, (_, i) => (i < right ? 1 : 0)))
        const levels = cells.map((_, k) => `c${k}`)
        const fit = fitted(logistic(design({ k: { kind: 'nominal', codes, levels } }, [['k']]), y))
        const base = fit.coefficients[0]?.estimate as number
        cells.forEach(({ n, right }, k) => {
          const eta = base + (k === 0 ? 0 : (fit.coefficients[k]?.estimate as number))
          expectClose(1 / (1 + Math.exp(-eta)), right / n, 1e-9)
        })
      }),
    )
  })
})

describe('what cannot be fitted is said', () => {
  const unfit = (fit: Fit | Unfit): Unfit => {
    if (!('code' in fit)) throw new Error('fitted, although it cannot be')
    return fit
  }
  it('singular designs name the column', () => {
    const x = [1, 2, 3, 4, 5, 6, 7, 8]
    const both = design({ x: numeric(x), twice: numeric(x.map((v) => 2 * v - 1)) }, [['x'], ['twice']])
    expect(unfit(linear(both, x))).toMatchObject({ code: 'singular', message: expect.stringContaining('twice') })
    expect(unfit(logistic(both, [0, 1, 0, 1, 1, 0, 1, 0]))).toMatchObject({ code: 'singular' })
  })
  it('complete and quasi-complete separation', () => {
    const x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const other = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]
    const both = design({ x: numeric(x), other: numeric(other) }, [['x'], ['other']])
    expect(
      unfit(
        logistic(
          both,
          x.map((v) => (v > 5 ? 1 : 0)),
        ),
      ),
    ).toMatchObject({ code: 'separated' })
    const quasi = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    const tied = design({ x: numeric([1, 2, 3, 4, 5, 5, 6, 7, 8, 9]), other: numeric(other) }, [['x'], ['other']])
    expect(unfit(logistic(tied, quasi))).toMatchObject({ code: 'separated', message: expect.stringContaining('x') })
    const level = design({ k: nominal(['a', 'a', 'a', 'b', 'b', 'b']) }, [['k']])
    expect(unfit(logistic(level, [0, 1, 0, 1, 1, 1]))).toMatchObject({
      code: 'separated',
      message: expect.stringContaining('k=b'),
    })
  })
  it('constant outcomes, too few rows, a single group', () => {
    const x = design({ x: numeric([1, 2, 3, 4]) }, [['x']])
    expect(unfit(logistic(x, [1, 1, 1, 1])).code).toBe('separated')
    expect(unfit(linear(design({ x: numeric([1, 2]) }, [['x']]), [1, 2])).code).toBe('too-few')
    expect(unfit(linear(x, [1, 3, 2, 5], { clusters: [7, 7, 7, 7] })).code).toBe('one-group')
  })
  it('a strong but finite effect is not called separated', () => {
    const x = Array.from({ length: 200 }, (_, i) => i)
    const y = x.map((v) => (v > 100 ? 1 : 0))
    y[98] = 1
    y[103] = 0
    expect(fitted(logistic(design({ x: numeric(x) }, [['x']]), y)).coefficients[1]?.estimate).toBeGreaterThan(0.3)
  })
  it('designs that mean nothing', () => {
    const two = { x: numeric([1, 2]), k: nominal(['a', 'b']) }
    expect(() => design(two, [['x', 'k']])).toThrow('interaction x:k needs the term k as well')
    expect(() => design(two, [['z']])).toThrow('no variable z; there are x, k')
    expect(() => design({ x: numeric([1, Number.NaN]) }, [['x']])).toThrow('x is not a finite number in row 1')
    expect(() => design({ k: nominal(['a', 'b'], 'c') }, [['k']])).toThrow(
      /never takes the base level c; it takes a, b/,
    )
    expect(pairwise(['a', 'b', 'c'])).toEqual([['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c']])
  })
})
