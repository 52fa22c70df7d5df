import { type Clusters, checkLengths, clustering } from '../clusters.ts'
import { checkConfidence, DEFAULT_CONFIDENCE } from '../confidence.ts'
import { fUpper } from '../distributions/test-statistics.ts'
import { moments } from '../moments.ts'
import type { Design } from './design.ts'
import { type Fit, inference, square, type Unfit } from './fit.ts'
import { qr } from './qr.ts'
import { clusterCovariance } from './robust.ts'

/** How standard errors and intervals of a regression are made. */
export interface RegressionOptions {
  /** Rows that belong together: errors are then cluster-robust (CR2) with t on Bell and McCaffrey's degrees of freedom. */
  readonly clusters?: Clusters
  readonly confidence?: number
}

/** A linear regression: coefficients in units of the outcome, and how much of its variance they explain. */
export interface LinearFit extends Fit {
  readonly kind: 'linear'
  readonly r2: number
  readonly adjustedR2: number
  /** Residual standard deviation. */
  readonly sigma: number
  /** The classical test of all terms at once; null without terms. */
  readonly f: { readonly statistic: number; readonly top: number; readonly bottom: number; readonly p: number } | null
}

/**
 * Ordinary least squares by Householder QR. R2 = 1 - RSS/TSS, adjusted R2 = 1 - (1-R2)(n-1)/(n-p). A design that cannot be fitted is a
 * result, not an exception: see {@link Unfit}.
 *
 * @example
 * import { design, linear } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = design({ x: { kind: 'numeric', values: [0, 1, 2, 3, 4, 5] } }, [['x']])
 * const fit = linear(matrix, [1, 3, 5, 7, 9, 12])
 * console.log(fit.kind === 'linear' ? fit.coefficients.map(({ name, estimate }) => `${name} ${estimate.toFixed(3)}`) : fit.message) // [ 'Intercept 0.810', 'x 2.143' ]
 */
export function linear(design: Design, y: ArrayLike<number>, options: RegressionOptions = {}): LinearFit | Unfit {
  const confidence = checkConfidence(options.confidence ?? DEFAULT_CONFIDENCE)
  const { rows: n, columns } = design
  const p = columns.length
  if (y.length !== n) throw new RangeError(`a regression needs one outcome a row, got ${y.length} for ${n} rows`)
  if (n <= p) return { kind: 'unfit', code: 'too-few', message: `${n} rows cannot determine ${p} coefficients` }
  const outcome = Float64Array.from(y)
  const tss = moments(outcome).variance * (n - 1)
  if (tss === 0) return allAlike(outcome[0] as number)
  const factored = qr(columns, n)
  if (factored.kind === 'dependent') return singular(design, factored.column)
  const beta = factored.solve(outcome)
  const residuals = outcome.map((value, i) => {
    let fitted = 0
    for (let j = 0; j < p; j++) fitted += ((columns[j] as Float64Array)[i] as number) * (beta[j] as number)
    return value - fitted
  })
  const rss = residuals.reduce((sum, r) => sum + r * r, 0)
  const bread = square(factored.inverse())
  const residualDf = n - p
  const r2 = 1 - rss / tss
  const f = p > 1 ? fTest((tss - rss) / (p - 1) / (rss / residualDf), p - 1, residualDf) : null
  const shared = {
    kind: 'linear',
    n,
    residualDf,
    r2,
    adjustedR2: 1 - ((1 - r2) * (n - 1)) / residualDf,
    sigma: Math.sqrt(rss / residualDf),
    f,
  } as const
  if (options.clusters === undefined) {
    const covariance = bread.mul(rss / residualDf)
    return {
      ...shared,
      ...inference(
        design,
        beta,
        covariance,
        columns.map(() => residualDf),
        confidence,
        'F',
      ),
      errors: 'classical',
    }
  }
  checkLengths('rows and clusters', y, options.clusters)
  const groups = clustering(options.clusters)
  if (groups.count < 2) return oneGroup()
  const { covariance, df } = clusterCovariance(design, residuals, null, bread, groups)
  const found = inference(design, beta, covariance, df, confidence, 'F')
  return { ...shared, ...found, errors: `CR2 over ${groups.count} groups` }
}

const fTest = (statistic: number, top: number, bottom: number) => ({
  statistic,
  top,
  bottom,
  p: fUpper(statistic, top, bottom),
})

export function singular(design: Design, column: number): Unfit {
  const name = design.names[column]
  const message = `${name} is constant or a linear combination of the terms before it; drop it or merge levels`
  return { kind: 'unfit', code: 'singular', message }
}

export const allAlike = (outcome: number): Unfit => ({
  kind: 'unfit',
  code: 'separated',
  message: `every outcome is ${outcome}: there is nothing to explain`,
})

export const oneGroup = (): Unfit => ({
  kind: 'unfit',
  code: 'one-group',
  message: 'cluster-robust errors need at least two groups',
})
