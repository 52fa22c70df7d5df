import { rounds } from '../../../core/rounds.ts'
import type { Layout, Streams } from '../../../core/task.ts'
import type { Config } from './config.ts'
import { distances } from './extent.ts'

/** Distances equally often; where the distance is the answer it is the label. Generations have one cell. */
export function layout(config: Config, _plan: null, draws: Streams): Layout {
  if (config.ask === 'oldest' || config.ask === 'youngest')
    return rounds({ factors: [], units: [{ levels: { ask: config.ask } }] }, draws)
  const [low, high] = distances(config)
  const levels = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  return config.ask === 'hops'
    ? rounds({ factors: [], units: [{ levels: {} }], label: { name: 'distance', levels } }, draws)
    : rounds({ factors: ['distance'], units: levels.map((distance) => ({ levels: { distance } })) }, draws)
}
