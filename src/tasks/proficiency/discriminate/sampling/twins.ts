import { memoize, type Stream, sha256, streamFromKey, utf8 } from '../../../../core/index.ts'
import { type LearnedSampler, matchedPairSampler } from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import { printPcfg } from '../../../../libraries/grammars/pcfg/index.ts'
import { type Language, sampleTokens } from '../../languages/compiled.ts'

/** Maximum n of equal n-gram counts. */
export const highestOrder = 6

/** Minimum share of strings with a twin that is kept: below it short n-grams identify the language. */
const MIN_SHARE = 0.05
const LESSONS = 4000
const MEMBERS = 1500

/** What can differ between twins; hierarchical grammars make segments of three tokens, and of three of those. */
const COUNTED = { orders: [3, 8], apart: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], periods: [3, 9] } as const

/** Longer strings are not paired. */
const MAX_LENGTH = 200

/** The twins of a language, whatever split or seed they are for. */
const samplersOf = memoize((_language: Language) => new Map<number, LearnedSampler>())

/** Twins with equal counts of n-grams up to `most`, or to less where a string has none. */
export function twinsOf(language: Language, most: number): LearnedSampler {
  const samplers = samplersOf(language)
  let sampler = samplers.get(most)
  if (sampler === undefined) {
    const { grammar } = language
    const stream = streamFromKey(sha256(utf8(`touchstone/proficiency/twins/1\n${printPcfg(grammar)}`)))
    const sample = (from: Stream): Int32Array | null => {
      const tokens = sampleTokens(language, from)
      return tokens.length <= MAX_LENGTH ? Int32Array.from(tokens) : null
    }
    const members = Array.from({ length: MEMBERS }, () => sample(stream)).filter((tokens) => tokens !== null)
    sampler = matchedPairSampler(
      { terminals: grammar.terminals.length, sample, accepts: (tokens) => language.accepts(Array.from(tokens)) },
      {
        least: Math.min(2, most),
        most,
        share: MIN_SHARE,
        lessons: LESSONS,
        counted: COUNTED,
      },
      { lengths: [0], members: () => members, lessons: stream },
    )
    samplers.set(most, sampler)
  }
  return sampler
}
