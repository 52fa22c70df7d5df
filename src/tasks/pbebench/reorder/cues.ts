import type { Cue } from '../../../core/index.ts'
import { heuristics } from './blind.ts'
import { LISTED_UP_TO } from './choices.ts'
import type { Config } from './config.ts'

/** What answers earn that never look at the words. Orders of up to five rules are compared with exact chance. */
export const cues = ({ scramble, lengths }: Config): readonly Cue[] => {
  if (scramble === 'published') return ofWrongOrder
  return [
    ...(lengths.some((length) => length <= LISTED_UP_TO) ? ofSpelling : []),
    ...(lengths.some((length) => length > LISTED_UP_TO) ? ofChance : []),
  ]
}

const ofWrongOrder: readonly Cue[] = [
  {
    probe: '*',
    why: 'the published scramble shows a wrong order, one exchange away from the right one: where one pair of rules matters, many orders but the one shown are right',
    gain: [-0.6, 0.6],
  },
]

const specificFirst =
  'every rule changes a word, so a short left side seldom ran before a longer one that holds it: that had found nothing left'
const ofSpelling: readonly Cue[] = [
  { probe: 'answerer/longest-left-first', why: specificFirst, gain: [0, 0.15] },
  { probe: 'answerer/shortest-left-first', why: specificFirst, gain: [-0.15, 0] },
  { probe: 'answerer/alphabetical', why: `${specificFirst}; the alphabet lists it first`, gain: [-0.1, 0] },
  { probe: 'candidate/place', why: `${specificFirst}; orders are listed by the alphabet`, gain: [0, 0.15] },
  { probe: 'answerer/shortest-right-first', why: 'short right sides go with long left sides', gain: [-0.1, 0.05] },
]

/** Orders of more rules are not listed: their answers are measured against 0.01 instead of against chance. */
const ofChance: readonly Cue[] = [...Object.keys(heuristics), 'answerer/most-frequent', 'answerer/best-constant'].map(
  (probe): Cue => ({
    probe,
    why: 'several orders work: any answer, also a random one, passes as often as the feature `chance` says',
    gain: [0, 0.6],
  }),
)
