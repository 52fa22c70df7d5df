import { type TwinLessons, twinSampler } from '../../../../libraries/grammars/negatives/twins.ts'
import type { Recognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { attainableLengths } from '../../../../libraries/grammars/sample/lengths.ts'
import type { Config } from '../config.ts'
import { membersOf, streamOf } from './negatives.ts'

export type Lessons = TwinLessons

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
  return twinSampler(
    language,
    (tokens) => recognizer.accepts(tokens),
    { ...config.twinOrders, share: MIN_SHARE },
    sample,
  )
}
