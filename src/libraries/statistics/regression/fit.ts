import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import { chiSquaredUpper, fUpper, tQuantile, tTwoSided } from '../distributions/test-statistics.ts'
import type { Design } from './design.ts'

/** One coefficient of a regression, with its test against zero and its interval. Of logistic regression in log odds. */
export interface Coefficient {
  /** `Intercept`, `x`, `model=a`, `x:model=a` */
  readonly name: string
  readonly estimate: number
  readonly standardError: number
  /** t or z */
  readonly statistic: number
  readonly p: number
  readonly low: number
  readonly high: number
}

/** Wald's test that all coefficients of a term are 0; F = chi2 / df where `bottom` is finite. */
export interface WaldTest {
  readonly term: string
  readonly df: number
  readonly statistic: number
  readonly kind: 'chi2' | 'F'
  /** Denominator degrees of freedom of F. */
  readonly bottom: number | null
  readonly p: number
}

/** Results common to linear and logistic regression. */
export interface Fit {
  readonly n: number
  readonly coefficients: readonly Coefficient[]
  /** One a term, in the order of the design; a term whose covariance block is singular (fewer clusters than columns) has none. */
  readonly wald: readonly WaldTest[]
  /** The same of all terms together, the intercept aside; null where there is none, or their covariance is singular. */
  readonly total: WaldTest | null
  readonly covariance: readonly (readonly number[])[]
  readonly residualDf: number
  /** How standard errors were made, e.g. `CR2 over 12 groups`. */
  readonly errors: string
}

/** Why there is no fit: a fact about the data, for the table's notes. */
export interface Unfit {
  readonly kind: 'unfit'
  readonly code: 'too-few' | 'singular' | 'separated' | 'no-convergence' | 'one-group'
  readonly message: string
}

/**
 * Coefficient rows and Wald tests from estimates and their covariance; `df` by coefficient, infinite means normal and
 * chi-squared. An F has the fewest degrees of freedom of its term's coefficients below.
 */
export function inference(
  design: Design,
  beta: Float64Array,
  covariance: Matrix,
  df: readonly number[],
  confidence: number,
  wald: 'chi2' | 'F',
): Pick<Fit, 'coefficients' | 'wald' | 'total' | 'covariance'> {
  const coefficients = design.names.map((name, j) => {
    const estimate = beta[j] as number
    const standardError = Math.sqrt(Math.max(0, covariance.get(j, j)))
    // Shares of one half in every cluster have neither an effect nor an error: nothing to test, and no 0 / 0.
    const statistic = estimate === 0 ? 0 : estimate / standardError
    const own = df[j] as number
    const reach = tQuantile(0.5 + confidence / 2, own) * standardError
    const p = tTwoSided(statistic, own)
    return { name, estimate, standardError, statistic, p, low: estimate - reach, high: estimate + reach }
  })
  const test = (term: string, from: number, to: number): WaldTest | null => {
    if (from === to) return null
    const statistic = quadratic(beta.subarray(from, to), covariance.subMatrix(from, to - 1, from, to - 1))
    if (statistic === null) return null
    const q = to - from
    const bottom = Math.min(...df.slice(from, to))
    return wald === 'chi2'
      ? { term, df: q, statistic, kind: 'chi2', bottom: null, p: chiSquaredUpper(statistic, q) }
      : { term, df: q, statistic: statistic / q, kind: 'F', bottom, p: fUpper(statistic / q, q, bottom) }
  }
  const tests = design.terms.flatMap(({ name, from, to }) => test(name, from, to) ?? [])
  const total = test('Total model', 1, beta.length)
  return { coefficients, wald: tests, total, covariance: covariance.to2DArray() }
}

/** b' V^-1 b, after scaling V to unit diagonal; null where V is singular. */
function quadratic(b: Float64Array, v: Matrix): number | null {
  if (b.length === 0) return null
  const scale = Array.from(b, (_, i) => Math.sqrt(v.get(i, i)))
  if (scale.some((s) => !(s > 0 && Number.isFinite(s)))) return null
  const correlation = Matrix.from1DArray(
    b.length,
    b.length,
    Array.from({ length: b.length ** 2 }, () => 0),
  )
  for (let i = 0; i < b.length; i++) {
    for (let j = 0; j < b.length; j++) {
      correlation.set(i, j, (v.get(i, j) + v.get(j, i)) / 2 / ((scale[i] as number) * (scale[j] as number)))
    }
  }
  const cholesky = new CholeskyDecomposition(correlation)
  const lower = cholesky.lowerTriangularMatrix
  for (let i = 0; i < b.length; i++) if (!(lower.get(i, i) > 1e-7)) return null
  const z = Matrix.columnVector(Array.from(b, (x, i) => x / (scale[i] as number)))
  return z.transpose().mmul(cholesky.solve(z)).get(0, 0)
}

/** A square matrix stored column after column. */
export const square = (values: Float64Array): Matrix => {
  const p = Math.round(Math.sqrt(values.length))
  return Matrix.from1DArray(p, p, Array.from(values))
}
