import { LruCache, memoize } from '../../../../core/memo.ts'
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

export interface NetworkParameters {
  readonly network: 'chain' | 'tree' | 'erdos-renyi' | 'grid' | 'communities' | 'karate' | 'given'
  readonly people: number
  readonly edgePerMille: number
  readonly columns: number
  readonly communities: number
  readonly graph: string
  readonly passing: 'both-ways' | 'one-way'
  readonly relation: RelationName
}

const read = new LruCache<Graph, string>(16)
const givenGraph = (text: string): Graph =>
  read.get(text, () => {
    const result = parseGraph(text)
    if (result.kind === 'error') throw new Error(result.message)
    return { n: result.graph.n, edges: result.graph.edges }
  })

/** The network that all items share; null: drawn per item. */
export const fixedNetwork = memoize((parameters: NetworkParameters): Graph | null => {
  switch (parameters.network) {
    case 'chain':
      return chain(parameters.people)
    case 'grid':
      return grid(parameters.people / parameters.columns, parameters.columns)
    case 'communities':
      return communities(parameters.people, parameters.communities)
    case 'karate':
      return karateClub
    case 'given':
      return givenGraph(parameters.graph)
    default:
      return null
  }
})

/** Is the relation between parent and child, so that people have at most two parents? */
export const isFamily = (relation: RelationName): boolean => relation === 'parent' || relation === 'child'

/**
 * A network of the configured kind. Family edges have random directions with at most two parents per person; for
 * one-way passing all edges have random directions. null: no connected network found.
 */
export function drawNetwork(parameters: NetworkParameters, stream: Stream): Graph | null {
  const fixed = fixedNetwork(parameters)
  const turned = parameters.passing === 'one-way' || (fixed === null && isFamily(parameters.relation))
  if (fixed !== null && !turned) return fixed
  const graph =
    fixed ??
    (parameters.network === 'tree'
      ? randomTree(stream, parameters.people)
      : erdosRenyi(stream, parameters.people, parameters.edgePerMille * 1000))
  if (graph === null || !turned) return graph
  if (!isFamily(parameters.relation)) return randomlyOriented(stream, graph)
  const { n, edges } = twoParents(stream, graph)
  return { n, edges: parameters.relation === 'parent' ? edges : edges.map(([parent, child]): Edge => [child, parent]) }
}
