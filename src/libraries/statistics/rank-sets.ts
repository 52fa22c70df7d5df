import type { Stream } from '../../core/streams.ts'
import { freedom } from './clustered-mean.ts'
import { distinctGroups, drawnKinds } from './distinct-groups.ts'
import { normalUpper } from './distributions/normal.ts'
import { tQuantile } from './distributions/test-statistics.ts'
import { take } from './frames/partition.ts'
import { MIN_GROUPS } from './group-counts.ts'
import { quantileSorted } from './moments.ts'

/** Scores of one system by group: their sums and numbers. */
export interface GroupSums {
  readonly sums: Float64Array
  readonly counts: Float64Array
}

/** The best and the worst possible rank of one system; 1 is the best. */
export interface RankSet {
  readonly best: number
  readonly worst: number
}

/** Possible ranks of all systems, simultaneous at one confidence. */
export interface RankSets {
  /** In the order of the systems. */
  readonly sets: readonly RankSet[]
  /** Half widths of the simultaneous intervals in standard errors. */
  readonly critical: number
  readonly groups: number
}

const DRAWS = 2000
/** A tail below this is of no use to a quantile, nor a group beside one that holds all but this. */
const MIN_TAIL = 1e-12

/**
 * Possible ranks of all systems at a simultaneous confidence, from simultaneous intervals of all pairwise differences of
 * means. The max-t bootstrap over groups gives the level of each interval; its width is that of Student's t at this level on
 * Bell and McCaffrey's degrees of freedom times the CR2 error, since a bootstrap of few groups is too narrow (it leaves all
 * ranks of eight equal systems in eight groups open in only half of the runs). The best rank is 1 + the number of surely
 * better systems, the worst n less the number of surely worse ones. null with fewer than two systems or `MIN_GROUPS`
 * groups, or where a system has no scores, or all scores are in one group.
 *
 * @param systems - over the same groups.
 *
 * @example
 * import { analysisStream, rankSets, sum } from '@touchstone-eval/touchstone/statistics'
 *
 * const reached = (sum: number) => ({ sums: new Float64Array(8).fill(sum), counts: new Float64Array(8).fill(4) })
 * console.log(rankSets([reached(4), reached(1)], analysisStream(1, 'ranks'))?.sets) // [ { best: 1, worst: 1 }, { best: 2, worst: 2 } ]
 */
export function rankSets(systems: readonly GroupSums[], stream: Stream, confidence = 0.95): RankSets | null {
  const groups = systems[0]?.sums.length ?? 0
  if (systems.length < 2 || groups < MIN_GROUPS) return null
  const kinds = distinctGroups(
    systems.flatMap(({ sums, counts }) => [sums, counts]),
    groups,
  )
  const reached = systems.map(({ sums, counts }) => ({
    sums: take(sums, kinds.firsts),
    counts: take(counts, kinds.firsts),
  }))
  const means = reached.map((one) => meanOf(one, kinds.counts))
  if (means.some((mean) => mean === null)) return null
  const differences = pairs(means as number[])
  const drawn: Float64Array[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const times = drawnKinds(kinds, stream)
    const again = reached.map((one) => meanOf(one, times))
    if (again.every((mean) => mean !== null)) drawn.push(pairs(again as number[]))
  }
  if (drawn.length < DRAWS / 2) return null
  const spreads = differences.map((difference, k) => spread(drawn, k, difference))
  const largest = drawn.map((draw) =>
    draw.reduce((most, value, k) => {
      const error = spreads[k] as number
      return error === 0 ? most : Math.max(most, Math.abs(value - (differences[k] as number)) / error)
    }, 0),
  )
  const shares = sharesOf(systems, groups)
  if (shares.some((share) => share > 1 - MIN_TAIL)) return null
  const tail = normalUpper(quantileSorted(Float64Array.from(largest).sort(), confidence))
  const critical = tQuantile(1 - Math.max(MIN_TAIL, tail), freedom(shares, 1))
  const errors = errorsOf(systems, means as number[], shares)
  const n = systems.length
  const surely = (j: number, k: number): boolean => {
    const at = j * n + k
    return (differences[at] as number) > critical * (errors[at] as number)
  }
  const sets = systems.map((_, m): RankSet => {
    const others = systems.map((_one, k) => k).filter((k) => k !== m)
    return {
      best: 1 + others.filter((k) => surely(k, m)).length,
      worst: n - others.filter((k) => surely(m, k)).length,
    }
  })
  return { sets, critical, groups }
}

/** Fraction of the scores in each group, averaged over systems. */
function sharesOf(systems: readonly GroupSums[], groups: number): Float64Array {
  const shares = new Float64Array(groups)
  for (const { counts } of systems) {
    const all = counts.reduce((sum, n) => sum + n, 0)
    for (let g = 0; g < groups; g++) shares[g] = (shares[g] as number) + (counts[g] as number) / all / systems.length
  }
  return shares
}

/** CR2 errors of all differences, as {@link pairs} has them. */
function errorsOf(systems: readonly GroupSums[], means: readonly number[], shares: Float64Array): Float64Array {
  const residuals = systems.map(({ sums, counts }, m) => {
    const all = counts.reduce((sum, n) => sum + n, 0)
    return sums.map((sum, g) => (sum - (means[m] as number) * (counts[g] as number)) / all)
  })
  const n = systems.length
  const errors = new Float64Array(n * n)
  for (const [j, mine] of residuals.entries())
    for (const [k, theirs] of residuals.entries()) {
      let squares = 0
      for (let g = 0; g < shares.length; g++)
        squares += ((mine[g] as number) - (theirs[g] as number)) ** 2 / (1 - (shares[g] as number))
      errors[j * n + k] = Math.sqrt(squares)
    }
  return errors
}

/** Mean score over groups drawn `times` times each; null: no scores. */
function meanOf({ sums, counts }: GroupSums, times: Int32Array): number | null {
  let [sum, n] = [0, 0]
  for (let g = 0; g < sums.length; g++) {
    sum += (times[g] as number) * (sums[g] as number)
    n += (times[g] as number) * (counts[g] as number)
  }
  return n === 0 ? null : sum / n
}

/** All differences, row by row: of j and k at j * n + k. */
function pairs(means: readonly number[]): Float64Array {
  const n = means.length
  const all = new Float64Array(n * n)
  for (let j = 0; j < n; j++) for (let k = 0; k < n; k++) all[j * n + k] = (means[j] as number) - (means[k] as number)
  return all
}

/** Root of the mean square of one difference around what it is on the data. */
function spread(drawn: readonly Float64Array[], k: number, centre: number): number {
  let squares = 0
  for (const draw of drawn) squares += ((draw[k] as number) - centre) ** 2
  return Math.sqrt(squares / drawn.length)
}
