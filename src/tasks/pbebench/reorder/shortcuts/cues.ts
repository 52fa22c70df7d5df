import type { DeclaredShortcut } from '../../../../core/index.ts'
import type { Config } from '../config.ts'
import { heuristics } from './blind.ts'
import { LISTED_UP_TO } from './choices.ts'

/** What answers earn that never look at the words. Orders of up to five rules are compared with exact chance. */
export const cues = ({ target, scramble, lengths }: Config): readonly DeclaredShortcut[] => [
  ...(target === 'planted' && scramble === 'published' ? ofPlanted : []),
  ...(scramble === 'published' ? ofWrongOrder : []),
  ...(lengths.some((length) => length > LISTED_UP_TO) ? ofChance : []),
]

const ofWrongOrder: readonly DeclaredShortcut[] = [
  {
    probe: '*',
    why: 'the published scramble shows a wrong order, one exchange away from the right one: where one pair of rules matters, many orders but the one shown are right',
    gain: [-0.6, 0.6],
  },
]

const ofPlanted: readonly DeclaredShortcut[] = [
  {
    probe: 'answerer/rules-only',
    why: 'every rule of a planted order changes a word, so a short left side seldom ran before a longer one that holds it: that had found nothing left',
    gain: [0, 0.35],
  },
]

/** Orders of more rules are not listed: their answers are measured against 0.01 instead of against chance. */
const ofChance: readonly DeclaredShortcut[] = [
  ...Object.keys(heuristics),
  'answerer/most-frequent',
  'answerer/best-constant',
].map(
  (probe): DeclaredShortcut => ({
    probe,
    why: 'several orders work: any answer, also a random one, passes as often as the feature `chance` says',
    gain: [0, 0.6],
  }),
)
