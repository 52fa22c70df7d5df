import type { Estimate } from '../core/analysis.ts'
import { clusteredMean } from './clustered-mean.ts'
import type { Clusters } from './clusters.ts'
import { normalQuantile } from './distributions/normal.ts'
import { tQuantile } from './distributions/student-t.ts'
import { checkLevel, DEFAULT_LEVEL, percentOf } from './level.ts'
import { wilsonBounds } from './wilson.ts'

/**
 * A mean of values in 0..1 (an accuracy) whose rows come in clusters: Wilson's interval on the effective sample size
 * n / deff, with Student's t on G - 1 degrees of freedom, so it never leaves 0..1 (Korn and Graubard, Survey Methodology 24,
 * 1998; Dean and Pagano, JSSAM 3, 2015). deff = CR1 variance over p(1-p)/(n-1), at least 1. Where all values
 * are 0 or all are 1, deff cannot be seen and each cluster counts once. With a single cluster rows count as independent,
 * and the method says so. null for no values.
 */
export function clusteredShare(
  values: ArrayLike<number>,
  clusters: Clusters,
  level: number = DEFAULT_LEVEL,
): Estimate | null {
  if (values.length === 0) return null
  const half = 0.5 + checkLevel(level) / 2
  const { mean: p, n, clusters: count, standardError } = clusteredMean(values, clusters)
  if (standardError === null) {
    const method = `Wilson ${percentOf(level)}, rows of one group as independent`
    return { value: p, ...wilsonBounds(p, n, normalQuantile(half)), n, method }
  }
  const effective = effectiveSize(p, n, count, standardError)
  return {
    value: p,
    ...wilsonBounds(p, effective, tQuantile(half, count - 1)),
    n,
    method: `clustered Wilson ${percentOf(level)}, ${count} groups`,
  }
}

function effectiveSize(p: number, n: number, clusters: number, standardError: number): number {
  const binomial = (p * (1 - p)) / (n - 1)
  if (binomial <= 0) return clusters
  const deff = (standardError * standardError) / binomial
  return n / Math.max(1, deff)
}
