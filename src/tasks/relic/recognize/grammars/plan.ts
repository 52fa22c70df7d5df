import {
  below,
  namedStream,
  type RandomStreams,
  type Stream,
  sampleIndices,
  UsageError,
} from '../../../../core/index.ts'
import type { Cnf } from '../../../../libraries/grammars/grammar/cnf.ts'
import { grammarStatistics } from '../../../../libraries/grammars/grammar/statistics.ts'
import { liftedOf, type Shared } from '../../grammars/grammar.ts'
import { readOwn, requireLengths } from '../../grammars/own.ts'
import type { Config } from '../config.ts'
import { pairSampler } from '../group/length-strings.ts'
import { type Candidate, candidates, isTrivial, noCandidate } from './candidates.ts'

/** Which grammars: the keys they grow from. `null` where they come without end. */
export type Plan = { readonly grammars: readonly string[] } | null

/** @throws {UsageError} where a grammar of one's own has too few strings, all strings, or no matched pairs. */
function requireQuestions(config: Config, shared: Shared): void {
  const { cnf } = liftedOf(shared)
  requireLengths(config, shared)
  if (isTrivial(cnf, config, namedStream('relic/own', shared.grammar)))
    throw new UsageError(
      '(nearly) every sequence of tokens belongs to the language, so that membership is no question. Use a grammar that excludes some, or other lengths',
    )
  if (pairSampler(config, shared)?.plentiful === false)
    throw new UsageError(
      'too few strings have a string outside the language with the same neighbours (n-gram-matched pairs). Set twins to none, or take longer strings',
    )
}

/** @throws UsageError where the sizes leave no grammar with strings. */
export function plan(config: Config, draws: RandomStreams): Plan {
  if (config.grammar !== null) {
    requireQuestions(config, readOwn(config.grammar))
    return null
  }
  if (config.grammars === null) return null
  const wanted = config.grammars
  const pool = gather(config, draws, config.selection === 'none' ? wanted : Math.max(config.pool, wanted))
  const chosen = config.selection === 'none' ? pool : selected(pool, wanted, draws)
  return { grammars: chosen.map((candidate) => candidate.key) }
}

/** `count` grammars, no two of them alike up to renaming. */
function gather(config: Config, draws: RandomStreams, count: number): Candidate[] {
  const pool: Candidate[] = []
  const seen = new Set<string>()
  for (const candidate of candidates(config, draws.stream('candidates'), draws)) {
    if (seen.has(candidate.canonical)) continue
    seen.add(candidate.canonical)
    pool.push(candidate)
    if (pool.length === count) return pool
  }
  throw new UsageError(`found ${pool.length} of ${count} grammars; ${noCandidate}`)
}

/** Published: half of the set from the small grammars, half from the others. */
function selected(pool: readonly Candidate[], wanted: number, draws: RandomStreams): Candidate[] {
  const points = pool.map(({ grammar }) => pointOf(grammar))
  const indices = pool.map((_, i) => i)
  const small = indices.filter((i) => isSmall(points[i] as Point))
  const large = indices.filter((i) => !isSmall(points[i] as Point))
  const fromLarge = Math.min(large.length, Math.max(Math.floor(wanted / 2), wanted - small.length))
  const choose = (from: readonly number[], count: number, label: string): number[] =>
    leastCorrelated(
      from.map((i) => points[i] as Point),
      count,
      draws.stream(label),
    ).map((i) => from[i] as number)
  return [...choose(small, wanted - fromLarge, 'small'), ...choose(large, fromLarge, 'large')].map(
    (i) => pool[i] as Candidate,
  )
}

/** A row of numbers, one a grammar: its four statistics. */
export type Point = readonly number[]

export function pointOf(grammar: Cnf): Point {
  const { terminals, nonterminals, lexical, nonlexical } = grammarStatistics(grammar)
  return [terminals, nonterminals, lexical, nonlexical]
}

/** Of the published pool of small grammars: every statistic below 100. */
export const isSmall = (point: Point): boolean => point.every((value) => value < 100)

/**
 * The published choice of uncorrelated grammars: columns scaled to 0..1, then a local search that swaps one member for
 * one outsider if that lowers sum |off-diagonal Pearson correlation| - mean pairwise Euclidean distance. A proposal
 * takes time linear in `count`. Float operations have a fixed order, so the choice is the same on all machines.
 */
export function leastCorrelated(points: readonly Point[], count: number, stream: Stream, proposals = 1000): number[] {
  if (count >= points.length) return points.map((_, i) => i)
  if (count === 0) return []
  const scaled = minMaxScaled(points)
  const chosen = sampleIndices(stream, points.length, count)
  const inside = new Set(chosen)
  const members = chosen.map((i) => scaled[i] as Point)
  const pairs = Math.max(1, (count * (count - 1)) / 2)
  let distance = members.reduce((sum, point, i) => sum + distances(members, i, point, i + 1), 0)
  let best = correlation(members) - distance / pairs
  for (let step = 0; step < proposals; step++) {
    const slot = below(stream, count)
    const candidate = below(stream, points.length)
    if (inside.has(candidate)) continue
    const kept = members[slot] as Point
    const outsider = scaled[candidate] as Point
    // The difference is exactly 0 for points that are alike, so that no rounding makes one the better.
    const changed = distance + (distances(members, slot, outsider) - distances(members, slot, kept))
    members[slot] = outsider
    const value = correlation(members) - changed / pairs
    if (value < best) {
      best = value
      distance = changed
      inside.delete(chosen[slot] as number)
      inside.add(candidate)
      chosen[slot] = candidate
    } else members[slot] = kept
  }
  return chosen.sort((a, b) => a - b)
}

function minMaxScaled(points: readonly Point[]): Point[] {
  const extreme = (pick: (a: number, b: number) => number): Point =>
    points.reduce((found, point) => found.map((value, c) => pick(value, point[c] as number)))
  const low = extreme(Math.min)
  const high = extreme(Math.max)
  return points.map((point) =>
    point.map((value, c) => {
      const range = (high[c] as number) - (low[c] as number)
      return range === 0 ? 0 : (value - (low[c] as number)) / range
    }),
  )
}

function correlation(points: readonly Point[]): number {
  const columns = (points[0] as Point).length
  let sum = 0
  for (let a = 0; a < columns; a++) for (let b = a + 1; b < columns; b++) sum += 2 * Math.abs(pearson(points, a, b))
  return sum
}

/** The distances of a point in place of member `slot` to the other members, from number `first` on. */
function distances(members: readonly Point[], slot: number, point: Point, first = 0): number {
  let sum = 0
  for (let i = first; i < members.length; i++) if (i !== slot) sum += euclidean(point, members[i] as Point)
  return sum
}

function euclidean(a: Point, b: Point): number {
  let sum = 0
  for (let c = 0; c < a.length; c++) {
    const difference = (a[c] as number) - (b[c] as number)
    sum += difference * difference
  }
  return Math.sqrt(sum)
}

/** 0 where a column is constant. */
function pearson(points: readonly Point[], a: number, b: number): number {
  const n = points.length
  let sumA = 0
  let sumB = 0
  for (const point of points) {
    sumA += point[a] as number
    sumB += point[b] as number
  }
  let top = 0
  let squareA = 0
  let squareB = 0
  for (const point of points) {
    const x = (point[a] as number) - sumA / n
    const y = (point[b] as number) - sumB / n
    top += x * y
    squareA += x * x
    squareB += y * y
  }
  return squareA === 0 || squareB === 0 ? 0 : top / Math.sqrt(squareA * squareB)
}
