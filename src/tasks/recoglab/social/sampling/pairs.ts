import { memoize } from '../../../../core/memo.ts'
import { type Edge, type Graph, neighbours } from '../../../../libraries/graphs/graph.ts'
import { wholeRoot } from '../../common/presentation.ts'
import { fixedNetwork, type NetworkParameters } from './network.ts'

/** A class of pairs of people: `pairs[i]` are those at distance low + i. */
type PairClass = readonly (readonly Edge[])[]

/**
 * The ordered pairs at each of the distances low..high, in classes of people who have as many others within `alike` steps.
 * Only classes with pairs at every distance are returned, so the class of an item does not depend on its distance.
 */
export function pairsBetween(graph: Graph, oneWay: boolean, low: number, high: number, alike: number): PairClass[] {
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

/** Visits the ordered pairs of two people at one of the distances, with a name of their class. */
function eachPair(
  graph: Graph,
  oneWay: boolean,
  [low, high]: readonly [number, number],
  alike: number,
  visit: (name: number, distance: number, u: number, v: number) => void,
): void {
  const { n } = graph
  const lists = neighbours(graph, oneWay)
  const similarity = othersWithin(graph, alike)
  const kinds = similarity.reduce((most, count) => Math.max(most, count), 0) + 1
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

/** How many people are within so many steps of each. */
function othersWithin(graph: Graph, steps: number): readonly number[] {
  const lists = neighbours(graph)
  return lists.map((_, u) => {
    let near = new Set([u])
    for (let i = 0; i < steps; i++) near = new Set([...near].flatMap((v) => [v, ...(lists[v] ?? [])]))
    return near.size
  })
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
  const fixed = c.passing === 'one-way' ? null : fixedNetwork(c)
  if (fixed === null) return stepsAlike(c, low) > 0 ? c.people - 3 : c.people - 1
  let high = c.people - 1
  while (high >= low && pairsBetween(fixed, false, low, high, stepsAlike(c, high)).length === 0) high--
  return high
}

/**
 * Within how many steps the two people of a question have as many others, whatever their distance. Only for hops, where the
 * distance is the answer: as many neighbours, and on chains as many as are read without a proof of the maximum distance, so
 * that no end of the chain is in sight sooner at one distance than at another.
 */
export function stepsAlike(c: Pick<Extent, 'ask' | 'endpoints' | 'network'>, high: number): number {
  if (c.ask !== 'hops' || c.endpoints !== 'matched') return 0
  return c.network === 'chain' ? Math.max(1, Math.ceil(high / 2) - 1) : 1
}
