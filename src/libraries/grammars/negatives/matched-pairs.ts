import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Language } from '../sample/language.ts'
import { pairReader, type ReaderOptions, type ReadPair } from './pair-reader.ts'
import { applySwap, type SwapFinder, swapFinder } from './segment-swap.ts'

/** A string of the language and one outside with equal counts of all n-grams up to order k, both ends of the string included. */
export interface MatchedPair {
  readonly member: Int32Array
  readonly twin: Int32Array
  readonly k: number
}

/** Draws a member of a length and searches for its match; null where none was found, or kept. */
export type MatchedPairSampler = (stream: Stream, length: number) => MatchedPair | null

export interface LearnedSampler {
  readonly draw: MatchedPairSampler
  /** do as many members have a match that is kept as the rules ask for? */
  readonly plentiful: boolean
}

export interface MatchedPairRules {
  /** orders of n-grams to keep, 2 or more: the highest at which a member has a match is taken */
  readonly least: number
  readonly most: number
  /** share of members, 0..1, that must have a match that is kept */
  readonly share: number
  /** pairs to learn from: the more, the less is left for other readers to find */
  readonly lessons: number
}

/** Swaps tried for one member and order, and how many of them the recogniser decides. */
const MAX_SWAPS = 24
const MAX_RECOGNISED = 3

/** Members drawn for a pair to learn from, at most, on average; and those drawn before a language with next to no pairs is given up. */
const MAX_DRAWS = 4
const MIN_DRAWS = 120

type Accepts = (tokens: ArrayLike<number>) => boolean

/** A pair with the places between which its strings differ. */
type Proposal = ReadPair & { readonly k: number }

/**
 * Pairs of one language. `lengths` are those to learn from, `members` a sample of the language, `lessons` the random
 * stream of learning: the same grammar always gives the same reader. A pair is kept with the odds that the reader takes
 * the string outside for the member, so that among kept pairs one is as likely as the other to be either.
 */
export function matchedPairSampler(
  language: Language,
  accepts: Accepts,
  rules: MatchedPairRules,
  sample: { readonly lengths: readonly number[]; readonly members: readonly Int32Array[]; readonly lessons: Stream },
): LearnedSampler {
  const findSwaps = swapFinder(language.grammar.terminals.length)
  const propose = (stream: Stream, length: number): Proposal | null =>
    proposalFor(language.sampler.sample(stream, length), stream, accepts, rules, findSwaps)
  const lessons: ReadPair[] = []
  let drawn = 0
  const isHopeless = (): boolean => drawn >= MIN_DRAWS && lessons.length < drawn * rules.share
  for (; drawn < MAX_DRAWS * rules.lessons && lessons.length < rules.lessons && !isHopeless(); drawn++) {
    const found = propose(sample.lessons, sample.lengths[drawn % sample.lengths.length]!)
    if (found !== null) lessons.push(found)
  }
  if (isHopeless()) return { draw: () => null, plentiful: false }
  const reader = pairReader(sample.members, language.grammar.terminals.length, COUNTED, lessons)
  return {
    draw(stream, length) {
      const pair = propose(stream, length)
      return pair !== null && float(stream) < reader.chance(pair)
        ? { member: pair.member, twin: pair.other, k: pair.k }
        : null
    },
    plentiful: lessons.length * reader.mean >= drawn * rules.share,
  }
}

/** Orders up to the least that pairs share are equal. */
const COUNTED: ReaderOptions = { orders: [3, 5], periods: [] }

/** The first string outside that a swap of the member makes, at the highest order that has one. */
function proposalFor(
  member: Int32Array,
  stream: Stream,
  accepts: Accepts,
  { least, most }: MatchedPairRules,
  findSwaps: SwapFinder,
): Proposal | null {
  const other = new Int32Array(member.length)
  for (let k = most; k >= least; k--) {
    const drawSwap = findSwaps(member, k)
    if (drawSwap === null) continue
    let recognised = 0
    for (let tried = 0; tried < MAX_SWAPS && recognised < MAX_RECOGNISED; tried++) {
      const swap = drawSwap(stream)
      if (swap === null) continue
      applySwap(member, swap, other)
      recognised++
      if (!accepts(other)) return { member, other, from: swap.p, to: swap.y, k }
    }
  }
  return null
}
