import { type AnswerBlock, balancedBlocks } from '../../../core/balanced-blocks.ts'
import type { Layout, RandomStreams } from '../../../core/task.ts'
import { type Config, hops } from './config.ts'
import { labelsOf } from './labels.ts'

/** Labels equally often at every distance of the two records; where a rule settles ties, one in five is a tie. */
export function layout(config: Config, _plan: null, draws: RandomStreams): Layout {
  const ties = (config.ask === 'larger' || config.ask === 'older') && config.ties === 'alphabetical'
  const units = hops(config).flatMap((hop): AnswerBlock[] => [
    { levels: { hop, tie: false }, weight: ties ? 4 : 1 },
    ...(ties ? [{ levels: { hop, tie: true } }] : []),
  ])
  return balancedBlocks({ factors: ['tie', 'hop'], units, label: { name: 'label', levels: labelsOf(config) } }, draws)
}
