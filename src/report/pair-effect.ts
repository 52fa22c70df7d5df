import type { Estimate, Task } from '../core/index.ts'
import {
  type Clusters,
  clustering,
  clusterSums,
  correctedDifference,
  correctedMean,
  detectableMean,
  type Effect,
  effectOfDifference,
  type JudgedScores,
  moments,
  pairedDifference,
  powerRatio,
} from '../libraries/statistics/index.ts'
import { asSingleGroup } from './analyses/conditions.ts'
import { ALPHA } from './rows.ts'
import { type Verdict, type VerdictInput, verdictOf } from './verdict.ts'

/** A - B on shared items, each the mean over samples: what tables and documents show. */
export type PairEffect = {
  readonly items: number
  readonly accuracyA: number
  readonly accuracyB: number
  /** A - B. */
  readonly difference: Estimate
  readonly p: number
  /** Items on which A is ahead, and B. */
  readonly onlyA: number
  readonly onlyB: number
}

/** The same with what a verdict is made from. */
export interface MeasuredPair {
  readonly effect: PairEffect
  /** For {@link Effect}s over tasks. */
  readonly effectSize: Effect
  readonly gaps: Float64Array
  /** CR2; 0 where groups do not differ. */
  readonly standardError: number
  readonly counts: Pick<VerdictInput, 'bothCorrect' | 'groups' | 'groupsForA' | 'groupsForB' | 'judge'>
}

/** What people say of both sides, where a judge scored; NaN where they do not. */
export interface PairTruth {
  readonly first: ArrayLike<number>
  readonly second: ArrayLike<number>
}

/**
 * Measures two sides on their shared items. null where there is no interval.
 *
 * @param oneGroup - all items are of one group, also where clusters are items.
 * @param truth - null: no judge scored.
 */
export function measurePair(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  clusters: Clusters,
  {
    oneGroup,
    confidence,
    truth = null,
  }: { readonly oneGroup: boolean; readonly confidence?: number | undefined; readonly truth?: PairTruth | null },
): MeasuredPair | null {
  const measured = measureScores(first, second, clusters, oneGroup, confidence)
  if (measured === null || truth === null) return measured
  const a = { judge: first, truth: truth.first, clusters }
  const b = { judge: second, truth: truth.second, clusters }
  const found = correctedDifference(a, b, confidence)
  if (found === null) return { ...measured, counts: { ...measured.counts, judge: 'uncorrected' } }
  const { difference, standardError, p } = found
  const mean = (side: JudgedScores): number => correctedMean(side)?.estimate.value ?? Number.NaN
  return {
    ...measured,
    effect: { ...measured.effect, accuracyA: mean(a), accuracyB: mean(b), difference, p },
    effectSize: { value: difference.value, standardError },
    standardError,
    counts: { ...measured.counts, judge: 'corrected' },
  }
}

function measureScores(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  clusters: Clusters,
  oneGroup: boolean,
  confidence: number | undefined,
): MeasuredPair | null {
  const found = pairedDifference(first, second, clusters, confidence)
  if (found === null) return null
  const gaps = Float64Array.from(first, (x, i) => x - (second[i] as number))
  const groups = clustering(clusters)
  const sums = clusterSums(gaps, groups)
  const count = (values: ArrayLike<number>, wanted: (value: number, at: number) => boolean) => {
    let total = 0
    for (let i = 0; i < values.length; i++) if (wanted(values[i] as number, i)) total++
    return total
  }
  return {
    effect: {
      items: gaps.length,
      accuracyA: moments(first).mean,
      accuracyB: moments(second).mean,
      difference: asSingleGroup(found.difference, oneGroup),
      p: found.p,
      onlyA: count(gaps, (gap) => gap > 0),
      onlyB: count(gaps, (gap) => gap < 0),
    },
    effectSize: effectOfDifference(found, confidence),
    gaps,
    standardError: found.kind === 'even' ? 0 : found.standardError,
    counts: {
      bothCorrect: count(first, (value, i) => value === 1 && second[i] === 1),
      groups: oneGroup ? 1 : groups.count,
      groupsForA: count(sums, (sum) => sum > 0),
      groupsForB: count(sums, (sum) => sum < 0),
    },
  }
}

/** How a pair is judged. */
export interface Judging {
  /** Short names. */
  readonly a: string
  readonly b: string
  /** p, adjusted by Holm over this many pairs of the run. */
  readonly holm: number
  readonly pairs: number
  /** What a group is, in the plural. */
  readonly groupNoun: string
  readonly unadjusted?: boolean
}

/** What the groups of some tasks are, in the plural: one word only where all have the same. */
export function groupNounOf(tasks: readonly Pick<Task, 'groupNoun'>[]): string {
  const [noun = 'groups', ...others] = new Set(tasks.map(({ groupNoun }) => groupNoun ?? 'groups'))
  return others.length === 0 ? noun : 'groups'
}

/** A measured pair with its adjusted p and its verdict. */
export type JudgedPair = PairEffect & {
  readonly holm: number
  readonly pairs: number
  /** Shared items over those needed for power 80 % at this difference, after adjustment; null: no difference. */
  readonly powerRatio: number | null
  /** Further items needed. */
  readonly itemsNeeded: number | null
  readonly verdict: Verdict
}

/** The verdict of a measured pair. Power is that of a test at 5 % over the number of pairs. */
export function judgePair(
  { effect, effectSize, gaps, standardError, counts }: MeasuredPair,
  { a, b, holm, pairs, ...more }: Judging,
): JudgedPair {
  const alpha = ALPHA / pairs
  // More items do not make a judge better known.
  const { resolution, needed } =
    counts.judge === 'corrected' ? { resolution: null, needed: null } : powerRatio(gaps, standardError, { alpha })
  const verdict = verdictOf({
    a,
    b,
    ...effect,
    ...counts,
    p: holm,
    pairs,
    // Of one observation whose error is that of the whole set.
    minimumDetectable: detectableMean(1, effectSize.standardError, { alpha }),
    itemsNeeded: needed === 0 ? null : needed,
    ...more,
  })
  return { ...effect, holm, pairs, powerRatio: resolution, itemsNeeded: needed, verdict }
}
