import { below, coin, shuffle } from '../../core/random.ts'
import type { Stream } from '../../core/streams.ts'
import { distancesFrom, type Edge, type Graph, neighbours } from './graph.ts'

/** 0 - 1 - ... - n-1, as [i, i+1]. */
export function chain(n: number): Graph {
  return { n, edges: Array.from({ length: Math.max(0, n - 1) }, (_, i): Edge => [i, i + 1]) }
}

/** A uniform labelled tree on n vertices, by a random Pruefer sequence decoded in linear time. Edges are [u, v] as decoded. */
export function randomTree(stream: Stream, n: number): Graph {
  if (n <= 2) return chain(n)
  const code = Array.from({ length: n - 2 }, () => below(stream, n))
  return { n, edges: decodePruefer(code, n) }
}

/** The tree of a Pruefer sequence of length n - 2 over 0..n-1. */
export function decodePruefer(code: readonly number[], n: number): Edge[] {
  const degree = new Int32Array(n).fill(1)
  for (const v of code) (degree[v] as number)++
  const edges: Edge[] = []
  let next = 0
  while (degree[next] !== 1) next++
  let leaf = next
  for (const v of code) {
    edges.push([leaf, v])
    const left = --(degree[v] as number)
    if (left === 1 && v < next) leaf = v
    else {
      next++
      while (degree[next] !== 1) next++
      leaf = next
    }
  }
  edges.push([leaf, n - 1])
  return edges
}

/**
 * G(n, p) given that it is connected, by rejection; p = parts / 10^6. Null after `tries` unconnected draws. Every pair
 * costs one draw, so keep n in the hundreds.
 */
export function erdosRenyi(stream: Stream, n: number, parts: number, tries = 1000): Graph | null {
  for (let i = 0; i < tries; i++) {
    const edges: Edge[] = []
    for (let u = 0; u < n; u++) for (let v = u + 1; v < n; v++) if (below(stream, 1000000) < parts) edges.push([u, v])
    if (!distancesFrom(neighbours({ n, edges }), 0).includes(-1)) return { n, edges }
  }
  return null
}

/** rows x columns lattice; vertex r * columns + c. */
export function grid(rows: number, columns: number): Graph {
  const edges: Edge[] = []
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const v = r * columns + c
      if (c + 1 < columns) edges.push([v, v + 1])
      if (r + 1 < rows) edges.push([v, v + columns])
    }
  }
  return { n: rows * columns, edges }
}

/**
 * A ring of `count` communities on n vertices in all (sizes differ by at most one): inside one, all
 * vertices are adjacent except its two border vertices, which are joined to the borders of the neighbouring communities instead
 * (Schapiro et al. 2013, Nature Neuroscience 16, 486-492; theirs has 3 communities of 5). Communities of three or
 * fewer keep all their inner edges.
 */
export function communities(n: number, count: number): Graph {
  const edges: Edge[] = []
  const borders: (readonly [number, number])[] = []
  for (let c = 0; c < count; c++) {
    const first = Math.floor((c * n) / count)
    const last = Math.floor(((c + 1) * n) / count) - 1
    for (let u = first; u <= last; u++) {
      for (let v = u + 1; v <= last; v++) if (last - first < 3 || u !== first || v !== last) edges.push([u, v])
    }
    borders.push([first, last])
  }
  for (let c = 0; c < count; c++) {
    if (count === 1 || (count === 2 && c === 1)) break
    const [, out] = borders[c] as readonly [number, number]
    const [into] = borders[(c + 1) % count] as readonly [number, number]
    edges.push([out, into])
  }
  return { n, edges }
}

/** Random orientation of each edge. */
export function randomlyOriented(stream: Stream, graph: Graph): Graph {
  return { n: graph.n, edges: graph.edges.map(([u, v]): Edge => (coin(stream) ? [u, v] : [v, u])) }
}

/** A uniform labelled tree with the arrows of {@link twoParents}. */
export const randomPolytree = (stream: Stream, n: number): Graph => twoParents(stream, randomTree(stream, n))

/**
 * A tree with random arrows (parent to child) such that no vertex has more than two parents: a walk from a random
 * vertex orients each new edge at random, unless its known end already has two parents.
 */
export function twoParents(stream: Stream, tree: Graph): Graph {
  const { n } = tree
  if (n === 0) return { n, edges: [] }
  const lists = neighbours(tree)
  const parents = new Int32Array(n)
  const seen = new Uint8Array(n)
  const start = below(stream, n)
  const queue = [start]
  seen[start] = 1
  const edges: Edge[] = []
  for (let head = 0; head < queue.length; head++) {
    const u = queue[head] as number
    for (const v of lists[u] as number[]) {
      if (seen[v] === 1) continue
      seen[v] = 1
      queue.push(v)
      const upwards = (parents[u] as number) < 2 && coin(stream)
      edges.push(upwards ? [v, u] : [u, v])
      ;(parents[upwards ? u : v] as number)++
    }
  }
  return { n, edges: shuffle(stream, edges) }
}

/** For each member the later members with whom it had contact outside the club. */
const after: readonly (readonly number[])[] = `
  1 2 3 4 5 6 7 8 10 11 12 13 17 19 21 31, 2 3 7 13 17 19 21 30, 3 7 8 9 13 27 28 32, 7 12 13, 6 10, 6 10 16,
  16, , 30 32 33, 33, , , , 33, 32 33, 32 33, , , 32 33, 33, 32 33, , 32 33, 25 27 29 32 33, 25 27 31, 31, 29
  33, 33, 31 33, 32 33, 32 33, 32 33, 33,
`
  .split(',')
  .map((list) => (list.match(/\d+/g) ?? []).map(Number))

/** The friendships of a karate club: 34 members, 78 pairs (Zachary 1977, figure 1, members from 0). */
export const karateClub: Graph = {
  n: after.length,
  edges: after.flatMap((list, u) => list.map((v): Edge => [u, v])),
}
