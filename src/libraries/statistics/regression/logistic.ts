import { checkLengths, clustering } from '../clusters.ts'
import { checkConfidence, DEFAULT_CONFIDENCE } from '../confidence.ts'
import { chiSquaredUpper } from '../distributions/test-statistics.ts'
import { logistic as sigmoid, softplus } from '../numeric.ts'
import type { Design } from './design.ts'
import { type Fit, inference, square, type Unfit } from './fit.ts'
import { allAlike, oneGroup, type RegressionOptions, singular } from './linear.ts'
import { qr } from './qr.ts'
import { clusterCovariance } from './robust.ts'

/** A logistic regression: coefficients in log odds, deviances and what is made of them. */
export interface LogisticFit extends Fit {
  readonly kind: 'logistic'
  /** -2 log-likelihood for 0/1 outcomes. */
  readonly deviance: number
  readonly nullDeviance: number
  /** Likelihood-ratio test against the intercept alone: null deviance - deviance on p - 1 degrees of freedom. */
  readonly likelihoodRatio: { readonly statistic: number; readonly df: number; readonly p: number } | null
  /** McFadden's 1 - D/D0. */
  readonly r2: number
  /** Adjusted deviance R2, 1 - (D / (n - p)) / (D0 / (n - 1)). */
  readonly adjustedR2: number
  /** McFadden's adjusted R2, 1 - (logL - p) / logL0. */
  readonly adjustedMcFadden: number
  readonly aic: number
  readonly iterations: number
}

/** As of linear regression; outcomes may be put together. */
export interface LogisticOptions extends RegressionOptions {
  /**
   * How many 0/1 outcomes each row stands for, its outcome being their mean. Rows that agree on the design (and the cluster) may be put
   * together: the fit, its deviance and its degrees of freedom are those of the single outcomes.
   */
  readonly trials?: ArrayLike<number>
}

const MAX_ITERATIONS = 50

/**
 * Logistic regression of outcomes in 0..1 by iteratively reweighted least squares (McCullagh and Nelder 1989, section 2.5). Wald tests are
 * chi-squared; with `clusters` errors are CR2 and coefficients are tested by t on Bell and McCaffrey's degrees of freedom. Separated data
 * have no maximum-likelihood estimate: that, a singular design and too few rows are results of kind `unfit`.
 *
 * @example
 * import { design, logistic } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = design({ x: { kind: 'numeric', values: [0, 1, 2, 3, 4, 5] } }, [['x']])
 * const fit = logistic(matrix, [0, 1, 0, 1, 0, 1])
 * console.log(fit.kind === 'logistic' ? fit.coefficients.map(({ name, estimate }) => `${name} ${estimate.toFixed(3)}`) : fit.message) // [ 'Intercept -0.903', 'x 0.361' ]
 */
export function logistic(design: Design, y: ArrayLike<number>, options: LogisticOptions = {}): LogisticFit | Unfit {
  const confidence = checkConfidence(options.confidence ?? DEFAULT_CONFIDENCE)
  const rows = design.rows
  const p = design.columns.length
  if (y.length !== rows) throw new RangeError(`a regression needs one outcome a row, got ${y.length} for ${rows} rows`)
  const data = outcomesOf(y, options.trials)
  const n = data.n
  for (let i = 0; i < rows; i++) {
    if (!((y[i] as number) >= 0 && (y[i] as number) <= 1))
      throw new RangeError(`outcome ${i} must lie in 0..1, got ${y[i]}`)
  }
  if (n <= p) return { kind: 'unfit', code: 'too-few', message: `${n} rows cannot determine ${p} coefficients` }
  const plain = qr(design.columns, rows)
  if (plain.kind === 'dependent') return singular(design, plain.column)
  const found = iterate(design, data)
  if ('code' in found) return found
  const { beta, bread, deviance, iterations } = found
  const share = mean(data)
  const nullDeviance = devianceOf(new Float64Array(rows).fill(Math.log(share / (1 - share))), data)
  const drop = Math.max(0, nullDeviance - deviance)
  const shared = {
    kind: 'logistic',
    n,
    residualDf: n - p,
    deviance,
    nullDeviance,
    likelihoodRatio: p > 1 ? { statistic: drop, df: p - 1, p: chiSquaredUpper(drop, p - 1) } : null,
    r2: 1 - deviance / nullDeviance,
    adjustedR2: 1 - deviance / (n - p) / (nullDeviance / (n - 1)),
    adjustedMcFadden: 1 - (deviance + 2 * p) / nullDeviance,
    aic: deviance + 2 * p,
    iterations,
  } as const
  const covariance = square(bread)
  if (options.clusters === undefined) {
    const wald = inference(
      design,
      beta,
      covariance,
      design.columns.map(() => Number.POSITIVE_INFINITY),
      confidence,
      'chi2',
    )
    return { ...shared, ...wald, errors: 'maximum likelihood' }
  }
  checkLengths('rows and clusters', y, options.clusters)
  const groups = clustering(options.clusters)
  if (groups.count < 2) return oneGroup()
  const shares = linearPredictor(design, beta).map(sigmoid)
  const score = shares.map((share, i) => (data.weight[i] as number) * ((y[i] as number) - share))
  const weight = shares.map((share, i) => (data.weight[i] as number) * share * (1 - share))
  const robust = clusterCovariance(design, score, weight, covariance, groups)
  const wald = inference(design, beta, robust.covariance, robust.df, confidence, 'chi2')
  return { ...shared, ...wald, errors: `CR2 over ${groups.count} groups` }
}

interface Converged {
  readonly beta: Float64Array
  /** (X'WX)^-1, column after column. */
  readonly bread: Float64Array
  readonly deviance: number
  readonly iterations: number
}

interface Outcomes {
  readonly y: Float64Array
  readonly weight: Float64Array
  /** Sum of the weights. */
  readonly n: number
  /** True if fractional outcomes are means of 0/1 outcomes. */
  readonly grouped: boolean
}

function outcomesOf(y: ArrayLike<number>, trials: ArrayLike<number> | undefined): Outcomes {
  if (trials === undefined) {
    return { y: Float64Array.from(y), weight: new Float64Array(y.length).fill(1), n: y.length, grouped: false }
  }
  checkLengths('rows and trials', y, trials)
  const weight = Float64Array.from(trials)
  const bad = weight.findIndex((w) => !(w > 0))
  if (bad >= 0) throw new RangeError(`row ${bad} must stand for at least one trial, got ${weight[bad]}`)
  return { y: Float64Array.from(y), weight, n: weight.reduce((sum, w) => sum + w, 0), grouped: true }
}

function iterate(design: Design, data: Outcomes): Converged | Unfit {
  const { columns, rows: n } = design
  const { y, weight } = data
  const share = mean(data)
  if (share === 0 || share === 1) return allAlike(share)
  const early = separation(design, y, null)
  if (early !== null) return early
  let beta = new Float64Array(columns.length)
  beta[0] = Math.log(share / (1 - share))
  let eta = linearPredictor(design, beta)
  let deviance = devianceOf(eta, data)
  for (let iteration = 1; iteration <= MAX_ITERATIONS; iteration++) {
    const spread = eta.map((e) => Math.max(1e-14, sigmoid(e) * sigmoid(-e)))
    const root = spread.map((v, i) => Math.sqrt(v * (weight[i] as number)))
    const weighted = columns.map((column) => column.map((x, i) => x * (root[i] as number)))
    const step = qr(weighted, n)
    if (step.kind === 'dependent') return separation(design, y, beta) ?? diverged(iteration)
    const working = y.map(
      (value, i) => ((value - sigmoid(eta[i] as number)) / (spread[i] as number)) * (root[i] as number),
    )
    const change = step.solve(working)
    let [scale, next, nextEta, nextDeviance] = [1, beta, eta, deviance]
    // Newton's step halved while it makes the fit worse.
    for (; scale > 1e-4; scale /= 2) {
      next = beta.map((b, j) => b + scale * (change[j] as number))
      nextEta = linearPredictor(design, next)
      nextDeviance = devianceOf(nextEta, data)
      if (nextDeviance <= deviance + 1e-9 * (1 + deviance)) break
    }
    const moved = largest(nextEta.map((e, i) => e - (eta[i] as number)))
    beta = next
    eta = nextEta
    const settled = moved < 1e-9
    deviance = nextDeviance
    if (settled) return { beta, bread: inverseInformation(design, eta, weight), deviance, iterations: iteration }
    if (iteration >= 8) {
      const found = separation(design, y, change)
      if (found !== null) return found
    }
  }
  return diverged(MAX_ITERATIONS)
}

function inverseInformation(design: Design, eta: Float64Array, weight: Float64Array): Float64Array {
  const root = eta.map((e, i) => Math.sqrt((weight[i] as number) * sigmoid(e) * sigmoid(-e)))
  const final = qr(
    design.columns.map((column) => column.map((x, i) => x * (root[i] as number))),
    design.rows,
  )
  if (final.kind === 'dependent') throw new Error('the information matrix of a converged fit is regular')
  return final.inverse()
}

const diverged = (iterations: number): Unfit => ({
  kind: 'unfit',
  code: 'no-convergence',
  message: `no convergence after ${iterations} iterations; rescale the variables or drop terms`,
})

function linearPredictor(design: Design, beta: Float64Array): Float64Array {
  const eta = new Float64Array(design.rows)
  design.columns.forEach((column, j) => {
    const b = beta[j] as number
    for (let i = 0; i < eta.length; i++) eta[i] = (eta[i] as number) + b * (column[i] as number)
  })
  return eta
}

/** 2 sum y ln(y/mu) + (1-y) ln((1-y)/(1-mu)); for 0/1 outcomes, grouped or not, -2 log-likelihood. */
function devianceOf(eta: Float64Array, { y, weight, grouped }: Outcomes): number {
  let total = 0
  for (let i = 0; i < eta.length; i++) {
    const value = y[i] as number
    const e = eta[i] as number
    // -ln sigmoid(e) = ln(1 + exp(-e)), and -ln(1 - sigmoid(e)) the same of -e.
    total += (weight[i] as number) * (value * softplus(-e) + (1 - value) * softplus(e))
    if (!grouped && value > 0 && value < 1) total += value * Math.log(value) + (1 - value) * Math.log(1 - value)
  }
  return 2 * total
}

function mean({ y, weight, n }: Outcomes): number {
  let total = 0
  for (let i = 0; i < y.length; i++) total += (y[i] as number) * (weight[i] as number)
  return total / n
}

/**
 * Is the data (quasi-)completely separated? Then some direction d of the coefficients never lowers the likelihood: x_i d >= 0 wherever y_i
 * = 1 and x_i d <= 0 wherever y_i = 0, with one strict (Albert and Anderson, Biometrika 71, 1984). Newton's steps of a diverging fit
 * turn into such a direction: `direction` is tried as that certificate, so an `Unfit` is a proof. With null the single columns are tried.
 */
export function separation(design: Design, y: Float64Array, direction: Float64Array | null): Unfit | null {
  if (direction === null) {
    for (let j = 1; j < design.columns.length; j++) {
      if (certifies(design.columns[j] as Float64Array, y)) return separated([design.names[j] as string])
    }
    return null
  }
  const along = new Float64Array(design.rows)
  design.columns.forEach((column, j) => {
    for (let i = 0; i < along.length; i++)
      along[i] = (along[i] as number) + (direction[j] as number) * (column[i] as number)
  })
  if (!certifies(along, y)) return null
  const most = largest(direction)
  const names = design.names.filter((_, j) => Math.abs(direction[j] as number) > 0.01 * most && j > 0)
  return separated(names.length > 0 ? names : ['Intercept'])
}

function certifies(along: Float64Array, y: Float64Array): boolean {
  const slack = 1e-6 * largest(along)
  if (slack === 0) return false
  let [up, down, moves] = [true, true, false]
  for (let i = 0; i < along.length; i++) {
    const x = along[i] as number
    if (Math.abs(x) <= slack) continue
    moves = true
    const value = y[i] as number
    if (x > 0 ? value < 1 : value > 0) up = false
    if (x > 0 ? value > 0 : value < 1) down = false
    if (!up && !down) return false
  }
  return moves
}

/** The largest absolute value; 0 of none. */
export function largest(values: Float64Array): number {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  return most
}

function separated(names: readonly string[]): Unfit {
  const some = names.slice(0, 5).join(', ') + (names.length > 5 ? ` and ${names.length - 5} more` : '')
  const message = `the outcome is separated by ${some}: no finite estimate exists; drop the term or merge levels`
  return { kind: 'unfit', code: 'separated', message }
}
