import { shuffle } from '../../core/random.ts'
import type { Stream } from '../../core/streams.ts'

/** The score of a system and its tie-breaker, if any. */
export interface Standing {
  readonly score: number
  readonly breaker: number | null
}

/**
 * Ranks 1..n from the least: by score, equal scores by the tie-breaker, equal in both by the mean of their ranks. A
 * tie-breaker counts only where all have one.
 *
 * @example
 * import { rankings } from '@touchstone-eval/touchstone/statistics'
 *
 * const standings = [0.9, 0.2, 0.5].map((score) => ({ score, breaker: null }))
 * console.log(rankings(standings)) // Float64Array(3) [ 3, 1, 2 ]
 */
export function rankings(standings: readonly Standing[]): Float64Array {
  const breakers = standings.every(({ breaker }) => breaker !== null)
  const order = [...new Set(standings.map(({ breaker }) => breaker))].sort((a, b) => Number(a) - Number(b))
  const byScore = midranks(standings.map(({ score }) => score)).ranks
  if (!breakers) return byScore
  // Midranks of scores are half an apart at least, so the place of the tie-breaker decides among equals alone.
  const step = 1 / (4 * Math.max(1, order.length))
  return midranks(standings.map(({ breaker }, i) => (byScore[i] as number) + step * order.indexOf(breaker))).ranks
}

/** Agreement of two rankings, -1..1, and the p value of no agreement. */
export interface RankAgreement {
  /** Spearman's rho of the ranks. */
  readonly rho: number
  /** Kendall's tau-b of the ranks. */
  readonly tau: number
  /**
   * Two-sided, of rho under no agreement: the share of all orders of one side with as much, counted for up to eight
   * systems, sampled above, (1 + as extreme) / (1 + draws).
   */
  readonly p: number
  readonly method: 'exact' | 'sampled'
  readonly n: number
}

const COUNTED = 8
const DRAWS = 20_000
/** Values that differ by rounding only count as equal. */
const SLACK = 1e-12

/**
 * Agreement of two rankings of the same systems. null for fewer than three, or if all ranks of one are equal.
 *
 * @example
 * import { analysisStream, rankAgreement } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(rankAgreement(Float64Array.of(1, 2, 3), Float64Array.of(1, 2, 3), analysisStream(1, 'ranks'))?.rho) // 1
 */
export function rankAgreement(x: Float64Array, y: Float64Array, stream: Stream): RankAgreement | null {
  if (x.length !== y.length) throw new RangeError(`rankings need the same systems, got ${x.length} and ${y.length}`)
  const rho = rhoOf(x, y)
  if (rho === null || x.length < 3) return null
  const tau = tauB(x, y) as number
  const extreme = (order: ArrayLike<number>): boolean =>
    Math.abs(rhoOf(x, Float64Array.from(order)) as number) >= Math.abs(rho) - SLACK
  if (x.length <= COUNTED) {
    let [hits, all] = [0, 0]
    for (const order of permutations([...y])) {
      all++
      if (extreme(order)) hits++
    }
    return { rho, tau, p: hits / all, method: 'exact', n: x.length }
  }
  let hits = 0
  for (let draw = 0; draw < DRAWS; draw++) if (extreme(shuffle(stream, [...y]))) hits++
  return { rho, tau, p: (1 + hits) / (1 + DRAWS), method: 'sampled', n: x.length }
}

/**
 * Pearson's correlation of ranks, whose mean is known; null where a side is constant.
 *
 * @example
 * import { rhoOf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(rhoOf(Float64Array.of(1, 2, 3), Float64Array.of(3, 2, 1))) // -1
 */
export function rhoOf(x: Float64Array, y: Float64Array): number | null {
  const middle = (x.length + 1) / 2
  let [xx, yy, xy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [(x[i] as number) - middle, (y[i] as number) - middle]
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  return xx === 0 || yy === 0 ? null : xy / Math.sqrt(xx * yy)
}

/** Concordant less discordant pairs, over the geometric mean of the untied pairs of each side. */
function tauB(x: Float64Array, y: Float64Array): number | null {
  let [agree, inX, inY] = [0, 0, 0]
  for (let i = 0; i < x.length; i++)
    for (let j = 0; j < i; j++) {
      const a = Math.sign((x[i] as number) - (x[j] as number))
      const b = Math.sign((y[i] as number) - (y[j] as number))
      agree += a * b
      inX += a * a
      inY += b * b
    }
  return inX === 0 || inY === 0 ? null : agree / Math.sqrt(inX * inY)
}

/** All orders of a list, by Heap's algorithm; the list that is given out is used again. */
function* permutations(list: number[]): Generator<readonly number[]> {
  const at = list.map(() => 0)
  yield list
  for (let i = 1; i < list.length; ) {
    if ((at[i] as number) < i) {
      const j = i % 2 === 0 ? 0 : (at[i] as number)
      ;[list[i], list[j]] = [list[j] as number, list[i] as number]
      yield list
      at[i] = (at[i] as number) + 1
      i = 1
    } else {
      at[i] = 0
      i++
    }
  }
}

/** Ranks 1..n; equal values share the mean of their ranks. `ties` holds the sizes of the groups of equal values larger than one. */
export interface Ranks {
  readonly ranks: Float64Array
  readonly ties: readonly number[]
}

/**
 * Ranks 1..n from the least; equal values share the mean of their ranks.
 *
 * @example
 * import { midranks } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(midranks([0.5, 0.2, 0.5]).ranks) // Float64Array(3) [ 2.5, 1, 2.5 ]
 */
export function midranks(values: ArrayLike<number>): Ranks {
  const n = values.length
  // Scores have few distinct values: sort each once.
  const counts = new Map<number, number>()
  for (let i = 0; i < n; i++) {
    const value = values[i] as number
    if (Number.isNaN(value)) throw new RangeError(`ranks need numbers, got NaN at ${i}; remove missing values first`)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const rankOf = new Map<number, number>()
  const ties: number[] = []
  let before = 0
  for (const value of Float64Array.from(counts.keys()).sort()) {
    const count = counts.get(value) as number
    rankOf.set(value, (before + 1 + before + count) / 2)
    if (count > 1) ties.push(count)
    before += count
  }
  const ranks = new Float64Array(n)
  for (let i = 0; i < n; i++) ranks[i] = rankOf.get(values[i] as number) as number
  return { ranks, ties }
}
