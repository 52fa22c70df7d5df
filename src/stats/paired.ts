import type { Estimate } from '../core/analysis.ts'
import { clusteredMean } from './clustered-mean.ts'
import { type Clusters, checkLengths } from './clusters.ts'
import { tQuantile, tTwoSided } from './distributions/student-t.ts'
import { checkLevel, DEFAULT_LEVEL, percentOf } from './level.ts'

export interface PairedDifference {
  /** Mean of a - b with its interval. */
  readonly difference: Estimate
  readonly standardError: number
  readonly t: number
  readonly df: number
  /** Two-sided, of no difference. */
  readonly p: number
}

/**
 * Two conditions on the same items: the mean of the differences a_i - b_i, its CR1 error over clusters of items, Student's
 * t on G - 1 degrees of freedom (Miller, "Adding Error Bars to Evals", 2024, sections 2.2 and 4.2). null with fewer than two clusters.
 * Where all differences are equal the error is 0: p is 1 for no difference, 0 otherwise.
 */
export function pairedDifference(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  clusters: Clusters,
  level: number = DEFAULT_LEVEL,
): PairedDifference | null {
  checkLengths('paired values', a, b)
  if (a.length === 0) return null
  const differences = Float64Array.from(a, (x, i) => x - (b[i] as number))
  const { mean, n, clusters: count, standardError } = clusteredMean(differences, clusters)
  if (standardError === null) return null
  const df = count - 1
  const half = tQuantile(0.5 + checkLevel(level) / 2, df) * standardError
  const t = standardError > 0 ? mean / standardError : mean === 0 ? 0 : Math.sign(mean) * Number.POSITIVE_INFINITY
  return {
    difference: {
      value: mean,
      low: mean - half,
      high: mean + half,
      n,
      method: `paired, CR1 over ${count} groups, t ${percentOf(level)}`,
    },
    standardError,
    t,
    df,
    p: tTwoSided(t, df),
  }
}
