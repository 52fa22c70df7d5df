import { type Edge, type Graph, neighbours } from '../../../graphs/graph.ts'

/** A class of pairs of people: `pairs[i]` are those at distance low + i. */
export type PairClass = readonly (readonly Edge[])[]

/**
 * What two people must have alike at every distance: nothing; how many neighbours each has; or also how many are within two
 * steps of each, so that who sees two steps around both sees no end sooner at one distance than at another.
 */
export type Alike = 'nothing' | 'neighbours' | 'surroundings'

/**
 * The ordered pairs of a network at each of the distances low..high, in classes by what is alike. Only classes that have pairs at every one of the distances are returned, so which
 * class an item uses, and whether a network will do, does not depend on the distance that is asked.
 */
export function pairsBetween(graph: Graph, oneWay: boolean, low: number, high: number, alike: Alike): PairClass[] {
  const { n } = graph
  const lists = neighbours(graph, oneWay)
  const looks = looksOf(graph, alike)
  const kinds = looks.reduce((most, look) => Math.max(most, look), 0) + 1
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
        keep(classes, (looks[u] as number) * kinds + (looks[at] as number), next - 1 - low, high - low + 1, u, at)
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

/** Equal numbers for people who are alike. */
function looksOf(graph: Graph, alike: Alike): Int32Array {
  const looks = new Int32Array(graph.n)
  if (alike === 'nothing') return looks
  const lists = neighbours(graph)
  for (const [u, near] of lists.entries()) {
    const around = alike === 'surroundings' ? new Set([u, ...near, ...near.flatMap((v) => lists[v] ?? [])]).size : 0
    looks[u] = near.length * (graph.n + 1) + around
  }
  return looks
}

function keep(classes: Map<number, Edge[][]>, name: number, at: number, size: number, u: number, v: number): void {
  let byDistance = classes.get(name)
  if (byDistance === undefined) {
    byDistance = Array.from({ length: size }, () => [])
    classes.set(name, byDistance)
  }
  byDistance[at]?.push([u, v])
}
