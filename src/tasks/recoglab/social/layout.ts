import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import { UsageError } from '../../../core/errors.ts'
import { below } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Layout, RandomStreams } from '../../../core/task.ts'
import { distancesFrom, neighbours } from '../../../libraries/graphs/graph.ts'
import { listed, thinned } from '../common/rebalance.ts'
import type { Config } from './config.ts'
import { distances } from './drawing/extent.ts'
import { drawNetwork } from './drawing/network.ts'

/** Distances kept by the published rule, in order; null for exact strata. */
export type Plan = { readonly kept: readonly number[] } | null

export const plan = (config: Config, draws: RandomStreams): Plan =>
  config.rebalance === 'strata' ? null : { kept: thinned(config, draws, (stream) => natural(config, stream), String) }

/** The distance of a random pair in a network of the kind. */
function natural(config: Config, stream: Stream): () => number | null {
  const [low, high] = distances(config)
  return () => {
    const graph = drawNetwork(config, stream)
    if (graph === null) throw new UsageError('no connected network was found; raise edgePerMille')
    const lists = neighbours(graph, config.passing === 'one-way')
    const distance = distancesFrom(lists, below(stream, graph.n))[below(stream, graph.n)] as number
    return distance < low || distance > high ? null : distance
  }
}

/** Distances equally often; where the distance is the answer it is the label. Generations have one cell. */
export function layout(config: Config, known: Plan, draws: RandomStreams): Layout {
  if (config.ask === 'oldest' || config.ask === 'youngest')
    return balancedBlocks({ factors: [], units: [{ levels: { ask: config.ask } }] }, draws)
  const [low, high] = distances(config)
  const levels = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const exact =
    config.ask === 'hops'
      ? balancedBlocks({ factors: [], units: [{ levels: {} }], label: { name: 'distance', levels } }, draws)
      : balancedBlocks({ factors: ['distance'], units: levels.map((distance) => ({ levels: { distance } })) }, draws)
  if (known === null) return exact
  return listed(
    exact,
    known.kept.map((distance) => ({ distance })),
  )
}
