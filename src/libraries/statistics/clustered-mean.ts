import type { Estimate } from '../../core/analysis.ts'
import { betaBinomialInterval } from './beta-binomial.ts'
import { areBinary, type Clusters, checkLengths, clustering, clusterSums } from './clusters.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { normalQuantile } from './distributions/normal.ts'
import { tQuantile } from './distributions/test-statistics.ts'
import { usesWildBootstrap } from './group-counts.ts'
import { moments } from './moments.ts'
import { wildTest } from './wild-bootstrap.ts'
import { wilsonBounds } from './wilson.ts'

/** A mean whose standard error counts clusters, not values, as independent. */
export interface ClusteredMean {
  readonly n: number
  readonly clusters: number
  readonly mean: number
  /** null for a single cluster. */
  readonly standardError: number | null
  /** Degrees of freedom of that error by Bell and McCaffrey: G - 1 for groups of one size, fewer otherwise; 0 for one group. */
  readonly df: number
}

/**
 * Mean and its cluster-robust standard error (CR2): V = sum_g u_g^2 / (1 - w_g) / n^2, u_g the sum of the residuals of group g and
 * w_g = n_g / n its share of the rows, the intercept-only case of Bell and McCaffrey (Survey Methodology 28, 2002). For groups
 * of one size this is the usual G/(G-1) sum_g u_g^2 / n^2, with every row its own cluster sd / sqrt(n). Degrees of freedom
 * are theirs, too: tr(M)^2 / sum M^2 with M_gh = (d_gh n_g - n_g n_h / n) / sqrt((1 - w_g)(1 - w_h)): a group with most of the rows
 * tells little about the variance between groups. Throws for no values.
 *
 * @example
 * import { clusteredMean } from '@touchstone-eval/touchstone/statistics'
 *
 * const { mean: middle, clusters } = clusteredMean([1, 1, 0, 1, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])
 * console.log(middle, clusters) // 0.5 4
 */
export function clusteredMean(values: ArrayLike<number>, clusters: Clusters): ClusteredMean {
  checkLengths('values and clusters', values, clusters)
  const { mean, n } = moments(values)
  const groups = clustering(clusters)
  if (groups.count < 2) return { n, clusters: groups.count, mean, standardError: null, df: 0 }
  const sums = clusterSums(values, groups)
  let squares = 0
  for (let g = 0; g < groups.count; g++) {
    const residual = (sums[g] as number) - mean * (groups.sizes[g] as number)
    squares += (residual * residual) / (1 - (groups.sizes[g] as number) / n)
  }
  return { n, clusters: groups.count, mean, standardError: Math.sqrt(squares) / n, df: freedom(groups.sizes, n) }
}

/** Degrees of freedom by the sizes of groups: tr(M)^2 / sum M^2 in one pass, tr(M) = n, and off the diagonal M_gh^2 = a_g a_h with a_g = n_g^2 / (n (1 - w_g)). */
export function freedom(sizes: ArrayLike<number>, n: number): number {
  let [diagonal, sum, squares] = [0, 0, 0]
  for (let g = 0; g < sizes.length; g++) {
    const size = sizes[g] as number
    const a = (size * size) / (n - size)
    diagonal += size * size
    sum += a
    squares += a * a
  }
  return (n * n) / (diagonal + sum * sum - squares)
}

/**
 * The mean with an interval: of the wild cluster bootstrap for 4 to 11 groups, otherwise of t on the degrees of freedom of
 * its error. null for no values or a single cluster.
 *
 * @example
 * import { clusteredMeanEstimate } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(clusteredMeanEstimate([1, 1, 0, 1, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])?.value) // 0.5
 */
export function clusteredMeanEstimate(
  values: ArrayLike<number>,
  clusters: Clusters,
  confidence: number = DEFAULT_CONFIDENCE,
): Estimate | null {
  if (values.length === 0) return null
  const { mean, n, clusters: count, standardError, df } = clusteredMean(values, clusters)
  if (standardError === null) return null
  const wild = usesWildBootstrap(count) ? wildTest(values, clusters)?.interval(confidence) : undefined
  if (wild !== undefined && Number.isFinite(wild.high - wild.low))
    return {
      value: mean,
      ...wild,
      n,
      method: `wild cluster bootstrap over ${count} groups, ${percentOf(confidence)}`,
      groups: count,
    }
  const half = tQuantile(0.5 + checkConfidence(confidence) / 2, df) * standardError
  return {
    value: mean,
    low: mean - half,
    high: mean + half,
    n,
    method: `CR2 over ${count} groups, t ${percentOf(confidence)}`,
    groups: count,
  }
}

/** A variance this small is the rounding of values that are equal. */
const ROUNDING = 1e-24

/**
 * A mean of values in 0..1 (an accuracy, a share, a score) whose rows come in clusters; the interval never leaves 0..1.
 *
 * Values of right and wrong (all 0 or 1): `betaBinomialInterval`, for any number of clusters. With a row a cluster it is
 * Jeffreys' interval.
 *
 * Scores in between: Wilson's interval on the effective sample size n / deff, with Student's t on Bell and McCaffrey's
 * degrees of freedom (Korn and Graubard, Survey Methodology 24, 1998; Dean and Pagano, JSSAM 3, 2015). deff = V over
 * p(1-p)/(n-1), where V is the CR2 variance, at least that of independent rows. Where all values are equal, deff cannot be
 * seen and each cluster counts once. With 4 to 11 clusters the interval is that of the wild cluster bootstrap, and reaches at least
 * as far. With a single cluster rows count as independent, as `method` says. (The beta-binomial takes p(1-p) as the variance within
 * a cluster: too much for scores that are all near one half.)
 *
 * null for no values.
 *
 * @example
 * import { clusteredShare } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(clusteredShare([1, 1, 0, 1, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])?.value) // 0.5
 */
export function clusteredShare(
  values: ArrayLike<number>,
  clusters: Clusters,
  confidence: number = DEFAULT_CONFIDENCE,
): Estimate | null {
  if (values.length === 0) return null
  return areBinary(values) ? shareOfRight(values, clusters, confidence) : meanScore(values, clusters, confidence)
}

/** How the method of an estimate names the model of clusters. */
export const betaBinomialMethod = (clusters: number, rows: number, confidence: number): string =>
  clusters === rows
    ? `beta, rows as independent, ${percentOf(confidence)}`
    : `beta-binomial over ${clusters} group${clusters === 1 ? '' : 's'}, ${percentOf(confidence)}`

function shareOfRight(values: ArrayLike<number>, clusters: Clusters, confidence: number): Estimate {
  checkLengths('values and clusters', values, clusters)
  const n = values.length
  const { count, sizes, ...groups } = clustering(clusters)
  const sums = clusterSums(values, { count, sizes, ...groups })
  const counts = Array.from(sizes, (rows, g) => ({ rows, correct: sums[g] as number }))
  const value = counts.reduce((sum, { correct }) => sum + correct, 0) / n
  const method = betaBinomialMethod(count, n, confidence)
  return { value, ...betaBinomialInterval(counts, confidence), n, method, groups: count }
}

function meanScore(values: ArrayLike<number>, clusters: Clusters, confidence: number): Estimate {
  const half = 0.5 + checkConfidence(confidence) / 2
  const { mean: p, n, clusters: count, standardError, df } = clusteredMean(values, clusters)
  if (standardError === null) {
    const method = `Wilson ${percentOf(confidence)}, rows of one group as independent`
    return { value: p, ...wilsonBounds(p, n, normalQuantile(half)), n, method, groups: 1 }
  }
  const apart = moments(values).variance / n
  const sizeOf = (variance: number): number => (variance < ROUNDING ? count : (n * p * (1 - p)) / (n - 1) / variance)
  const wilson = wilsonBounds(p, sizeOf(Math.max(standardError * standardError, apart)), tQuantile(half, df))
  const wild = usesWildBootstrap(count) ? wildTest(values, clusters)?.interval(confidence, [0, 1]) : undefined
  if (wild === undefined)
    return {
      value: p,
      ...wilson,
      n,
      method: `clustered Wilson ${percentOf(confidence)}, ${count} groups`,
      groups: count,
    }
  return {
    value: p,
    low: Math.min(wild.low, wilson.low),
    high: Math.max(wild.high, wilson.high),
    n,
    method: `wild cluster bootstrap over ${count} groups, ${percentOf(confidence)}`,
    groups: count,
  }
}
