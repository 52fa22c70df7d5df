import { memoize } from '../../../../core/memo.ts'
import { type Edge, type Graph, neighbours } from '../../../../libraries/graphs/graph.ts'
import { wholeRoot } from '../../common/presentation.ts'
import { fixedNetwork, type NetworkParameters } from './network.ts'

/** A class of pairs of people: `pairs[i]` are those at distance low + i. */
type PairClass = readonly (readonly Edge[])[]

/**
 * What two people must have alike at every distance: nothing; how many neighbours each has; or also how many are within two
 * steps of each, so that who sees two steps around both sees no end sooner at one distance than at another.
 */
type MatchedOn = 'nothing' | 'neighbours' | 'surroundings'

/**
 * The ordered pairs at each of the distances low..high, in classes of similar people. Only classes with pairs at every
 * distance are returned, so the class of an item does not depend on its distance.
 */
export function pairsBetween(graph: Graph, oneWay: boolean, low: number, high: number, alike: MatchedOn): PairClass[] {
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
function maxMatchedDistance(graph: Graph, low: number, alike: MatchedOn): number {
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
  alike: MatchedOn,
  visit: (name: number, distance: number, u: number, v: number) => void,
): void {
  const { n } = graph
  const lists = neighbours(graph, oneWay)
  const similarity = similarityClasses(graph, alike)
  const kinds = similarity.reduce((most, look) => Math.max(most, look), 0) + 1
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
      if (near >= low && at !== u) visit((similarity[u] as number) * kinds + (similarity[at] as number), near, u, at)
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
function similarityClasses(graph: Graph, alike: MatchedOn): Int32Array {
  const similarity = new Int32Array(graph.n)
  if (alike === 'nothing') return similarity
  const lists = neighbours(graph)
  for (const [u, near] of lists.entries()) {
    const around = alike === 'surroundings' ? new Set([u, ...near, ...near.flatMap((v) => lists[v] ?? [])]).size : 0
    similarity[u] = near.length * (graph.n + 1) + around
  }
  return similarity
}

type Extent = NetworkParameters & {
  readonly ask: string
  readonly endpoints: 'matched' | 'any'
  readonly minDistance: number
  readonly maxDistance: number
}

/**
 * Minimum and maximum distance. Fixed networks are measured; for random trees the maximum grows with the root of the
 * size; directed and random networks have short distances.
 */
export const distances = memoize((c: Extent): readonly [low: number, high: number] => {
  const low = c.minDistance > 0 ? c.minDistance : c.ask === 'hops' ? 1 : 2
  const high = furthest(c, low)
  return [low, c.maxDistance > 0 ? Math.min(c.maxDistance, high) : Math.min(high, usual(c))]
})

function usual(c: Extent): number {
  if (c.passing === 'one-way') return 3
  if (c.network === 'tree') return Math.max(2, wholeRoot(4 * c.people))
  return c.network === 'erdos-renyi' ? 3 : Number.POSITIVE_INFINITY
}

/** The maximum distance for which items can be drawn. */
function furthest(c: Extent, low: number): number {
  const alike = matchedOn(c)
  const fixed = c.passing === 'one-way' ? null : fixedNetwork(c)
  if (fixed === null) return alike !== 'nothing' ? c.people - 3 : c.people - 1
  return maxMatchedDistance(fixed, low, alike)
}

/** Only for hops, where the distance is the answer, must the people of the question look alike. */
export function matchedOn(c: Pick<Extent, 'ask' | 'endpoints' | 'network'>): MatchedOn {
  if (c.ask !== 'hops' || c.endpoints !== 'matched') return 'nothing'
  return c.network === 'chain' ? 'surroundings' : 'neighbours'
}
