import { between, memoize, pick, type Stream } from '../../../core/index.ts'
import { compileRecognizer, type Recognizer } from '../../../libraries/grammars/recognise/recognizer.ts'
import { type Language, language } from '../../../libraries/grammars/sample/language.ts'
import { attainableLengths } from '../../../libraries/grammars/sample/lengths.ts'
import { crossedLanguage, isCrossed, pairChartOf } from './crossed.ts'
import { isOwn, liftedOf, type Shared, tokensOf } from './grammar.ts'

export const recognizerOf = memoize((shared: Shared): Recognizer => {
  if (!isCrossed(shared)) return compileRecognizer(liftedOf(shared).cnf)
  const accepts = (tokens: ArrayLike<number>): boolean => pairChartOf(shared, tokens).goal !== undefined
  return { accepts, acceptsText: (text) => accepts(tokensOf(shared, text)) }
})

/** Strings up to a length; a task may ask for prefixes or strings of other lengths than the config's. */
const languages = memoize((_shared: Shared) => new Map<number, Language>())
export function languageOf(shared: Shared, maxLength: number): Language {
  const known = languages(shared)
  const plain = (): Language => language(liftedOf(shared).cnf, maxLength)
  const found = known.get(maxLength) ?? (isCrossed(shared) ? crossedLanguage(shared, plain()) : plain())
  known.set(maxLength, found)
  return found
}

export interface LengthRange {
  readonly minLength: number
  readonly maxLength: number
}

/** Lengths in a range at which the language has strings: all of them for random grammars. */
export const lengthsOf = ({ minLength, maxLength }: LengthRange, shared: Shared): readonly number[] =>
  attainableLengths(languageOf(shared, maxLength).lengths).filter((length) => length >= minLength)

export const drawLength = (range: LengthRange, shared: Shared, stream: Stream): number =>
  isOwn(shared) || isCrossed(shared)
    ? pick(stream, lengthsOf(range, shared))
    : between(stream, range.minLength, range.maxLength)
