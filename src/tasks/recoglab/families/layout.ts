import { rounds, type Unit } from '../../../core/rounds.ts'
import type { Layout, Streams } from '../../../core/task.ts'
import { type Config, hops } from './config.ts'
import { labelsOf } from './labels.ts'

/** Labels equally often at every distance of the two records; where a rule settles ties, one in five is a tie. */
export function layout(config: Config, _plan: null, draws: Streams): Layout {
  const ties = (config.ask === 'larger' || config.ask === 'older') && config.ties === 'alphabetical'
  const units = hops(config).flatMap((hop): Unit[] => [
    { levels: { hop, tie: false }, weight: ties ? 4 : 1 },
    ...(ties ? [{ levels: { hop, tie: true } }] : []),
  ])
  return rounds({ factors: ['tie', 'hop'], units, label: { name: 'label', levels: labelsOf(config) } }, draws)
}
