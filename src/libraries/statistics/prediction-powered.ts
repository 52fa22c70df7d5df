import type { Estimate } from '../../core/analysis.ts'
import { type Clusters, checkLengths } from './clusters.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { tQuantile, tTwoSided } from './distributions/test-statistics.ts'

/** Scores by a judge, of which a random sample has the truth. */
export interface JudgedScores {
  /** What the judge says of each unit, 0..1. */
  readonly judge: ArrayLike<number>
  /** The truth of each unit, 0..1; NaN: unknown. */
  readonly truth: ArrayLike<number>
  /** In the same numbers wherever two sets are compared. */
  readonly clusters: Clusters
}

/** A mean that a judge gives, corrected by the units whose truth is known. */
export interface CorrectedMean {
  readonly estimate: Estimate
  /** The judge's own mean over all units. */
  readonly judge: number
  /** Units whose truth is known. */
  readonly known: number
  /** Weight of the judge: 0 where it tells nothing of the truth. */
  readonly lambda: number
}

/** Fewest clusters with known truth. */
const MIN_TRUTH = 10

/**
 * Prediction-powered inference with power tuning (PPI++: Angelopoulos, Duchi and Zrnic 2023, arXiv 2311.01453) for a mean of clustered
 * units. With y the truth and f the judge, theta = mean(y, known) + lambda (mean(f, others) - mean(f, known)). Its variance is the sum
 * over clusters of their squared parts of theta's error, and lambda in 0..1 makes it least; for independent units that is
 * cov(y, f) / var(f) / (1 + n / N). As much is added as one error more in the clusters with known truth would show: no error in
 * twenty is no proof of none. Student's t, two degrees of freedom less than clusters with known truth.
 *
 * Holds where the truth is known of a random sample, however wrong the judge. null where fewer than ten clusters
 * have it.
 *
 * @example
 * import { correctedMean } from '@touchstone-eval/touchstone/statistics'
 *
 * const judge = Array.from({ length: 200 }, (_, i) => (i % 4 === 0 ? 0 : 1))
 * const truth = judge.map((said, i) => (i >= 40 ? Number.NaN : i % 10 === 1 ? 0 : said))
 * const found = correctedMean({ judge, truth, clusters: judge.map((_, i) => i) })
 * console.log(found?.judge, found?.estimate.value.toFixed(2)) // 0.75 0.65
 */
export function correctedMean(scores: JudgedScores, confidence: number = DEFAULT_CONFIDENCE): CorrectedMean | null {
  const parts = partsOf(scores)
  if (parts === null) return null
  const estimate = estimateOf(parts.value, [parts], [0, 1], confidence)
  return { estimate, judge: parts.judge, known: parts.known, lambda: parts.lambda }
}

/** The difference of two corrected means, and the two-sided p of none. */
export interface CorrectedDifference {
  readonly difference: Estimate
  readonly standardError: number
  readonly p: number
}

/**
 * The difference of two corrected means, clusters of both paired. null where one has too little known truth.
 *
 * @example
 * import { correctedDifference } from '@touchstone-eval/touchstone/statistics'
 *
 * const clusters = Array.from({ length: 100 }, (_, i) => i)
 * const a = { judge: clusters.map((i) => i % 2), truth: clusters.map((i) => (i < 30 ? i % 2 : Number.NaN)), clusters }
 * const b = { judge: clusters.map(() => 0), truth: clusters.map((i) => (i < 30 ? 0 : Number.NaN)), clusters }
 * console.log(correctedDifference(a, b)?.difference.value.toFixed(2)) // 0.50
 */
export function correctedDifference(
  a: JudgedScores,
  b: JudgedScores,
  confidence: number = DEFAULT_CONFIDENCE,
): CorrectedDifference | null {
  const [first, second] = [partsOf(a), partsOf(b)]
  if (first === null || second === null) return null
  const value = first.value - second.value
  const negative = { ...second, errors: new Map([...second.errors].map(([cluster, error]) => [cluster, -error])) }
  const { standardError, df } = spreadOf([first, negative])
  const difference = estimateOf(value, [first, negative], [-1, 1], confidence)
  return { difference, standardError, p: tTwoSided(value / standardError, df) }
}

interface Parts {
  readonly value: number
  readonly judge: number
  readonly known: number
  readonly lambda: number
  /** Clusters with known truth. */
  readonly groups: number
  readonly units: number
  /** What each cluster adds to the error of the value. */
  readonly errors: ReadonlyMap<number, number>
}

function partsOf({ judge, truth, clusters }: JudgedScores): Parts | null {
  checkLengths('judge and truth', judge, truth)
  checkLengths('judge and clusters', judge, clusters)
  const units = judge.length
  let [known, sumTruth, sumKnown, sumJudge] = [0, 0, 0, 0]
  const informed = new Set<number>()
  for (let i = 0; i < units; i++) {
    sumJudge += judge[i] as number
    if (Number.isNaN(truth[i])) continue
    known++
    informed.add(clusters[i] as number)
    sumTruth += truth[i] as number
    sumKnown += judge[i] as number
  }
  if (informed.size < MIN_TRUTH) return null
  const others = units - known
  const [meanTruth, meanKnown] = [sumTruth / known, sumKnown / known]
  const meanOthers = others === 0 ? meanKnown : (sumJudge - sumKnown) / others
  // The error of a cluster is a + lambda b.
  const byCluster = new Map<number, { a: number; b: number }>()
  for (let i = 0; i < units; i++) {
    const cluster = clusters[i] as number
    const own = byCluster.get(cluster) ?? { a: 0, b: 0 }
    byCluster.set(cluster, own)
    const [y, f] = [truth[i] as number, judge[i] as number]
    if (Number.isNaN(y)) own.b += (f - meanOthers) / others
    else {
      own.a += (y - meanTruth) / known
      own.b -= (f - meanKnown) / known
    }
  }
  let [ab, bb] = [0, 0]
  for (const { a, b } of byCluster.values()) {
    ab += a * b
    bb += b * b
  }
  const lambda = others === 0 || bb === 0 ? 0 : Math.min(1, Math.max(0, -ab / bb))
  return {
    value: meanTruth + lambda * (meanOthers - meanKnown),
    judge: sumJudge / units,
    known,
    lambda,
    groups: informed.size,
    units,
    errors: new Map([...byCluster].map(([cluster, { a, b }]) => [cluster, a + lambda * b])),
  }
}

function spreadOf(sides: readonly Parts[]): { readonly standardError: number; readonly df: number } {
  const errors = new Map<number, number>()
  for (const side of sides)
    for (const [cluster, error] of side.errors) errors.set(cluster, (errors.get(cluster) ?? 0) + error)
  const groups = Math.min(...sides.map((side) => side.groups))
  let variance = sides.reduce((sum, side) => sum + 1 / side.groups ** 2, 0)
  for (const error of errors.values()) variance += (error * error * groups) / (groups - 1)
  return { standardError: Math.sqrt(variance), df: groups - 2 }
}

function estimateOf(
  value: number,
  sides: readonly Parts[],
  [least, most]: readonly [number, number],
  confidence: number,
): Estimate {
  const { standardError, df } = spreadOf(sides)
  const reach = tQuantile(0.5 + checkConfidence(confidence) / 2, df) * standardError
  const known = sides.map((side) => side.known).join(' and ')
  return {
    value: Math.min(most, Math.max(least, value)),
    low: Math.min(most, Math.max(least, value - reach)),
    high: Math.min(most, Math.max(least, value + reach)),
    n: Math.max(...sides.map(({ units }) => units)),
    method: `prediction-powered, truth of ${known} responses, t ${percentOf(confidence)}`,
    groups: Math.max(...sides.map(({ errors }) => errors.size)),
  }
}
