import { type Edge, type Graph, neighbours } from '../../../../libraries/graphs/graph.ts'

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
  const classes = new Map<number, Edge[][]>()
  eachPair(graph, oneWay, [low, high], alike, (name, distance, u, v) => {
    let byDistance = classes.get(name)
    if (byDistance === undefined) {
      byDistance = Array.from({ length: high - low + 1 }, () => [])
      classes.set(name, byDistance)
    }
    byDistance[distance - low]?.push([u, v])
  })
  return [...classes.values()].filter((byDistance) => byDistance.every((pairs) => pairs.length > 0))
}

/** The largest distance up to which, from `low` on, {@link pairsBetween} finds a class; low - 1 where it finds none. */
export function furthestAlike(graph: Graph, low: number, alike: Alike): number {
  const seen = new Map<number, Set<number>>()
  eachPair(graph, false, [low, graph.n - 1], alike, (name, distance) => {
    const distances = seen.get(name)
    if (distances === undefined) seen.set(name, new Set([distance]))
    else distances.add(distance)
  })
  return Math.max(low - 1, ...[...seen.values()].map((distances) => lastInRow(distances, low)))
}

function lastInRow(numbers: ReadonlySet<number>, from: number): number {
  let last = from - 1
  while (numbers.has(last + 1)) last++
  return last
}

/** Visits the ordered pairs of two people at one of the distances, with a name of their class. */
function eachPair(
  graph: Graph,
  oneWay: boolean,
  [low, high]: readonly [number, number],
  alike: Alike,
  visit: (name: number, distance: number, u: number, v: number) => void,
): void {
  const { n } = graph
  const lists = neighbours(graph, oneWay)
  const looks = looksOf(graph, alike)
  const kinds = looks.reduce((most, look) => Math.max(most, look), 0) + 1
  const distance = new Int32Array(n)
  const queue = new Int32Array(n)
  for (let u = 0; u < n; u++) {
    distance.fill(-1)
    distance[u] = 0
    queue[0] = u
    let size = 1
    for (let head = 0; head < size; head++) {
      const at = queue[head] as number
      const near = distance[at] as number
      if (near >= low && at !== u) visit((looks[u] as number) * kinds + (looks[at] as number), near, u, at)
      if (near >= high) continue
      for (const v of lists[at] as readonly number[]) {
        if (distance[v] !== -1) continue
        distance[v] = near + 1
        queue[size++] = v
      }
    }
  }
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
