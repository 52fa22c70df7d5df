import { memoize } from '../../../../core/memo.ts'
import type { Stream } from '../../../../core/streams.ts'
import {
  chain,
  communities,
  erdosRenyi,
  grid,
  karateClub,
  randomlyOriented,
  randomTree,
  twoParents,
} from '../../../../libraries/graphs/generate.ts'
import type { Edge, Graph } from '../../../../libraries/graphs/graph.ts'
import { parseGraph } from '../../../../libraries/graphs/parse-graph.ts'
import type { RelationName } from '../relations.ts'

export interface NetworkKnobs {
  readonly network: 'chain' | 'tree' | 'erdos-renyi' | 'grid' | 'communities' | 'karate' | 'given'
  readonly people: number
  readonly edgePerMille: number
  readonly columns: number
  readonly communities: number
  readonly graph: string
  readonly passing: 'both-ways' | 'one-way'
  readonly relation: RelationName
}

const read = new Map<string, Graph>()
function givenGraph(text: string): Graph {
  let graph = read.get(text)
  if (graph === undefined) {
    const result = parseGraph(text)
    if (result.kind === 'error') throw new Error(result.message)
    graph = { n: result.graph.n, edges: result.graph.edges }
    if (read.size >= 16) read.clear()
    read.set(text, graph)
  }
  return graph
}

/** The network that is the same for every item, or null where it is drawn anew. */
export const fixedNetwork = memoize((knobs: NetworkKnobs): Graph | null => {
  switch (knobs.network) {
    case 'chain':
      return chain(knobs.people)
    case 'grid':
      return grid(knobs.people / knobs.columns, knobs.columns)
    case 'communities':
      return communities(knobs.people, knobs.communities)
    case 'karate':
      return karateClub
    case 'given':
      return givenGraph(knobs.graph)
    default:
      return null
  }
})

/** Does the relation make a family, in which nobody has more than two parents? */
export const isFamily = (relation: RelationName): boolean => relation === 'parent' || relation === 'child'

/**
 * A network of the kind asked for. Edges of a family point by coin, but so that nobody has more than two parents; for
 * one-way passing all others point by coin. Null where a connected one was not found.
 */
export function drawNetwork(knobs: NetworkKnobs, stream: Stream): Graph | null {
  const fixed = fixedNetwork(knobs)
  const turned = knobs.passing === 'one-way' || (fixed === null && isFamily(knobs.relation))
  if (fixed !== null && !turned) return fixed
  const graph =
    fixed ??
    (knobs.network === 'tree'
      ? randomTree(stream, knobs.people)
      : erdosRenyi(stream, knobs.people, knobs.edgePerMille * 1000))
  if (graph === null || !turned) return graph
  if (!isFamily(knobs.relation)) return randomlyOriented(stream, graph)
  const { n, edges } = twoParents(stream, graph)
  return { n, edges: knobs.relation === 'parent' ? edges : edges.map(([parent, child]): Edge => [child, parent]) }
}
