import { balancedBlocks } from '../../../core/balanced-blocks.ts'
import type { Layout, RandomStreams } from '../../../core/task.ts'
import { regions } from '../common/fence.ts'
import type { Config } from './config.ts'
import { NONE } from './drawing/twins.ts'
import { moods } from './question.ts'

/** null: endless. */
export type Plan = { readonly size: number } | null

/**
 * True statements about real nouns are few where a split has one fence region in eight: of 40,000 items 53 pairs are
 * equal on validation and 102 on a custom split, so that a thousand hold one with a chance of 3 and 6 %. (Of false
 * statements, and in the larger splits, there are enough.)
 */
const FEW = 1000

export function plan(config: Config, draws: RandomStreams): Plan {
  const mask = regions(draws)
  const oneRegion = (mask & (mask - 1)) === 0
  return config.nouns === 'congruent' && oneRegion ? { size: FEW } : null
}

/** Kinds of conclusion equally often, and none as often as each where that can be the answer; where one is judged, Yes and No for each. */
export function layout(config: Config, known: Plan, draws: RandomStreams): Layout {
  const endless =
    config.ask === 'judge'
      ? balancedBlocks(
          {
            factors: ['mood'],
            units: moods.map((mood) => ({ levels: { mood } })),
            label: { name: 'answer', levels: ['Yes', 'No'] },
            twins: config.pairs,
          },
          draws,
        )
      : balancedBlocks(
          {
            factors: [],
            units: [{ levels: {} }],
            label: { name: 'answer', levels: config.construction === 'twins' ? [...moods, NONE] : moods },
            twins: config.pairs,
          },
          draws,
        )
  return known === null ? endless : { ...endless, size: known.size }
}
