import { remember } from '../../../core/memo.ts'
import type { Stream } from '../../../core/stream.ts'
import { chain, communities, erdosRenyi, grid, randomlyOriented, randomTree } from '../../../graphs/generate.ts'
import type { Graph } from '../../../graphs/graph.ts'
import { readGraph } from '../../../graphs/read.ts'

export interface NetworkKnobs {
  readonly network: 'chain' | 'tree' | 'erdos-renyi' | 'grid' | 'communities' | 'given'
  readonly people: number
  readonly edgePerMille: number
  readonly columns: number
  readonly communities: number
  readonly graph: string
  readonly passing: 'both-ways' | 'one-way'
}

const read = new Map<string, Graph>()
function givenGraph(text: string): Graph {
  let graph = read.get(text)
  if (graph === undefined) {
    const result = readGraph(text)
    if (result.kind === 'error') throw new Error(result.message)
    graph = { n: result.graph.n, edges: result.graph.edges }
    if (read.size >= 16) read.clear()
    read.set(text, graph)
  }
  return graph
}

/** The network that is the same for every item, or null where it is drawn anew. */
export const fixedNetwork = remember((knobs: NetworkKnobs): Graph | null => {
  switch (knobs.network) {
    case 'chain':
      return chain(knobs.people)
    case 'grid':
      return grid(knobs.people / knobs.columns, knobs.columns)
    case 'communities':
      return communities(knobs.people, knobs.communities)
    case 'given':
      return givenGraph(knobs.graph)
    default:
      return null
  }
})

/** A network of the kind asked for; for one-way passing its edges point by coin. Null where a connected one was not found. */
export function drawNetwork(knobs: NetworkKnobs, stream: Stream): Graph | null {
  const fixed = fixedNetwork(knobs)
  if (fixed !== null && knobs.passing === 'both-ways') return fixed
  const graph =
    fixed ??
    (knobs.network === 'tree'
      ? randomTree(stream, knobs.people)
      : erdosRenyi(stream, knobs.people, knobs.edgePerMille * 1000))
  if (graph === null) return null
  return knobs.passing === 'one-way' ? randomlyOriented(stream, graph) : graph
}
