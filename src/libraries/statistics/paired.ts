import type { Estimate } from '../../core/analysis.ts'
import { betaBinomialDifference } from './beta-binomial.ts'
import { betaBinomialMethod, type ClusteredMean, clusteredMean } from './clustered-mean.ts'
import { areBinary, type Clusters, checkLengths, clustering } from './clusters.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { normalQuantile } from './distributions/normal.ts'
import { tQuantile, tTwoSided } from './distributions/test-statistics.ts'
import type { Effect } from './random-effects.ts'
import { wildTest } from './wild-bootstrap.ts'
import { wilsonBounds } from './wilson.ts'

/** The mean of a - b over shared items, and the two-sided p of no difference. */
export type PairedDifference = ShareDifference | VariedDifference | EvenDifference

/** Both conditions are right or wrong on each item. */
export interface ShareDifference {
  readonly kind: 'shares'
  readonly difference: Estimate
  /** CR2, for the design effect; 0 where groups do not differ, or there is one. */
  readonly standardError: number
  readonly p: number
}

/** Groups differ, so there is a standard error. */
export interface VariedDifference {
  readonly kind: 'varied'
  readonly difference: Estimate
  readonly standardError: number
  readonly t: number
  readonly df: number
  /** By the wild cluster bootstrap for 4 to 11 groups, else Student's t; see `difference.method`. */
  readonly p: number
}

/** All groups have the same mean difference: there is no standard error. */
export interface EvenDifference {
  readonly kind: 'even'
  readonly difference: Estimate
  /** Exact, of flipping the signs of whole groups: 2^(1 - groups), and 1 of no difference. */
  readonly p: number
}

/** An error this small is the rounding of differences that are equal. */
const ROUNDING = 1e-12

/**
 * Two conditions on the same items, scored 0..1: the mean of the differences a_i - b_i over clusters of items.
 *
 * Right or wrong on both sides (all 0 or 1): `betaBinomialDifference`, for any number of clusters; with an item a cluster p is
 * McNemar's mid-p.
 *
 * Scores in between: its CR2 error, Student's t on Bell and McCaffrey's degrees of freedom (Miller, "Adding Error Bars to Evals",
 * 2024, sections 2.2 and 4.2), for 4 to 11 clusters the wild cluster bootstrap in its place, the interval clipped to -1..1. Where all
 * clusters show the same difference d, no t exists. Then at most a share u of clusters is otherwise, the upper
 * Wilson bound of none of G, and such a cluster lies in -1..1, so the interval is d - u (1 + d) .. d + u (1 - d). null with fewer
 * than two clusters.
 *
 * null without items. Throws for scores outside 0..1.
 *
 * @example
 * import { pairedDifference } from '@touchstone-eval/touchstone/statistics'
 *
 * const found = pairedDifference([1, 1, 0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])
 * console.log(found?.difference.value) // 0.25
 */
export function pairedDifference(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  clusters: Clusters,
  confidence: number = DEFAULT_CONFIDENCE,
): PairedDifference | null {
  checkLengths('paired values', a, b)
  checkScores(a)
  checkScores(b)
  if (a.length === 0) return null
  const differences = new Float64Array(a.length)
  for (let i = 0; i < differences.length; i++) differences[i] = (a[i] as number) - (b[i] as number)
  const mean = clusteredMean(differences, clusters)
  return areBinary(a) && areBinary(b)
    ? ofShares(differences, mean.standardError ?? 0, clusters, confidence)
    : ofScores(differences, mean, clusters, confidence)
}

function ofShares(
  differences: Float64Array,
  standardError: number,
  clusters: Clusters,
  confidence: number,
): ShareDifference {
  const { count, of, sizes } = clustering(clusters)
  const groups = Array.from(sizes, (rows) => ({ rows, onlyA: 0, onlyB: 0 }))
  for (const [i, gap] of differences.entries()) {
    const group = groups[of[i] as number] as { onlyA: number; onlyB: number }
    if (gap > 0) group.onlyA++
    else if (gap < 0) group.onlyB++
  }
  const { difference: value, low, high, p } = betaBinomialDifference(groups, confidence)
  const n = differences.length
  const method = `paired, ${betaBinomialMethod(count, n, confidence)}`
  return { kind: 'shares', difference: { value, low, high, n, method, groups: count }, standardError, p }
}

function ofScores(
  differences: Float64Array,
  { mean, n, clusters: count, standardError, df }: ClusteredMean,
  clusters: Clusters,
  confidence: number,
): VariedDifference | EvenDifference | null {
  if (standardError === null) return null
  const half = 0.5 + checkConfidence(confidence) / 2
  if (standardError < ROUNDING) {
    const value = Math.abs(mean) < ROUNDING ? 0 : mean
    const { high: other } = wilsonBounds(0, count, tQuantile(half, count - 1))
    const method = `paired, ${count} groups of one difference, Wilson ${percentOf(confidence)} on groups of another`
    const [low, high] = [value - other * (1 + value), value + other * (1 - value)]
    const difference = { value, low, high, n, method, groups: count }
    return { kind: 'even', difference, p: value === 0 ? 1 : 2 ** (1 - count) }
  }
  const t = mean / standardError
  const varied = { kind: 'varied', standardError, t, df } as const
  const wild = wildTest(differences, clusters)
  if (wild !== null) {
    const method = `paired, wild cluster bootstrap over ${count} groups, ${percentOf(confidence)}`
    const difference = { value: mean, ...wild.interval(confidence, [-1, 1]), n, method, groups: count }
    return { ...varied, difference, p: wild.p(0) }
  }
  const reach = tQuantile(half, df) * standardError
  const method = `paired, CR2 over ${count} groups, t ${percentOf(confidence)}`
  const [low, high] = [Math.max(-1, mean - reach), Math.min(1, mean + reach)]
  return { ...varied, difference: { value: mean, low, high, n, method, groups: count }, p: tTwoSided(t, df) }
}

/**
 * A difference as an effect for {@link randomEffects}. Of shares, and where all groups have the same difference, the error is that of a
 * normal distribution as wide as the wider side of the interval.
 *
 * @example
 * import { effectOfDifference, pairedDifference } from '@touchstone-eval/touchstone/statistics'
 *
 * const found = pairedDifference([1, 1, 0, 1, 1, 0, 0, 0], [0, 1, 0, 0, 1, 0, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3])
 * console.log(found === null ? 'too few groups' : effectOfDifference(found).value) // 0.25
 */
export function effectOfDifference(found: PairedDifference, confidence: number = DEFAULT_CONFIDENCE): Effect {
  const { value, low, high } = found.difference
  if (found.kind === 'varied') return { value, standardError: found.standardError }
  return {
    value,
    standardError: Math.max(value - low, high - value) / normalQuantile(0.5 + checkConfidence(confidence) / 2),
  }
}

function checkScores(values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    const score = values[i] as number
    if (!(score >= 0 && score <= 1)) throw new RangeError(`a score lies in 0..1, got ${score} at ${i}`)
  }
}
