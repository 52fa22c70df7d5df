import { type Edge, type Graph, neighbours } from '../../../graphs/graph.ts'

/** A class of pairs of people: `pairs[i]` are those at distance low + i. */
export type PairClass = readonly (readonly Edge[])[]

/**
 * The ordered pairs of a network at each of the distances low..high, in classes: matched, by the two numbers of
 * neighbours; otherwise all in one. Only classes that have pairs at every one of the distances are returned, so which
 * class an item uses, and whether a network will do, does not depend on the distance that is asked.
 */
export function pairsBetween(graph: Graph, oneWay: boolean, low: number, high: number, matched: boolean): PairClass[] {
  const { n } = graph
  const lists = neighbours(graph, oneWay)
  const degrees = new Int32Array(n)
  for (const [u, v] of graph.edges) {
    degrees[u]!++
    degrees[v]!++
  }
  const classes = new Map<number, Edge[][]>()
  const distance = new Int32Array(n)
  const queue = new Int32Array(n)
  for (let u = 0; u < n; u++) {
    distance.fill(-1)
    distance[u] = 0
    queue[0] = u
    let size = 1
    for (let head = 0; head < size; head++) {
      const at = queue[head] as number
      const next = (distance[at] as number) + 1
      if (next > low && at !== u)
        keep(
          classes,
          matched ? (degrees[u] as number) * n + (degrees[at] as number) : 0,
          next - 1 - low,
          high - low + 1,
          u,
          at,
        )
      if (next > high) continue
      for (const v of lists[at] as readonly number[]) {
        if (distance[v] !== -1) continue
        distance[v] = next
        queue[size++] = v
      }
    }
  }
  return [...classes.values()].filter((byDistance) => byDistance.every((pairs) => pairs.length > 0))
}

function keep(classes: Map<number, Edge[][]>, name: number, at: number, size: number, u: number, v: number): void {
  let byDistance = classes.get(name)
  if (byDistance === undefined) {
    byDistance = Array.from({ length: size }, () => [])
    classes.set(name, byDistance)
  }
  byDistance[at]?.push([u, v])
}
