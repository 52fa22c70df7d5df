import type { Estimate } from '../../core/analysis.ts'
import { type Clusters, checkLengths, clustering } from './clusters.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { tQuantile, tTwoSided } from './distributions/test-statistics.ts'

/** Difference of the means of two sets of rows. */
export interface ClusteredGap {
  /** Mean inside less mean outside. */
  readonly gap: Estimate
  readonly standardError: number
  readonly df: number
  readonly p: number
}

/**
 * Mean score (0..1) of some rows minus that of the others, where clusters may have rows on both sides: CR2 error, Student's t
 * on Bell and McCaffrey's degrees of freedom, clipped to -1..1. Equals the regression on one indicator (`linear` with
 * clusters), computed in one pass: the hat matrix of two cells is constant on each. The error is at least that of
 * independent rows with the share (k + 2) / (n + 4) of Agresti and Coull (Am. Stat. 52, 1998), so that a side that is all
 * correct by chance is not certain. null where a side has fewer than two clusters.
 *
 * @example
 * import { clusteredGap } from '@touchstone-eval/touchstone/statistics'
 *
 * const found = clusteredGap([1, 1, 1, 0, 0, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])
 * console.log(found?.gap.value) // 0.5
 */
export function clusteredGap(
  values: ArrayLike<number>,
  inside: ArrayLike<number | boolean>,
  clusters: Clusters,
  confidence: number = DEFAULT_CONFIDENCE,
): ClusteredGap | null {
  checkLengths('values and sides', values, inside)
  checkLengths('values and clusters', values, clusters)
  const { of, count } = clustering(clusters)
  const sides = [new Side(count), new Side(count)] as const
  const sideOf = (row: number): Side => sides[inside[row] ? 0 : 1]
  for (let row = 0; row < values.length; row++) sideOf(row).add(of[row] as number, values[row] as number)
  const [first, second] = sides
  if (first.clusters < 2 || second.clusters < 2) return null
  const found = errorOf(first, second, count)
  const value = first.mean - second.mean
  const standardError = Math.sqrt(Math.max(found.variance, first.least + second.least))
  const reach = tQuantile(0.5 + checkConfidence(confidence) / 2, found.df) * standardError
  const method = `difference of two means, CR2 over ${count} groups, t ${percentOf(confidence)}`
  const [low, high] = [Math.max(-1, value - reach), Math.min(1, value + reach)]
  return {
    gap: { value, low, high, n: values.length, method, groups: count },
    standardError,
    df: found.df,
    p: tTwoSided(value / standardError, found.df),
  }
}

/** Rows and sums of each cluster on one side. */
class Side {
  readonly rows: Float64Array
  readonly sums: Float64Array
  n = 0
  private sum = 0
  clusters = 0

  constructor(count: number) {
    this.rows = new Float64Array(count)
    this.sums = new Float64Array(count)
  }

  add(cluster: number, value: number): void {
    if (this.rows[cluster] === 0) this.clusters++
    this.rows[cluster] = (this.rows[cluster] as number) + 1
    this.sums[cluster] = (this.sums[cluster] as number) + value
    this.n++
    this.sum += value
  }

  get mean(): number {
    return this.sum / this.n
  }

  /** Lower bound of the variance of the mean. */
  get least(): number {
    const p = (this.sum + 2) / (this.n + 4)
    return (p * (1 - p)) / this.n
  }

  /** Weight of a row in the mean with the CR2 correction: (1 - h)^(-1/2) / n. */
  weight(cluster: number): number {
    return 1 / (Math.sqrt(1 - (this.rows[cluster] as number) / this.n) * this.n)
  }

  /** Sum of the residuals of a cluster. */
  residual(cluster: number): number {
    return (this.sums[cluster] as number) - (this.rows[cluster] as number) * this.mean
  }
}

/** The CR2 variance, and (sum P_gg)^2 / sum P_gh^2 as `clusterCovariance` has it, for two cells. */
function errorOf(first: Side, second: Side, count: number): { readonly variance: number; readonly df: number } {
  let variance = 0
  let [trace, squares] = [0, 0]
  // Sums over clusters of s^2, t^2, s t and of their squares, s and t the weights of a cluster in its two means.
  let [ss, tt, st, s4, t4, st2] = [0, 0, 0, 0, 0, 0]
  for (let g = 0; g < count; g++) {
    const [a, b] = [first.weight(g), second.weight(g)]
    const [s, t] = [a * (first.rows[g] as number), b * (second.rows[g] as number)]
    variance += (a * first.residual(g) - b * second.residual(g)) ** 2
    const own = a * s + b * t - (s * s) / first.n - (t * t) / second.n
    trace += own
    squares += own * own
    ss += s * s
    tt += t * t
    st += s * t
    s4 += s ** 4
    t4 += t ** 4
    st2 += (s * t) ** 2
  }
  squares += (ss * ss - s4) / first.n ** 2 + (tt * tt - t4) / second.n ** 2
  squares += (2 * (st * st - st2)) / (first.n * second.n)
  return { variance, df: trace ** 2 / squares }
}
