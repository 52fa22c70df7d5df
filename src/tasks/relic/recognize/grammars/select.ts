import { below, type Stream, sampleIndices } from '../../../../core/index.ts'
import type { Cnf } from '../../../../libraries/grammars/grammar/cnf.ts'
import { grammarStatistics } from '../../../../libraries/grammars/grammar/statistics.ts'

/** A row of numbers, one a grammar: its four statistics. */
export type Point = readonly number[]

export function pointOf(grammar: Cnf): Point {
  const { terminals, nonterminals, lexical, nonlexical } = grammarStatistics(grammar)
  return [terminals, nonterminals, lexical, nonlexical]
}

/** Of the published pool of small grammars: every statistic below 100. */
export const isSmall = (point: Point): boolean => point.every((value) => value < 100)

/**
 * The published choice of little correlated grammars (specs/relic 1.5): columns scaled to 0..1, then a local search
 * that swaps one member for one outsider and keeps the swap where it lowers
 * sum |off-diagonal Pearson correlation| - mean pairwise Euclidean distance.
 * A proposal takes time linear in `count`: of the sum of distances only those of the two points change.
 * Exact float operations in a fixed order only, so the choice is the same everywhere.
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

/** The distances of a point in place of member `slot` to the other members, those from number `first` on. */
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
