import type { Estimate } from '../../core/analysis.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { normalQuantile } from './distributions/normal.ts'
import { moments } from './moments.ts'
import { logistic } from './numeric.ts'
import { midranks } from './rankings.ts'

/**
 * Area under the ROC curve: the chance that a positive scores above a negative, ties counting one half. Equal to
 * the Mann-Whitney U over n1 n0. null where either class is empty.
 *
 * @example
 * import { auc } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(auc([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0])?.toFixed(4)) // 0.7500
 */
export function auc(scores: ArrayLike<number>, positive: ArrayLike<boolean | number>): number | null {
  const parts = placements(scores, positive)
  return parts === null ? null : parts.auc
}

interface Placements {
  readonly auc: number
  /** For each positive the share of negatives below it, in the order of appearance. */
  readonly ofPositives: Float64Array
  /** For each negative the share of positives above it. */
  readonly ofNegatives: Float64Array
}

/** DeLong's placement values by midranks, in n log n: Sun and Xu, IEEE Signal Processing Letters 21 (2014). */
function placements(scores: ArrayLike<number>, positive: ArrayLike<boolean | number>): Placements | null {
  if (scores.length !== positive.length) {
    throw new RangeError(`scores and labels need the same length, got ${scores.length} and ${positive.length}`)
  }
  const [high, low]: [number[], number[]] = [[], []]
  for (let i = 0; i < scores.length; i++) (positive[i] ? high : low).push(scores[i] as number)
  if (high.length === 0 || low.length === 0) return null
  const all = midranks([...high, ...low]).ranks
  const own = midranks(high).ranks
  const other = midranks(low).ranks
  const ofPositives = Float64Array.from(own, (rank, i) => ((all[i] as number) - rank) / low.length)
  const ofNegatives = Float64Array.from(other, (rank, i) => 1 - ((all[high.length + i] as number) - rank) / high.length)
  return { auc: moments(ofPositives).mean, ofPositives, ofNegatives }
}

const varianceOf = ({ ofPositives, ofNegatives }: Placements): number =>
  moments(ofPositives).variance / ofPositives.length + moments(ofNegatives).variance / ofNegatives.length

/**
 * AUC with DeLong's interval: variance S10/n1 + S01/n0 of the placement values (DeLong, DeLong and Clarke-Pearson,
 * Biometrics 44, 1988), normal on the logit scale so that it stays within 0..1. At 0 or 1, where that variance is 0, Wilson's
 * interval on the smaller class instead. null where either class is empty or holds a single score.
 *
 * @example
 * import { aucEstimate } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(aucEstimate([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0])?.value) // 0.75
 */
export function aucEstimate(
  scores: ArrayLike<number>,
  positive: ArrayLike<boolean | number>,
  confidence: number = DEFAULT_CONFIDENCE,
): Estimate | null {
  const z = normalQuantile(0.5 + checkConfidence(confidence) / 2)
  const parts = placements(scores, positive)
  if (parts === null || parts.ofPositives.length < 2 || parts.ofNegatives.length < 2) return null
  const { auc: value, ofPositives, ofNegatives } = parts
  const n = ofPositives.length + ofNegatives.length
  if (value <= 0 || value >= 1) {
    const few = Math.min(ofPositives.length, ofNegatives.length)
    const reach = (z * z) / (few + z * z)
    const [low, high] = value >= 1 ? [1 - reach, 1] : [0, reach]
    return { value, low, high, n, method: `Wilson ${percentOf(confidence)} on the smaller class (perfect separation)` }
  }
  const logit = Math.log(value / (1 - value))
  const half = (z * Math.sqrt(varianceOf(parts))) / (value * (1 - value))
  return {
    value,
    low: logistic(logit - half),
    high: logistic(logit + half),
    n,
    method: `DeLong ${percentOf(confidence)}, logit`,
  }
}

/**
 * DeLong's standard error of an AUC; null where {@link aucEstimate} is.
 *
 * @example
 * import { aucStandardError } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(aucStandardError([0.9, 0.8, 0.3, 0.1], [1, 0, 1, 0])?.toFixed(4)) // 0.3536
 */
export function aucStandardError(scores: ArrayLike<number>, positive: ArrayLike<boolean | number>): number | null {
  const parts = placements(scores, positive)
  if (parts === null || parts.ofPositives.length < 2 || parts.ofNegatives.length < 2) return null
  return Math.sqrt(varianceOf(parts))
}
