import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Language } from '../sample/language.ts'
import { applySwap, type SegmentSwap, type SwapFinder, swapFinder } from './segment-swap.ts'

/** A string of the language and one outside with equal counts of all n-grams up to order k, both ends of the string included. */
export interface MatchedPair {
  readonly member: Int32Array
  readonly twin: Int32Array
  readonly k: number
}

/** Draws a member of a length and searches for its match; null where the search found none. */
export type MatchedPairSampler = (stream: Stream, length: number) => MatchedPair | null

/** A sampler whose n-gram balance was learned. */
export interface LearnedSampler {
  readonly draw: MatchedPairSampler
  /** did the share of members that the rules ask for have a match? */
  readonly plentiful: boolean
}

export interface MatchedPairRules {
  /** orders of n-grams to keep, 2 or more: the highest at which a member has a match is taken */
  readonly least: number
  readonly most: number
  /** share of members with a match, 0..1, below which learning stops */
  readonly share: number
}

/** Swaps tried for one member and order, and how many of them the recogniser decides. */
const MAX_SWAPS = 24
const MAX_RECOGNISED = 3

/**
 * Pairs from which the balance of a grammar is learned; members drawn to find them, at most, and those drawn before a
 * language with next to no pairs is given up.
 */
const MAX_LEARNED = 300
const MAX_DRAWS = 4 * MAX_LEARNED
const MIN_DRAWS = 120

type Accepts = (tokens: ArrayLike<number>) => boolean

/**
 * Pairs of one language. `lengths` are those to learn from, `members` a sample of the language, `lessons` the random
 * stream of learning: the same grammar always gives the same balance.
 */
export function matchedPairSampler(
  language: Language,
  accepts: Accepts,
  rules: MatchedPairRules,
  sample: { readonly lengths: readonly number[]; readonly members: readonly Int32Array[]; readonly lessons: Stream },
): LearnedSampler {
  const balance = ngramBalance(sample.members, language.grammar.terminals.length)
  const findSwaps = swapFinder(language.grammar.terminals.length)
  const drawPair = (stream: Stream, length: number, step: number | null): MatchedPair | null =>
    matchFor(language.sampler.sample(stream, length), stream, accepts, rules, findSwaps, balance, step)
  let learned = 0
  let drawn = 0
  const isHopeless = (): boolean => drawn >= MIN_DRAWS && learned < drawn * rules.share
  for (; drawn < MAX_DRAWS && learned < MAX_LEARNED && !isHopeless(); drawn++) {
    const length = sample.lengths[drawn % sample.lengths.length]!
    const step = 0.5 / (1 + learned / 60)
    if (drawPair(sample.lessons, length, step) !== null) learned++
  }
  return { draw: (stream, length) => drawPair(stream, length, null), plentiful: !isHopeless() }
}

function matchFor(
  member: Int32Array,
  stream: Stream,
  accepts: Accepts,
  { least, most }: MatchedPairRules,
  findSwaps: SwapFinder,
  balance: NgramBalance,
  step: number | null,
): MatchedPair | null {
  let scratch: Int32Array | undefined
  for (let k = most; k >= least; k--) {
    const drawSwap = findSwaps(member, k)
    if (drawSwap === null) continue
    scratch ??= new Int32Array(member.length)
    let recognised = 0
    for (let tried = 0; tried < MAX_SWAPS && recognised < MAX_RECOGNISED; tried++) {
      const swap = drawSwap(stream)
      if (swap === null) continue
      const twin = applySwap(member, swap, scratch)
      if (float(stream) >= balance.chance(member, twin, swap, k)) continue
      recognised++
      if (accepts(twin)) continue
      if (step !== null) balance.learn(member, twin, swap, k, step)
      return { member, twin, k }
    }
  }
  return null
}

/**
 * Which twins to take so that the n-grams that swaps bring into strings outside the language are those that they take
 * out of strings inside it, in number. A twin is taken with odds of the product of weights of what it brings over the
 * product of weights of what it loses; weights are learned from twins that were taken, each lowered where it was brought
 * and raised where it was lost, until both are as frequent. N-grams of order 3 and 4 have a weight each, and share one with
 * those about as frequent in members. Arithmetic in a fixed order only: the same everywhere.
 */
export interface NgramBalance {
  /** The chance, 0..1, of taking this twin. */
  chance(member: Int32Array, twin: Int32Array, swap: SegmentSwap, k: number): number
  /** Learns from a twin that was taken; `step` is the share by which a weight moves, above 0 and below 1. */
  learn(member: Int32Array, twin: Int32Array, swap: SegmentSwap, k: number, step: number): void
}

const SLOTS = 1 << 15
const ORDERS = [3, 4] as const
/** Shared weights an order: by the power of two of the number of times that members of the sample hold the n-gram. */
const BINS = 12

/** A balance that knows nothing yet but `members`, strings of the language that say what is frequent there. */
export function ngramBalance(members: Iterable<Int32Array>, terminals: number): NgramBalance {
  const own = new Float64Array(SLOTS).fill(1)
  const shared = new Float64Array(ORDERS.length * BINS).fill(1)
  const counts = new Uint16Array(SLOTS)
  for (const tokens of members)
    for (const order of ORDERS)
      for (let at = 1 - order; at < tokens.length; at++) {
        const slot = slotOf(tokens, at, order)
        if (counts[slot]! < 65535) counts[slot]!++
      }

  /** N-grams whose hashes meet share a weight: one balance more or less. */
  function slotOf(tokens: Int32Array, at: number, order: number): number {
    let hash = order
    for (let i = at; i < at + order; i++) {
      const token = i < 0 || i >= tokens.length ? terminals : tokens[i]!
      hash = Math.imul(hash ^ token, 0x9e3779b1)
      hash ^= hash >>> 15
    }
    return (Math.imul(hash, 0x85ebca6b) >>> 13) & (SLOTS - 1)
  }

  const binOf = (order: number, slot: number): number =>
    (order - 3) * BINS + Math.min(BINS - 1, 32 - Math.clz32(counts[slot]!))

  /** A slot and a bin of each n-gram found last; over four seams run at most as many as their orders. */
  const found = new Int32Array(2 * 4 * (3 + 4))

  /** Finds every n-gram that runs over a seam by more than the context that both sides share; how many there are. */
  function overSeams(tokens: Int32Array, seams: readonly [number, number, number, number], k: number): number {
    let size = 0
    for (const order of ORDERS) {
      let done = -order
      for (const seam of seams)
        for (let at = Math.max(seam - order + 1, done + 1); at <= seam - k; at++) {
          const slot = slotOf(tokens, at, order)
          found[size++] = slot
          found[size++] = binOf(order, slot)
          done = at
        }
    }
    return size
  }

  function product(size: number): number {
    let weight = 1
    for (let i = 0; i < size; i += 2) weight *= own[found[i]!]! * shared[found[i + 1]!]!
    return weight
  }

  const before = ({ p, x, q, y }: SegmentSwap) => [p, x, q, y] as const
  const after = ({ p, x, q, y }: SegmentSwap) => [p, p + y - q, p + y - x, y] as const

  return {
    chance(member, twin, swap, k) {
      const brought = product(overSeams(twin, after(swap), k))
      const lost = product(overSeams(member, before(swap), k))
      return brought / (brought + lost)
    },
    learn(member, twin, swap, k, step) {
      const brought = overSeams(twin, after(swap), k)
      for (let i = 0; i < brought; i += 2) {
        own[found[i]!]! *= 1 - step
        shared[found[i + 1]!]! *= 1 - step / 4
      }
      const lost = overSeams(member, before(swap), k)
      for (let i = 0; i < lost; i += 2) {
        own[found[i]!]! /= 1 - step
        shared[found[i + 1]!]! /= 1 - step / 4
      }
    },
  }
}
