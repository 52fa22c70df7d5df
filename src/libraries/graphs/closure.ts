import type { Graph } from './graph.ts'

/** Transitive closure by bit sets (Warshall): row u, bit v is set where arrows lead from u to v in one step or more. */
export interface Closure {
  readonly n: number
  reaches(u: number, v: number): boolean
}

export function closure(graph: Graph): Closure {
  const words = (graph.n + 31) >>> 5
  const rows = new Int32Array(graph.n * words)
  for (const [u, v] of graph.edges) rows[u * words + (v >>> 5)]! |= 1 << (v & 31)
  for (let k = 0; k < graph.n; k++) {
    const bit = 1 << (k & 31)
    for (let u = 0; u < graph.n; u++) {
      if (((rows[u * words + (k >>> 5)] as number) & bit) === 0) continue
      for (let w = 0; w < words; w++) rows[u * words + w]! |= rows[k * words + w] as number
    }
  }
  return { n: graph.n, reaches: (u, v) => ((rows[u * words + (v >>> 5)] as number) & (1 << (v & 31))) !== 0 }
}

/** A topological order by Kahn's elimination, or null where there is a directed cycle. */
export function topologicalOrder(graph: Graph): number[] | null {
  const incoming = new Int32Array(graph.n)
  const next: number[][] = Array.from({ length: graph.n }, () => [])
  for (const [u, v] of graph.edges) {
    ;(incoming[v] as number)++
    next[u]?.push(v)
  }
  const order: number[] = []
  for (let v = 0; v < graph.n; v++) if (incoming[v] === 0) order.push(v)
  for (let head = 0; head < order.length; head++) {
    for (const v of next[order[head] as number] as number[]) if (--incoming[v]! === 0) order.push(v)
  }
  return order.length === graph.n ? order : null
}

/** All-pairs distances by Floyd-Warshall, row-major; Infinity where there is no way. */
export function allDistances(graph: Graph, directed = false): Float64Array {
  const { n } = graph
  const d = new Float64Array(n * n).fill(Number.POSITIVE_INFINITY)
  for (let v = 0; v < n; v++) d[v * n + v] = 0
  for (const [u, v] of graph.edges) {
    if (u !== v) d[u * n + v] = 1
    if (u !== v && !directed) d[v * n + u] = 1
  }
  for (let k = 0; k < n; k++) {
    for (let u = 0; u < n; u++) {
      const first = d[u * n + k] as number
      if (first === Number.POSITIVE_INFINITY) continue
      for (let v = 0; v < n; v++) {
        const through = first + (d[k * n + v] as number)
        if (through < (d[u * n + v] as number)) d[u * n + v] = through
      }
    }
  }
  return d
}
