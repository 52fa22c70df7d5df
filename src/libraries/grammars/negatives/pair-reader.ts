import { pairwiseLogit, sigmoid } from './pairwise-logit.ts'
import type { SegmentSwap } from './segment-swap.ts'

/** A string of a language and the one outside that a swap makes of it. */
export interface ReadPair {
  readonly member: Int32Array
  readonly twin: Int32Array
  readonly swap: SegmentSwap
}

/** Judges without parsing which of two strings is in the language. */
export interface PairReader {
  /** The probability, as the reader sees it, that the twin is the member. */
  chance(pair: ReadPair): number
  /** Mean chance of the pairs that the reader was calibrated on. */
  readonly mean: number
}

export interface ReaderOptions {
  /** lengths of the n-grams that are counted */
  readonly orders: readonly [least: number, most: number]
  /** classes of distances at which pairs of tokens are counted: at distances 2, 3 and so on, to the last */
  readonly apart: readonly number[]
  /** counts tokens by their place modulo each of these, too */
  readonly periods: readonly number[]
}

/** Slots for what members hold; where hashes meet, something that they do not hold looks as if they did. */
const SLOT_BITS = 20
const SLOT = (1 << SLOT_BITS) - 1
/** Slots for weights of single counts. */
const WEIGHT_BITS = 16
const WEIGHTS = 1 << WEIGHT_BITS

/** Kinds of counts. N-grams have a channel for each order. */
const [START, END, FIFTH, PERIOD, APART, REPEATED, ORDER, GRAMS] = [0, 1, 2, 3, 4, 5, 6, 7]
/** Places from either end up to this number are counted. */
const PLACES = 12

/**
 * Coarse features of each kind of count: summed level (twice the logarithm of how often members hold it), how many
 * members never hold, how many one member holds once, the sign of the second, and the least level.
 */
const FEATURES = 5
/** Members whose tokens are counted by their order. */
const ORDERED = 1500
const MAX_LEVEL = 31
/** Fine scores: of tokens by place, of tokens some places apart, and of n-grams. Order has coarse features alone. */
const FINE = 3

const RIDGE = 1
const EPOCHS = 5
const RATE = 0.03
const DECAY = 0.002

const mix = (a: number, b: number): number => {
  const x = Math.imul(a ^ b, 0x9e3779b1)
  return x ^ (x >>> 15)
}

/** A slot in the low bits, its channel above. */
const codeOf = (channel: number, hash: number): number =>
  (channel << SLOT_BITS) | (Math.imul(hash ^ channel, 0x85ebca6b) >>> (32 - SLOT_BITS))

/** Kept for all readers, since to allocate them takes longer than to use them. `held` is 0 between calls. */
const held = new Int32Array(1 << SLOT_BITS)
const squares = new Float32Array(WEIGHTS)
let places = new Uint16Array(1 << 18)
let values = new Int16Array(1 << 18)
let kinds = new Uint8Array(1 << 18)
/** What a string holds, an entry each time. */
let listed = new Int32Array(1 << 12)
/** The distinct slots of a pair as they are met, and their counts. */
let codes = new Int32Array(1 << 12)
let counts = new Int32Array(1 << 12)
/** Finds a slot among them by open addressing: its number from 1. Far smaller than a count for every slot, so that it stays in the fastest cache. */
let numbers = new Int32Array(1 << 13)

/** Where the segments of a string and of its twin begin, and the last ends: other counts are the same in both. */
const cutsOfMember = ({ p, x, q, y }: SegmentSwap): Int32Array => Int32Array.of(p, x, q, y)
const cutsOfTwin = ({ p, x, q, y }: SegmentSwap): Int32Array => Int32Array.of(p, p + y - q, p + y - x, y)

/**
 * A reader that learns from pairs: logistic regression on differences of counts of tokens by place, of tokens some
 * places apart, of order, and of n-grams. Coarse weights say how much it matters that counts are of what is frequent in
 * members; fine weights belong to single counts. Each half of the pairs gives fine weights, which are tried on the other
 * half; from all pairs follow the coarse weights and how far the fine ones of each sort are to be trusted. Arithmetic in a
 * fixed order only: the same everywhere.
 */
export function pairReader(
  members: readonly Int32Array[],
  terminals: number,
  { orders: [least, most], apart, periods }: ReaderOptions,
  lessons: readonly ReadPair[],
): PairReader {
  const channels = GRAMS + most - least + 1
  const size = FEATURES * channels
  const farthest = apart.length + 1
  const levels = new Uint8Array(1 << SLOT_BITS)
  /** By channel, the fine score that its counts add to. */
  const fineOf = Uint8Array.from({ length: channels }, (_, c) => (c < APART ? 0 : c < ORDER ? 1 : 2))
  const lowest = { member: new Uint8Array(channels), twin: new Uint8Array(channels) }

  /**
   * Lists what a string holds across its cuts, or at places between them, but order; its number. A string that is cut
   * between all its tokens is listed whole.
   */
  function list(tokens: Int32Array, cuts: Int32Array): number {
    const n = tokens.length
    const from = cuts[0]!
    const to = cuts[cuts.length - 1]!
    const span = to - from
    const across = farthest * (farthest + 1) + (most - least + 1) * most
    listed = atLeast(listed, span * (3 + periods.length + span) + cuts.length * across)
    const out = listed
    let end = 0
    for (let i = from; i < to; i++) {
      const token = mix(1, tokens[i]!)
      out[end++] = codeOf(START, mix(token, i < PLACES ? i : PLACES))
      out[end++] = codeOf(END, mix(token, n - 1 - i < PLACES ? n - 1 - i : PLACES))
      out[end++] = codeOf(FIFTH, mix(token, Math.floor((5 * i) / n)))
      for (const period of periods) out[end++] = codeOf(PERIOD, mix(mix(token, period), i % period))
    }
    for (let d = 1; d <= farthest; d++) {
      let i = 0
      for (let c = 0; c < cuts.length; c++)
        for (i = Math.max(i, cuts[c]! - d); i < cuts[c]! && i + d < n; i++) {
          if (d > 1) out[end++] = codeOf(APART, mix(mix(mix(2, tokens[i]!), tokens[i + d]!), apart[d - 2]!))
          if (tokens[i] === tokens[i + d]) out[end++] = codeOf(REPEATED, d)
        }
    }
    for (let length = least; length <= most; length++) {
      let at = 1 - length
      for (let c = 0; c < cuts.length; c++)
        for (at = Math.max(at, cuts[c]! - length + 1); at < cuts[c]!; at++) {
          let hash = length
          for (let i = at; i < at + length; i++) hash = mix(hash, i < 0 || i >= n ? terminals : tokens[i]!)
          out[end++] = codeOf(GRAMS + length - least, hash)
        }
    }
    return end
  }

  /** Lists the order of tokens of different segments after what is listed; the number of all. */
  function listOrder(tokens: Int32Array, cuts: Int32Array, start: number): number {
    const out = listed
    const to = cuts[cuts.length - 1]!
    let end = start
    for (let s = 0; s < cuts.length - 2; s++)
      for (let i = cuts[s]!; i < cuts[s + 1]!; i++) {
        const token = mix(3, tokens[i]!)
        for (let j = cuts[s + 1]!; j < to; j++) out[end++] = codeOf(ORDER, mix(token, tokens[j]!))
      }
    return end
  }

  const everywhere = Int32Array.from(
    { length: members.reduce((n, one) => Math.max(n, one.length), 0) + 1 },
    (_, i) => i,
  )
  for (let m = 0; m < members.length; m++) {
    const tokens = members[m]!
    const cuts = everywhere.subarray(0, tokens.length + 1)
    const fine = list(tokens, cuts)
    const all = m < ORDERED ? listOrder(tokens, cuts, fine) : fine
    for (let i = 0; i < all; i++) held[listed[i]! & SLOT]!++
  }
  for (let slot = 0; slot <= SLOT; slot++) {
    const times = held[slot]!
    if (times === 0) continue
    const octave = 31 - Math.clz32(times)
    levels[slot] = Math.min(MAX_LEVEL, 2 + 2 * octave + (octave > 0 ? (times >> (octave - 1)) & 1 : 0))
  }
  held.fill(0)

  /** Adds what is listed to coarse sums and fine scores. */
  function add(fine: number, all: number, by: number, weights: Float32Array, sums: Float64Array, low: Uint8Array) {
    const entries = listed
    low.fill(MAX_LEVEL)
    for (let i = 0; i < all; i++) {
      const code = entries[i]!
      const level = levels[code & SLOT]!
      const channel = code >> SLOT_BITS
      const feature = FEATURES * channel
      sums[feature]! += (by * level) / 8
      if (level === 0) sums[feature + 1]! += by
      else if (level === 2) sums[feature + 2]! += by
      if (level < low[channel]!) low[channel] = level
      if (i < fine) sums[size + fineOf[channel]!]! += by * weights[code & (WEIGHTS - 1)]!
    }
  }

  /** The coarse differences of a pair, twin minus member, and its fine scores. */
  function read({ member, twin, swap }: ReadPair, weights: Float32Array, sums: Float64Array): Float64Array {
    sums.fill(0)
    const cutsThere = cutsOfTwin(swap)
    const there = list(twin, cutsThere)
    add(there, listOrder(twin, cutsThere, there), 1, weights, sums, lowest.twin)
    const cutsHere = cutsOfMember(swap)
    const here = list(member, cutsHere)
    add(here, listOrder(member, cutsHere, here), -1, weights, sums, lowest.member)
    for (let channel = 0; channel < channels; channel++) {
      const feature = FEATURES * channel
      sums[feature + 3] = Math.sign(sums[feature + 1]!)
      sums[feature + 4] = (lowest.twin[channel]! - lowest.member[channel]!) / 8
    }
    return sums
  }

  /** Counts what a string holds, order apart, after `met` slots of its pair; how many are met then. */
  function count(tokens: Int32Array, cuts: Int32Array, by: number, met: number): number {
    const entries = list(tokens, cuts)
    const enough = met + entries
    codes = atLeast(codes, enough)
    counts = atLeast(counts, enough)
    const [found, known, sums, table] = [listed, codes, counts, numbers]
    const mask = table.length - 1
    let end = met
    for (let i = 0; i < entries; i++) {
      const code = found[i]!
      let at = code & mask
      let number = table[at]!
      while (number !== 0 && known[number - 1] !== code) {
        at = (at + 1) & mask
        number = table[at]!
      }
      if (number > 0) sums[number - 1]! += by
      else {
        known[end] = code
        sums[end++] = by
        table[at] = end
      }
    }
    return end
  }

  /** Writes the differences of a pair in single counts from `start` on; where they end. */
  function compare({ member, twin, swap }: ReadPair, start: number): number {
    // At least twice as many as can be met, whose number is at most that of both strings.
    const room =
      2 << (32 - Math.clz32(2 * member.length * (3 + periods.length) + 8 * farthest * farthest + 8 * most * most))
    if (numbers.length < room) numbers = new Int32Array(room)
    else numbers.fill(0)
    const met = count(member, cutsOfMember(swap), -1, count(twin, cutsOfTwin(swap), 1, 0))
    places = atLeast(places, start + met)
    values = atLeast(values, start + met)
    kinds = atLeast(kinds, start + met)
    let end = start
    for (let i = 0; i < met; i++) {
      if (counts[i] === 0) continue
      places[end] = codes[i]! & (WEIGHTS - 1)
      kinds[end] = fineOf[codes[i]! >> SLOT_BITS]!
      values[end++] = counts[i]!
    }
    return end
  }

  const none = new Float32Array(WEIGHTS)
  const differences = lessons.map((pair) => read(pair, none, new Float64Array(size + FINE)))
  const coarse = pairwiseLogit(differences, size, RIDGE)
  const ends = [0]
  for (const pair of lessons) ends.push(compare(pair, ends.at(-1)!))

  /** Fine weights from some lessons, by gradient steps on what coarse scores leave. */
  function fineWeights(first: number, last: number): Float32Array {
    const weights = new Float32Array(WEIGHTS)
    const scores = differences.map((sums) => dot(coarse, sums))
    const [at, by] = [places, values]
    squares.fill(1)
    for (let epoch = 0; epoch < EPOCHS; epoch++)
      for (let lesson = first; lesson < last; lesson++) {
        const [from, to] = [ends[lesson]!, ends[lesson + 1]!]
        let score = scores[lesson]!
        for (let i = from; i < to; i++) score += weights[at[i]!]! * by[i]!
        const p = sigmoid(score)
        for (let i = from; i < to; i++) {
          const place = at[i]!
          const slope = p * by[i]! + DECAY * weights[place]!
          squares[place]! += slope * slope
          weights[place]! -= (RATE * slope) / Math.sqrt(squares[place]!)
        }
      }
    return weights
  }

  const middle = lessons.length >> 1
  const early = fineWeights(0, middle)
  const late = fineWeights(middle, lessons.length)
  for (let lesson = 0; lesson < lessons.length; lesson++) {
    const weights = lesson < middle ? late : early
    for (let i = ends[lesson]!; i < ends[lesson + 1]!; i++)
      differences[lesson]![size + kinds[i]!]! += weights[places[i]!]! * values[i]!
  }
  const weights = pairwiseLogit(differences, size + FINE, RIDGE, coarse)
  const fine = early.map((weight, i) => (weight + late[i]!) / 2)
  for (let i = size; i < size + FINE; i++) weights[i] = trustInMean(weights[i]!)
  const sums = new Float64Array(size + FINE)
  return {
    chance: (pair) => sigmoid(dot(weights, read(pair, fine, sums))),
    mean: differences.reduce((sum, own) => sum + sigmoid(dot(weights, own)), 0) / Math.max(1, lessons.length),
  }
}

/** How far the mean of two scores is to be trusted, given one score's share of truth (Spearman 1910, Brown 1910). */
const trustInMean = (share: number): number => (share > 0 && share < 1 ? (2 * share) / (1 + share) : share)

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** The array, or one of twice this length with the same beginning. */
function atLeast<A extends Int32Array | Uint16Array | Int16Array | Uint8Array>(array: A, length: number): A {
  if (array.length >= length) return array
  const out = new (array.constructor as new (length: number) => A)(2 * length)
  out.set(array)
  return out
}
