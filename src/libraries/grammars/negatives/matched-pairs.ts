import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { pairReader, type ReaderOptions, type ReadPair } from './pair-reader.ts'
import { applySwap, type SwapFinder, swapFinder } from './segment-swap.ts'

/** A pair with equal counts of all n-grams up to order k, both ends of the string included. */
export interface MatchedPair extends ReadPair {
  readonly k: number
}

/** Draws a member of a length and searches for its match, both `allowed`; null where none was found, or kept. */
export type MatchedPairSampler = (
  stream: Stream,
  length: number,
  allowed?: (tokens: Int32Array) => boolean,
) => MatchedPair | null

/** A language to draw pairs from. */
export interface PairedLanguage {
  /** how many terminals it has */
  readonly terminals: number
  /** a member, of this length where the language is sampled by length; null where a draw has none to offer */
  sample(stream: Stream, length: number): Int32Array | null
  accepts(tokens: Int32Array): boolean
}

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
  /** what the reader that keeps pairs counts */
  readonly counted: ReaderOptions
}

/** Swaps tried for one member and order, and how many of them the recogniser decides. */
const MAX_SWAPS = 24
const MAX_RECOGNISED = 3

/** Members drawn for a pair to learn from, at most, on average; and those drawn before a language with next to no pairs is given up. */
const MAX_DRAWS = 4
const MIN_DRAWS = 120

/**
 * Pairs of one language. `lengths` are those to learn from, `members` draws a sample of the language where pairs are enough, `lessons` the random
 * stream of learning: the same language always gives the same reader. A pair is kept with the odds that the reader takes
 * the string outside for the member, so that among kept pairs one is as likely as the other to be either.
 */
export function matchedPairSampler(
  language: PairedLanguage,
  rules: MatchedPairRules,
  sample: {
    readonly lengths: readonly number[]
    readonly members: () => readonly Int32Array[]
    readonly lessons: Stream
  },
): LearnedSampler {
  const findSwaps = swapFinder(language.terminals)
  const propose: MatchedPairSampler = (stream, length, allowed = () => true) => {
    const member = language.sample(stream, length)
    return member !== null && allowed(member) ? matchOf(member, stream, language, rules, findSwaps, allowed) : null
  }
  const lessons: MatchedPair[] = []
  let drawn = 0
  const isHopeless = (): boolean => drawn >= MIN_DRAWS && lessons.length < drawn * rules.share
  for (; drawn < MAX_DRAWS * rules.lessons && lessons.length < rules.lessons && !isHopeless(); drawn++) {
    const found = propose(sample.lessons, sample.lengths[drawn % sample.lengths.length]!)
    if (found !== null) lessons.push(found)
  }
  if (isHopeless()) return { draw: () => null, plentiful: false }
  const reader = pairReader(sample.members(), language.terminals, rules.counted, lessons)
  return {
    draw(stream, length, allowed) {
      const pair = propose(stream, length, allowed)
      return pair !== null && float(stream) < reader.chance(pair) ? pair : null
    },
    plentiful: lessons.length * reader.mean >= drawn * rules.share,
  }
}

/** The first string outside that a swap of the member makes, at the highest order that has one. */
function matchOf(
  member: Int32Array,
  stream: Stream,
  language: PairedLanguage,
  { least, most }: MatchedPairRules,
  findSwaps: SwapFinder,
  allowed: (tokens: Int32Array) => boolean,
): MatchedPair | null {
  const twin = new Int32Array(member.length)
  for (let k = most; k >= least; k--) {
    const drawSwap = findSwaps(member, k)
    if (drawSwap === null) continue
    let recognised = 0
    for (let tried = 0; tried < MAX_SWAPS && recognised < MAX_RECOGNISED; tried++) {
      const swap = drawSwap(stream)
      if (swap === null) continue
      applySwap(member, swap, twin)
      if (!allowed(twin)) continue
      recognised++
      if (!language.accepts(twin)) return { member, twin, k, swap }
    }
  }
  return null
}
