import type { Stream } from '../../core/streams.ts'
import { freedom } from './clustered-mean.ts'
import { distinctGroups, drawnKinds } from './distinct-groups.ts'
import { normalUpper } from './distributions/normal.ts'
import { tQuantile } from './distributions/test-statistics.ts'
import { take } from './frames/partition.ts'
import { MIN_GROUPS } from './group-counts.ts'
import { quantileSorted } from './moments.ts'

/** What one contestant reached in each group: sums of scores, and of how many cells. */
export interface GroupSums {
  readonly sums: Float64Array
  readonly cells: Float64Array
}

/** The best and the worst rank that one contestant may have, 1 the best. */
export interface RankSet {
  readonly best: number
  readonly worst: number
}

/** Ranks that each contestant may have, all of them together at one confidence. */
export interface RankSets {
  /** In the order of the contestants. */
  readonly sets: readonly RankSet[]
  /** Half widths of the simultaneous intervals in standard errors. */
  readonly critical: number
  readonly groups: number
}

const DRAWS = 2000
/** A tail below this is of no use to a quantile, nor a group beside one that holds all but this. */
const MIN_TAIL = 1e-12

/**
 * Which ranks each contestant may have, all of them together with the given confidence: simultaneous intervals of all pairwise
 * differences of means. The max-t bootstrap over groups says at which level each of them is to be asked so that all hold together; its width is then
 * that of Student's t on Bell and McCaffrey's degrees of freedom times the CR2 error, since few groups drawn again and again vary less than
 * groups do: of eight equals in eight groups a bootstrap alone leaves all ranks open in half of all runs. A rank is at best 1 + the number of those surely better, at
 * worst the number of contestants less those surely worse. null with fewer than two contestants or {@link MIN_GROUPS}, or where
 * one of them has no cells, or all of them theirs in one group.
 *
 * @param contestants - over the same groups.
 *
 * @example
 * import { analysisStream, rankSets, sum } from '@touchstone-eval/touchstone/statistics'
 *
 * const reached = (sum: number) => ({ sums: new Float64Array(8).fill(sum), cells: new Float64Array(8).fill(4) })
 * console.log(rankSets([reached(4), reached(1)], analysisStream(1, 'ranks'))?.sets) // [ { best: 1, worst: 1 }, { best: 2, worst: 2 } ]
 */
export function rankSets(contestants: readonly GroupSums[], stream: Stream, confidence = 0.95): RankSets | null {
  const groups = contestants[0]?.sums.length ?? 0
  if (contestants.length < 2 || groups < MIN_GROUPS) return null
  const kinds = distinctGroups(
    contestants.flatMap(({ sums, cells }) => [sums, cells]),
    groups,
  )
  const reached = contestants.map(({ sums, cells }) => ({
    sums: take(sums, kinds.firsts),
    cells: take(cells, kinds.firsts),
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
  const shares = sharesOf(contestants, groups)
  if (shares.some((share) => share > 1 - MIN_TAIL)) return null
  const tail = normalUpper(quantileSorted(Float64Array.from(largest).sort(), confidence))
  const critical = tQuantile(1 - Math.max(MIN_TAIL, tail), freedom(shares, 1))
  const errors = errorsOf(contestants, means as number[], shares)
  const n = contestants.length
  const surely = (j: number, k: number): boolean => {
    const at = j * n + k
    return (differences[at] as number) > critical * (errors[at] as number)
  }
  const sets = contestants.map((_, m): RankSet => {
    const others = contestants.map((_one, k) => k).filter((k) => k !== m)
    return {
      best: 1 + others.filter((k) => surely(k, m)).length,
      worst: n - others.filter((k) => surely(m, k)).length,
    }
  })
  return { sets, critical, groups }
}

/** Of all cells, those in each group: what a group weighs, over all contestants. */
function sharesOf(contestants: readonly GroupSums[], groups: number): Float64Array {
  const shares = new Float64Array(groups)
  for (const { cells } of contestants) {
    const all = cells.reduce((sum, n) => sum + n, 0)
    for (let g = 0; g < groups; g++) shares[g] = (shares[g] as number) + (cells[g] as number) / all / contestants.length
  }
  return shares
}

/** CR2 errors of all differences, as {@link pairs} has them. */
function errorsOf(contestants: readonly GroupSums[], means: readonly number[], shares: Float64Array): Float64Array {
  const residuals = contestants.map(({ sums, cells }, m) => {
    const all = cells.reduce((sum, n) => sum + n, 0)
    return sums.map((sum, g) => (sum - (means[m] as number) * (cells[g] as number)) / all)
  })
  const n = contestants.length
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

function meanOf({ sums, cells }: GroupSums, counts: Int32Array): number | null {
  let [sum, n] = [0, 0]
  for (let g = 0; g < sums.length; g++) {
    sum += (counts[g] as number) * (sums[g] as number)
    n += (counts[g] as number) * (cells[g] as number)
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
