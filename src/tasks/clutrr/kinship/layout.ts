import { rounds } from '../../../core/rounds.ts'
import type { Layout, Streams } from '../../../core/task.ts'
import type { Config } from './config.ts'
import { sets } from './drawing/templates.ts'

/** The three answers of a set, of either gender: all eighteen relations equally often. */
export const layout = (_config: Config, _plan: null, draws: Streams): Layout =>
  rounds(
    {
      factors: ['set', 'gender'],
      units: sets.flatMap((_, set) => ['f', 'm'].map((gender) => ({ levels: { set, gender } }))),
      label: { name: 'member', levels: [0, 1, 2] },
      twins: true,
    },
    draws,
  )
