import type { Stream } from '../../../core/stream.ts'
import type { Edge } from '../../../graphs/graph.ts'
import type { Statement } from './question.ts'

/** Truths, one a place. */
export type Bits = Uint8Array

/** Coins of the first `among` places of `length`, but neither all heads nor all tails. */
export function mixture(stream: Stream, length: number, among: number): Bits {
  const bits = new Uint8Array(length)
  for (;;) {
    let heads = 0
    let word = 0
    for (let i = 0; i < among; i++) {
      word = i % 32 === 0 ? stream.u32() : word >>> 1
      bits[i] = word & 1
      heads += word & 1
    }
    if (heads > 0 && heads < among) return bits
  }
}

/** One way to turn the edges of a tree: some as told, the others by bits. */
export interface Orientation {
  /** Does the i-th of the leading edges go as it stands? */
  readonly leading: Bits
  /** Bit i: is the i-th of the free edges turned? */
  readonly turned: Uint32Array
}

/** Edges that are turned anew each time: `leading` as told, `free` by bits; `fixed` never. */
export interface Turnable {
  readonly n: number
  readonly leading: readonly Edge[]
  readonly free: readonly Edge[]
  readonly fixed: readonly Statement[]
}

export function orientation({ free }: Turnable, leading: Bits, stream: Stream): Orientation {
  const turned = new Uint32Array((free.length + 31) >>> 5)
  for (let i = 0; i < turned.length; i++) turned[i] = stream.u32()
  return { leading, turned }
}

const isTurned = ({ turned }: Orientation, i: number): boolean => (((turned[i >>> 5] as number) >>> (i & 31)) & 1) === 1

export function statementsOf(edges: Turnable, orientation: Orientation): readonly Statement[] {
  const led = edges.leading.map(([u, v], i): Statement => (orientation.leading[i] === 1 ? [u, v] : [v, u]))
  const drawn = edges.free.map(([u, v], i): Statement => (isTurned(orientation, i) ? [v, u] : [u, v]))
  return [...led, ...drawn, ...edges.fixed]
}

/** Which counts are hashed beside those of each vertex: of the two of each statement, or of those next to some vertices. */
export type Beside = 'statements' | readonly number[]

/**
 * A number that is equal for orientations of equal counts (counts.ts), and nearly always differs for others: sums of scrambled
 * counts, so that a hundred orientations a tree are compared in a fraction of a millisecond.
 */
export function countsHash(edges: Turnable, beside: Beside): (orientation: Orientation) => number {
  const { n, leading, free, fixed } = edges
  const base = new Int32Array(n)
  for (const [lesser, greater] of fixed) count(base, lesser, greater)
  const counts = new Int32Array(n)
  const m = leading.length + free.length
  const lesser = new Int32Array(m)
  const greater = new Int32Array(m)
  const asked = beside === 'statements' ? null : beside
  return (orientation) => {
    counts.set(base)
    for (let i = 0; i < m; i++) {
      const [u, v] = (i < leading.length ? leading[i] : free[i - leading.length]) as Edge
      const kept = i < leading.length ? orientation.leading[i] === 1 : !isTurned(orientation, i - leading.length)
      lesser[i] = kept ? u : v
      greater[i] = kept ? v : u
      count(counts, lesser[i] as number, greater[i] as number)
    }
    let low = 0
    let high = 0
    const add = (a: number, b: number): void => {
      low = (low + scramble(Math.imul(a, 0x9e3779b1) ^ scramble(b))) | 0
      high = (high + scramble(Math.imul(a, 0x85ebca6b) + scramble(b ^ 0x5bd1e995))) | 0
    }
    for (let v = 0; v < n; v++) add(counts[v] as number, 0)
    const pair = (u: number, v: number): void => {
      if (asked === null) add(counts[u] as number, counts[v] as number)
      else
        for (let k = 0; k < asked.length; k++) {
          if (u === asked[k]) add(counts[v] as number, 4 * k + 1)
          if (v === asked[k]) add(counts[u] as number, 4 * k + 2)
        }
    }
    for (let i = 0; i < m; i++) pair(lesser[i] as number, greater[i] as number)
    for (const [u, v] of fixed) pair(u, v)
    if (asked !== null) for (let k = 0; k < asked.length; k++) add(counts[asked[k] as number] as number, 4 * k + 3)
    return (high >>> 11) * 2 ** 32 + (low >>> 0)
  }
}

function count(counts: Int32Array, lesser: number, greater: number): void {
  ;(counts[lesser] as number) += 4096
  ;(counts[greater] as number)++
}

/** The finaliser of MurmurHash3. */
function scramble(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
