import type { Estimate } from '../../core/analysis.ts'
import { clusteredMean } from './clustered-mean.ts'
import type { Clusters } from './clusters.ts'
import { normalQuantile } from './distributions/normal.ts'
import { tQuantile } from './distributions/student-t.ts'
import { checkLevel, DEFAULT_CONFIDENCE, percentOf } from './level.ts'
import { moments } from './moments.ts'
import { usesWildBootstrap, wildTest } from './wild-bootstrap.ts'
import { wilsonBounds } from './wilson.ts'

/** A variance this small is the rounding of values that are equal. */
const ROUNDING = 1e-24

/**
 * A mean of values in 0..1 (an accuracy, a share, a score) whose rows come in clusters: Wilson's interval on the effective
 * sample size n / deff, with Student's t on Bell and McCaffrey's degrees of freedom, so it never leaves 0..1 (Korn and Graubard, Survey
 * Methodology 24, 1998; Dean and Pagano, JSSAM 3, 2015). deff = V over p(1-p)/(n-1), where V is the CR2 variance, at least
 * that of independent rows; for right or wrong deff is so at least 1. Where all values are equal, deff cannot be seen and
 * each cluster counts once. With 4 to 11 clusters the interval is that of the wild cluster bootstrap, and reaches at least as far:
 * near 0 and 1, where errors are skewed, the bootstrap alone is too narrow. With a single cluster rows count as independent, and the
 * method says so. null for no values.
 *
 * @example
 * import { clusteredShare } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(clusteredShare([1, 1, 0, 1, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])?.value) // 0.5
 */
export function clusteredShare(
  values: ArrayLike<number>,
  clusters: Clusters,
  level: number = DEFAULT_CONFIDENCE,
): Estimate | null {
  if (values.length === 0) return null
  const half = 0.5 + checkLevel(level) / 2
  const { mean: p, n, clusters: count, standardError, df } = clusteredMean(values, clusters)
  if (standardError === null) {
    const method = `Wilson ${percentOf(level)}, rows of one group as independent`
    return { value: p, ...wilsonBounds(p, n, normalQuantile(half)), n, method, groups: 1 }
  }
  const apart = moments(values).variance / n
  const sizeOf = (variance: number): number => (variance < ROUNDING ? count : (n * p * (1 - p)) / (n - 1) / variance)
  const wilson = wilsonBounds(p, sizeOf(Math.max(standardError * standardError, apart)), tQuantile(half, df))
  const wild = usesWildBootstrap(count) ? wildTest(values, clusters)?.interval(level, [0, 1]) : undefined
  if (wild === undefined)
    return { value: p, ...wilson, n, method: `clustered Wilson ${percentOf(level)}, ${count} groups`, groups: count }
  return {
    value: p,
    low: Math.min(wild.low, wilson.low),
    high: Math.max(wild.high, wilson.high),
    n,
    method: `wild cluster bootstrap over ${count} groups, ${percentOf(level)}`,
    groups: count,
  }
}
