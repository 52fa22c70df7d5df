import { type LearnedSampler, matchedPairSampler } from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import type { Recognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { attainableLengths } from '../../../../libraries/grammars/sample/lengths.ts'
import type { Config } from '../config.ts'
import { membersOf, streamOf } from './negatives.ts'

export type Lessons = LearnedSampler

/** Share of a grammar's members that must have a twin: below it the language can nearly be told by what is local. */
const MIN_SHARE = 0.2

/** Learns which twins of a grammar to take, from members and a stream that the grammar alone decides. */
export function lessonsOf(
  config: Pick<Config, 'minLength' | 'maxLength' | 'twinOrders'>,
  language: Language,
  recognizer: Recognizer,
): Lessons {
  const lengths = attainableLengths(language.lengths).filter((n) => n >= config.minLength && n <= config.maxLength)
  const sample = { lengths, members: membersOf(language), lessons: streamOf(language, 'twins') }
  return matchedPairSampler(
    language,
    (tokens) => recognizer.accepts(tokens),
    { ...config.twinOrders, share: MIN_SHARE },
    sample,
  )
}
