import { below, type Stream, sampleIndices } from '../../../core/index.ts'

/** A row of numbers, one a grammar: its four statistics. */
export type Point = readonly number[]

/**
 * The published choice of little correlated grammars (specs/relic 1.5): columns scaled to 0..1, then a local search
 * that swaps one member for one outsider and keeps the swap where it lowers
 * sum |off-diagonal Pearson correlation| - mean pairwise Euclidean distance.
 * Exact float operations in a fixed order only, so the choice is the same everywhere.
 */
export function leastCorrelated(points: readonly Point[], count: number, stream: Stream, proposals = 1000): number[] {
  if (count >= points.length) return points.map((_, i) => i)
  const scaled = minMaxScaled(points)
  const members = sampleIndices(stream, points.length, count)
  const inside = new Set(members)
  let best = objective(members.map((i) => scaled[i] as Point))
  for (let step = 0; step < proposals; step++) {
    const slot = below(stream, count)
    const candidate = below(stream, points.length)
    if (inside.has(candidate)) continue
    const kept = members[slot] as number
    members[slot] = candidate
    const value = objective(members.map((i) => scaled[i] as Point))
    if (value < best) {
      best = value
      inside.delete(kept)
      inside.add(candidate)
    } else members[slot] = kept
  }
  return members.sort((a, b) => a - b)
}

function minMaxScaled(points: readonly Point[]): Point[] {
  const columns = (points[0] as Point).length
  const low = Array.from({ length: columns }, (_, c) => Math.min(...points.map((p) => p[c] as number)))
  const high = Array.from({ length: columns }, (_, c) => Math.max(...points.map((p) => p[c] as number)))
  return points.map((point) =>
    point.map((value, c) => {
      const range = (high[c] as number) - (low[c] as number)
      return range === 0 ? 0 : (value - (low[c] as number)) / range
    }),
  )
}

export function objective(points: readonly Point[]): number {
  const columns = (points[0] as Point).length
  let correlation = 0
  for (let a = 0; a < columns; a++)
    for (let b = a + 1; b < columns; b++) correlation += 2 * Math.abs(pearson(points, a, b))
  let distance = 0
  for (let i = 0; i < points.length; i++)
    for (let j = i + 1; j < points.length; j++) distance += euclidean(points[i] as Point, points[j] as Point)
  const pairs = (points.length * (points.length - 1)) / 2
  return correlation - (pairs === 0 ? 0 : distance / pairs)
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
