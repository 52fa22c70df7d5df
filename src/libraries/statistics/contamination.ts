import type { Estimate } from '../../core/analysis.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { tQuantile, tUpper } from './distributions/test-statistics.ts'
import { mean, sum } from './moments.ts'

/** How much better the model in question did on an item than the reference models' mean, and where the item belongs. */
export interface Contrast {
  readonly side: 'published' | 'fresh'
  readonly stratum: string
  /** Items of a group are not independent of each other. */
  readonly group: string
  /** -1..1 */
  readonly value: number
}

/** The same of one stratum: groups of each side and the gap, a difference of scores. */
export interface StratumGap {
  readonly stratum: string
  readonly published: number
  readonly fresh: number
  /** Mean contrast on published minus that on fresh items. */
  readonly gap: number
}

/** How much better a model is on published items than its level on fresh ones explains; differences of scores, -1..1. */
export interface Contamination {
  /** Positive: better on published items than its own level on fresh ones and the references' gap explain. */
  readonly estimate: Estimate
  /** One-sided, of no gap or a negative one. */
  readonly p: number
  readonly groups: { readonly published: number; readonly fresh: number }
  readonly strata: readonly StratumGap[]
  /** Strata with fewer than two groups on a side. */
  readonly leftOut: readonly string[]
}

/**
 * Difference in differences: within each stratum the mean contrast on published items minus that on fresh ones, strata
 * weighted by their published items. Variance from sums of residuals by group, each divided by sqrt(1 - its share of its
 * stratum and side), as CR2 does for a mean; t with Satterthwaite's degrees of freedom over both sides, where a side with
 * groups of sizes n_g counts as (sum n_g)^2 / sum n_g^2 of them. Null where no stratum has two groups on each side.
 *
 * @example
 * import { contamination } from '@touchstone-eval/touchstone/statistics'
 *
 * const contrasts = [0.6, 0.4, 0.5, 0.1, 0, 0.2].map((value, at) => ({ side: at < 3 ? ('published' as const) : ('fresh' as const), stratum: 's', group: `${at}`, value }))
 * console.log(contamination(contrasts)?.estimate.value.toFixed(3)) // 0.400
 */
export function contamination(
  contrasts: readonly Contrast[],
  confidence: number = DEFAULT_CONFIDENCE,
): Contamination | null {
  checkConfidence(confidence)
  const byStratum = Map.groupBy(contrasts, ({ stratum }) => stratum)
  const kept: Cell[] = []
  const leftOut: string[] = []
  for (const [stratum, rows] of byStratum) {
    const published = sideOf(rows, 'published')
    const fresh = sideOf(rows, 'fresh')
    if (published === null || fresh === null) leftOut.push(stratum)
    else kept.push({ stratum, published, fresh })
  }
  if (kept.length === 0) return null
  const total = kept.reduce((sum, { published }) => sum + published.count, 0)
  let value = 0
  const sides = { published: new Map<string, number>(), fresh: new Map<string, number>() }
  const sizes = { published: new Map<string, number>(), fresh: new Map<string, number>() }
  for (const cell of kept) {
    const weight = cell.published.count / total
    value += weight * (cell.published.mean - cell.fresh.mean)
    for (const side of ['published', 'fresh'] as const)
      for (const [group, { residual, count }] of cell[side].groups) {
        const share = count / cell[side].count
        const sum = (weight * residual) / cell[side].count / Math.sqrt(1 - share)
        sides[side].set(group, (sides[side].get(group) ?? 0) + sum)
        sizes[side].set(group, (sizes[side].get(group) ?? 0) + weight * share)
      }
  }
  const variance = { published: squares(sides.published), fresh: squares(sides.fresh) }
  const both = variance.published + variance.fresh
  const spread =
    variance.published ** 2 / (effective(sizes.published) - 1) + variance.fresh ** 2 / (effective(sizes.fresh) - 1)
  const freedom = both === 0 ? 1 : Math.max(1, both ** 2 / spread)
  const error = Math.sqrt(both)
  const half = tQuantile(0.5 + confidence / 2, freedom) * error
  const groups = { published: sides.published.size, fresh: sides.fresh.size }
  return {
    estimate: {
      value,
      low: value - half,
      high: value + half,
      n: kept.reduce((sum, { published, fresh }) => sum + published.count + fresh.count, 0),
      method: `difference in differences over ${groups.published} + ${groups.fresh} groups, t ${percentOf(confidence)}`,
    },
    p: error === 0 ? (value > 0 ? 0 : 1) : tUpper(value / error, freedom),
    groups,
    strata: kept.map(({ stratum, published, fresh }) => ({
      stratum,
      published: published.count,
      fresh: fresh.count,
      gap: published.mean - fresh.mean,
    })),
    leftOut,
  }
}

interface Side {
  readonly count: number
  readonly mean: number
  readonly groups: ReadonlyMap<string, { readonly residual: number; readonly count: number }>
}
interface Cell {
  readonly stratum: string
  readonly published: Side
  readonly fresh: Side
}

/** null: fewer than two groups. */
function sideOf(rows: readonly Contrast[], side: Contrast['side']): Side | null {
  const own = rows.filter((row) => row.side === side)
  const grouped = Map.groupBy(own, ({ group }) => group)
  if (grouped.size < 2) return null
  const middle = mean(own.map(({ value }) => value))
  const groups = new Map(
    [...grouped].map(([group, members]) => [
      group,
      { residual: members.reduce((sum, row) => sum + row.value - middle, 0), count: members.length },
    ]),
  )
  return { count: own.length, mean: middle, groups }
}

const squares = (sums: ReadonlyMap<string, number>): number =>
  [...sums.values()].reduce((sum, one) => sum + one * one, 0)

/** How many groups of equal size would vary as much; at least 1.5, for one group that outweighs all others. */
function effective(sizes: ReadonlyMap<string, number>): number {
  const total = sum([...sizes.values()])
  return Math.max(1.5, (total * total) / squares(sizes))
}

/**
 * Ishida's ceiling (arXiv 2505.18102): of each item's `right` answers one was drawn and published; whoever did not see the
 * key names it with probability 1 / right at most. P(at least `matches` of the answers are the published ones), exact
 * (Poisson binomial). Small: the key was seen. @throws RangeError for a number of answers that is no whole number above 0.
 *
 * @example
 * import { keySeen } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(keySeen(2, [4, 2]).toFixed(4)) // 0.1250
 */
export function keySeen(matches: number, right: readonly number[]): number {
  if (!right.every((count) => Number.isInteger(count) && count > 0))
    throw new RangeError(`numbers of right answers are whole and positive, got ${right.join(', ').slice(0, 80)}`)
  // at[k]: probability of k matches so far; all of `matches` and more are kept together.
  const at = new Float64Array(matches + 1)
  at[0] = 1
  for (const count of right) {
    const hit = 1 / count
    for (let k = matches; k >= 0; k--) {
      const here = at[k] as number
      if (k === matches) continue
      at[k + 1] = (at[k + 1] as number) + here * hit
      at[k] = here * (1 - hit)
    }
  }
  return Math.min(1, at[matches] as number)
}
