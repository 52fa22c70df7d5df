/** A finite simple graph on vertices 0..n-1; [u, v] is directed or undirected depending on the function that uses it. */
export interface Graph {
  readonly n: number
  readonly edges: readonly Edge[]
}
export type Edge = readonly [u: number, v: number]

/** Neighbour lists in edge order; `directed`: v is a neighbour of u for [u, v], not the reverse. */
export function neighbours(graph: Graph, directed = false): number[][] {
  const lists: number[][] = Array.from({ length: graph.n }, () => [])
  for (const [u, v] of graph.edges) {
    ;(lists[u] as number[]).push(v)
    if (!directed) (lists[v] as number[]).push(u)
  }
  return lists
}

/** Breadth-first distances from `start`; -1: unreachable. @param lists - from {@link neighbours} */
export function distancesFrom(lists: readonly (readonly number[])[], start: number): Int32Array {
  const distance = new Int32Array(lists.length).fill(-1)
  const queue = new Int32Array(lists.length)
  distance[start] = 0
  queue[0] = start
  let size = 1
  for (let head = 0; head < size; head++) {
    const u = queue[head] as number
    const next = (distance[u] as number) + 1
    for (const v of lists[u] as readonly number[]) {
      if (distance[v] === -1) {
        distance[v] = next
        queue[size++] = v
      }
    }
  }
  return distance
}

/** One shortest path from `from` to `to` with both ends (the least next vertex at each step), or null. */
export function shortestPath(lists: readonly (readonly number[])[], from: number, to: number): number[] | null {
  const distance = distancesFrom(reversed(lists), to)
  if (distance[from] === -1) return null
  const path = [from]
  for (let u = from; u !== to; ) {
    let best = -1
    for (const v of lists[u] as readonly number[]) {
      if (distance[v] === (distance[u] as number) - 1 && (best === -1 || v < best)) best = v
    }
    path.push(best)
    u = best
  }
  return path
}

/** The neighbours of `from` that begin a shortest path to `to`, ascending; empty where there is none. */
export function nextHops(lists: readonly (readonly number[])[], from: number, to: number): number[] {
  const distance = distancesFrom(reversed(lists), to)
  const best = (distance[from] as number) - 1
  if (best < 0) return []
  return (lists[from] as readonly number[]).filter((v) => distance[v] === best).sort((a, b) => a - b)
}

/** True if `path` is a walk along edges. */
export function isWalk(lists: readonly (readonly number[])[], path: readonly number[]): boolean {
  for (let i = 0; i < path.length; i++) {
    const u = path[i] as number
    if (lists[u] === undefined) return false
    if (i > 0 && !(lists[path[i - 1] as number] as readonly number[]).includes(u)) return false
  }
  return path.length > 0
}

/**
 * Generation numbers of a connected polytree: a child's is its parent's plus one, the least is 0. Null where the graph
 * is not connected or two ways around a cycle disagree.
 */
export function generations(graph: Graph): Int32Array | null {
  const around: (readonly [number, number])[][] = Array.from({ length: graph.n }, () => [])
  for (const [parent, child] of graph.edges) {
    around[parent]?.push([child, 1])
    around[child]?.push([parent, -1])
  }
  const level = new Int32Array(graph.n)
  const seen = new Uint8Array(graph.n)
  if (graph.n === 0) return level
  const queue = [0]
  seen[0] = 1
  let least = 0
  for (let head = 0; head < queue.length; head++) {
    const u = queue[head] as number
    for (const [v, step] of around[u] as (readonly [number, number])[]) {
      const at = (level[u] as number) + step
      if (seen[v] === 0) {
        seen[v] = 1
        level[v] = at
        if (at < least) least = at
        queue.push(v)
      } else if (level[v] !== at) return null
    }
  }
  if (queue.length < graph.n) return null
  return level.map((l) => l - least)
}

function reversed(lists: readonly (readonly number[])[]): number[][] {
  const out: number[][] = Array.from({ length: lists.length }, () => [])
  for (let u = 0; u < lists.length; u++) for (const v of lists[u] as readonly number[]) (out[v] as number[]).push(u)
  return out
}
