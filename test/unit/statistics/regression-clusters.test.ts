import { EigenvalueDecomposition, inverse, Matrix } from 'ml-matrix'
import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../src/core/index.ts'
import {
  clusteredMean,
  type Design,
  design,
  type Fit,
  linear,
  logistic,
  tQuantile,
  type Unfit,
} from '../../../src/libraries/statistics/index.ts'
import { expectClose } from './close.ts'
import { fixture } from './fixture.ts'

interface Data {
  readonly u: readonly number[]
  readonly v: readonly number[]
  readonly z: readonly number[]
  readonly w: readonly number[]
  readonly group: readonly number[]
  readonly model: readonly string[]
}
const { data } = fixture<{ readonly data: Data }>('regression')
const levels = [...new Set(data.model)].sort()
const main = design(
  {
    u: { kind: 'numeric', values: data.u },
    v: { kind: 'numeric', values: data.v },
    model: { kind: 'nominal', codes: data.model.map((name) => levels.indexOf(name)), levels },
  },
  [['u'], ['v'], ['model'], ['u', 'model']],
)
const fitted = <T extends Fit>(fit: T | Unfit): T => {
  if ('code' in fit) throw new Error(fit.message)
  return fit
}

/** CR2 and the degrees of freedom as they are defined, with matrices of as many rows as the data. */
function asDefined(
  { rows, columns }: Design,
  residuals: readonly number[],
  weights: readonly number[],
  groups: readonly number[],
) {
  const roots = weights.map(Math.sqrt)
  const x = new Matrix(
    columns.map((column) => Array.from(column, (value, i) => value * (roots[i] as number))),
  ).transpose()
  const bread = inverse(x.transpose().mmul(x))
  const hat = x.mmul(bread).mmul(x.transpose())
  const rest = Matrix.eye(rows).sub(hat)
  const members = [...new Set(groups)].map((g) => groups.flatMap((other, i) => (other === g ? [i] : [])))
  const adjusted = members.map((own) => {
    const { realEigenvalues: values, eigenvectorMatrix: vectors } = new EigenvalueDecomposition(
      rest.selection(own, own),
      { assumeSymmetric: true },
    )
    const power = values.map((value) => (value < 1e-9 ? 0 : 1 / Math.sqrt(value)))
    return vectors
      .mmul(Matrix.diag(power))
      .mmul(vectors.transpose())
      .mmul(x.selection(own, [...columns.keys()]))
  })
  const meat = Matrix.zeros(columns.length, columns.length)
  for (const [g, own] of members.entries()) {
    const e = Matrix.columnVector(own.map((i) => (residuals[i] as number) / (roots[i] as number)))
    const sum = (adjusted[g] as Matrix).transpose().mmul(e)
    meat.add(sum.mmul(sum.transpose()))
  }
  const covariance = bread.mmul(meat).mmul(bread)
  const df = columns.map((_, j) => {
    const p = adjusted.map((part) => part.mmul(bread.getColumnVector(j)))
    let [trace, squares] = [0, 0]
    for (const [g, own] of members.entries())
      for (const [h, other] of members.entries()) {
        const value = (p[g] as Matrix)
          .transpose()
          .mmul(rest.selection(own, other))
          .mmul(p[h] as Matrix)
          .get(0, 0)
        if (g === h) trace += value
        squares += value * value
      }
    return (trace * trace) / squares
  })
  return { covariance, df }
}

function expectDefined(fit: Fit, wanted: ReturnType<typeof asDefined>): void {
  for (const [j, { estimate, standardError, low, high }] of fit.coefficients.entries()) {
    expectClose(standardError, Math.sqrt(wanted.covariance.get(j, j)), 1e-8)
    const reach = tQuantile(0.975, wanted.df[j] as number) * standardError
    expectClose(low, estimate - reach, 1e-6)
    expectClose(high, estimate + reach, 1e-6)
  }
}

describe('errors of a regression over clusters', () => {
  it('are CR2 as defined, linear', () => {
    const fit = fitted(linear(main, data.w, { clusters: data.group }))
    const left = data.w.map(
      (value, i) =>
        value -
        main.columns.reduce(
          (sum, column, j) => sum + (column[i] as number) * (fit.coefficients[j]?.estimate as number),
          0,
        ),
    )
    expectDefined(
      fit,
      asDefined(
        main,
        left,
        left.map(() => 1),
        data.group,
      ),
    )
    expect(fit.errors).toBe('CR2 over 14 groups')
  })

  it('are CR2 as defined, logistic', () => {
    const fit = fitted(logistic(main, data.z, { clusters: data.group }))
    const shares = data.z.map((_, i) => {
      const eta = main.columns.reduce(
        (sum, column, j) => sum + (column[i] as number) * (fit.coefficients[j]?.estimate as number),
        0,
      )
      return 1 / (1 + Math.exp(-eta))
    })
    const left = data.z.map((value, i) => value - (shares[i] as number))
    expectDefined(
      fit,
      asDefined(
        main,
        left,
        shares.map((share) => share * (1 - share)),
        data.group,
      ),
    )
  })

  it('of shares of exactly one half in every cluster are nothing, not an error', () => {
    const x = [0, 1, 0, 1, 2, 3, 2, 3]
    const fit = logistic(
      design({ x: { kind: 'numeric', values: x } }, [['x']]),
      x.map(() => 0.5),
      {
        clusters: x.map((_, i) => Math.floor(i / 2)),
        trials: x.map(() => 4),
      },
    )
    const [intercept] = fit.kind === 'logistic' ? fit.coefficients : []
    expect(intercept).toMatchObject({ estimate: 0, standardError: 0, statistic: 0, p: 1 })
  })

  it('of an intercept alone are those of a mean', () => {
    const alone = design({ u: { kind: 'numeric', values: data.u } }, [])
    const [found] = fitted(linear(alone, data.w, { clusters: data.group })).coefficients
    const { standardError, df } = clusteredMean(data.w, data.group)
    expectClose(found?.standardError as number, standardError as number, 1e-10)
    expectClose(
      (found?.high as number) - (found?.estimate as number),
      tQuantile(0.975, df) * (standardError as number),
      1e-9,
    )
  })

  it('stand where one cluster alone tells a coefficient', () => {
    const only = data.group.map((g) => Number(g === data.group[0]))
    const found = fitted(
      linear(design({ only: { kind: 'numeric', values: only } }, [['only']]), data.w, { clusters: data.group }),
    )
    expect(found.coefficients.every(({ standardError }) => Number.isFinite(standardError))).toBe(true)
  })

  it.each([
    { groups: 8, sizes: 'equal' },
    { groups: 8, sizes: 'unequal' },
    { groups: 16, sizes: 'unequal' },
    { groups: 40, sizes: 'unequal' },
  ])('hold the truth as often as they say: $groups groups, $sizes', ({ groups, sizes }) => {
    const stream = new Sfc32(groups, sizes.length, 5, 9)
    const uniform = () => stream.u32() / 2 ** 32
    const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
    const runs = 600
    let held = 0
    for (let run = 0; run < runs; run++) {
      const [x, y, of]: [number[], number[], number[]] = [[], [], []]
      for (let g = 0; g < groups; g++) {
        const [level, slope, common] = [normal(), 0.5 * normal(), normal()]
        const size = sizes === 'equal' ? 6 : 2 + 2 * (g % 6)
        for (let i = 0; i < size; i++) {
          const value = common + normal()
          x.push(value)
          y.push(level + slope * value + normal())
          of.push(g)
        }
      }
      const fit = fitted(linear(design({ x: { kind: 'numeric', values: x } }, [['x']]), y, { clusters: of }))
      const { low, high } = fit.coefficients[1] as Fit['coefficients'][number]
      if (low <= 0 && 0 <= high) held++
    }
    expect(held / runs).toBeGreaterThan(0.92)
    expect(held / runs).toBeLessThan(0.985)
  })
})
