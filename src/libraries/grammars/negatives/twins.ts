import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Language } from '../sample/language.ts'
import { type ExchangeFinder, exchanged, exchangeFinder } from './exchange.ts'
import { type TwinBalance, twinBalance } from './twin-balance.ts'

/** A member and a string outside the language with equal counts of all n-grams up to order k, ends of the string included. */
export interface TwinPair {
  readonly member: Int32Array
  readonly twin: Int32Array
  readonly k: number
}

/** Draws a member of a length and looks for a twin; null where that member has none within the effort. */
export type TwinSampler = (stream: Stream, length: number) => TwinPair | null

/** What was learned of a language's twins. */
export interface TwinLessons {
  readonly draw: TwinSampler
  /** were there twins for the share of members that the rules ask for? */
  readonly plentiful: boolean
}

export interface TwinRules {
  /** orders of n-grams to be kept, 2 or more: the highest that a member has a twin for is taken */
  readonly least: number
  readonly most: number
  /** share of members with a twin, 0..1, below which learning is given up */
  readonly share: number
}

/** Exchanges that are tried for one member and order, and of those how many may be put to the recogniser. */
const EXCHANGES = 24
const RECOGNISED = 3

/**
 * Twins from which a grammar's balance is learned, and members drawn to find them: at most so many times the twins, and as
 * few as the first where a language shows next to none.
 */
const LESSONS = 300
const LESSON_DRAWS = 4 * LESSONS
const FIRST_DRAWS = 120

type Accepts = (tokens: ArrayLike<number>) => boolean

/**
 * Twins of one language. `lengths` are those to learn from, `members` a sample of the language, `lessons` the stream of
 * the learning: the same grammar always teaches the same balance.
 */
export function twinSampler(
  language: Language,
  accepts: Accepts,
  rules: TwinRules,
  sample: { readonly lengths: readonly number[]; readonly members: readonly Int32Array[]; readonly lessons: Stream },
): TwinLessons {
  const balance = twinBalance(sample.members, language.grammar.terminals.length)
  const exchangesOf = exchangeFinder(language.grammar.terminals.length)
  const look = (stream: Stream, length: number, step: number | null): TwinPair | null =>
    twinOf(language.sampler.sample(stream, length), stream, accepts, rules, exchangesOf, balance, step)
  let taught = 0
  let drawn = 0
  const hopeless = (): boolean => drawn >= FIRST_DRAWS && taught < drawn * rules.share
  for (; drawn < LESSON_DRAWS && taught < LESSONS && !hopeless(); drawn++) {
    const length = sample.lengths[drawn % sample.lengths.length]!
    const step = 0.5 / (1 + taught / 60)
    if (look(sample.lessons, length, step) !== null) taught++
  }
  return { draw: (stream, length) => look(stream, length, null), plentiful: !hopeless() }
}

function twinOf(
  member: Int32Array,
  stream: Stream,
  accepts: Accepts,
  { least, most }: TwinRules,
  exchangesOf: ExchangeFinder,
  balance: TwinBalance,
  step: number | null,
): TwinPair | null {
  let scratch: Int32Array | undefined
  for (let k = most; k >= least; k--) {
    const exchanges = exchangesOf(member, k)
    if (exchanges === null) continue
    scratch ??= new Int32Array(member.length)
    let recognised = 0
    for (let tried = 0; tried < EXCHANGES && recognised < RECOGNISED; tried++) {
      const exchange = exchanges(stream)
      if (exchange === null) continue
      const twin = exchanged(member, exchange, scratch)
      if (float(stream) >= balance.chance(member, twin, exchange, k)) continue
      recognised++
      if (accepts(twin)) continue
      if (step !== null) balance.learn(member, twin, exchange, k, step)
      return { member, twin, k }
    }
  }
  return null
}
