/** A finite simple graph on vertices 0..n-1. Whether [u, v] is an arrow or a line is up to the function that reads it. */
export interface Graph {
  readonly n: number
  readonly edges: readonly Edge[]
}
export type Edge = readonly [u: number, v: number]

/** Neighbour lists. `directed`: v is listed at u for [u, v]; otherwise each at the other. Lists follow edge order. */
export function neighbours(graph: Graph, directed = false): number[][] {
  const lists: number[][] = Array.from({ length: graph.n }, () => [])
  for (const [u, v] of graph.edges) {
    ;(lists[u] as number[]).push(v)
    if (!directed) (lists[v] as number[]).push(u)
  }
  return lists
}
