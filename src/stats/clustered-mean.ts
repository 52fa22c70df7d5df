import type { Estimate } from '../core/analysis.ts'
import { type Clusters, checkLengths, clustering, clusterSums } from './clusters.ts'
import { tQuantile } from './distributions/student-t.ts'
import { checkLevel, DEFAULT_LEVEL, percentOf } from './level.ts'
import { moments } from './moments.ts'

export interface ClusteredMean {
  readonly n: number
  readonly clusters: number
  readonly mean: number
  /** null where a single cluster leaves nothing to compare. */
  readonly standardError: number | null
}

/**
 * Mean and its cluster-robust standard error (CR1): V = G/(G-1) sum_g (sum_{i in g} (y_i - mean))^2 / n^2, the
 * intercept-only case of Liang and Zeger (1986) with the small-sample factor of Cameron and Miller (2015). With every row its own
 * cluster this is sd / sqrt(n). Throws for no values.
 */
export function clusteredMean(values: ArrayLike<number>, clusters: Clusters): ClusteredMean {
  checkLengths('values and clusters', values, clusters)
  const { mean, n } = moments(values)
  const groups = clustering(clusters)
  if (groups.count < 2) return { n, clusters: groups.count, mean, standardError: null }
  const sums = clusterSums(values, groups)
  let squares = 0
  for (let g = 0; g < groups.count; g++) {
    const residual = (sums[g] as number) - mean * (groups.sizes[g] as number)
    squares += residual * residual
  }
  const standardError = Math.sqrt((groups.count / (groups.count - 1)) * squares) / n
  return { n, clusters: groups.count, mean, standardError }
}

/** The mean with a t interval on G - 1 degrees of freedom; null for no values or a single cluster. */
export function clusteredMeanEstimate(
  values: ArrayLike<number>,
  clusters: Clusters,
  level: number = DEFAULT_LEVEL,
): Estimate | null {
  if (values.length === 0) return null
  const { mean, n, clusters: count, standardError } = clusteredMean(values, clusters)
  if (standardError === null) return null
  const half = tQuantile(0.5 + checkLevel(level) / 2, count - 1) * standardError
  return {
    value: mean,
    low: mean - half,
    high: mean + half,
    n,
    method: `CR1 over ${count} groups, t ${percentOf(level)}`,
  }
}
