import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import type { Layout, RandomStreams } from '../../../core/task.ts'
import type { Config } from './config.ts'
import { sets } from './drawing/templates.ts'

/** The three answers of a set, of either gender: all eighteen relations equally often. */
export const layout = (_config: Config, _plan: null, draws: RandomStreams): Layout =>
  balancedBlocks(
    {
      factors: ['set', 'gender'],
      units: sets.flatMap((_, set) => ['f', 'm'].map((gender) => ({ levels: { set, gender } }))),
      label: { name: 'member', levels: [0, 1, 2] },
      twins: true,
    },
    draws,
  )
