import { pairwiseLogit, sigmoid } from './pairwise-logit.ts'

/** A string of a language and one outside of the same length, equal but for the tokens in [from, to). */
export interface ReadPair {
  readonly member: Int32Array
  readonly other: Int32Array
  readonly from: number
  readonly to: number
}

/** Judges without parsing which of two strings is in the language. */
export interface PairReader {
  /** The probability, as the reader sees it, that `other` is the member. */
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
/** Slots for weights of single counts. */
const WEIGHT_BITS = 16
const WEIGHTS = 1 << WEIGHT_BITS

/** Kinds of counts. N-grams have a channel for each order. */
const [START, END, FIFTH, APART, REPEATED, ORDER, PERIOD, GRAMS] = [0, 1, 2, 3, 4, 5, 6, 7]
/** Places from either end up to this number are counted. */
const PLACES = 12

/**
 * Coarse features of each kind of count: summed level (twice the logarithm of how often members hold it), how many
 * members never hold, how many one member holds once, and the sign of the second.
 */
const FEATURES = 4
const MAX_LEVEL = 31

/** Pairs that weights are fitted to; the rest calibrate them. */
const FITTED = 0.7
const RIDGE = 1
const EPOCHS = 5
const RATE = 0.03
const DECAY = 0.002

const mix = (a: number, b: number): number => {
  const x = Math.imul(a ^ b, 0x9e3779b1)
  return x ^ (x >>> 15)
}

/** Kept for all readers, since to allocate it takes longer than to use it. Counts are 0 between calls. */
const counts = new Int32Array(1 << SLOT_BITS)
const squares = new Float32Array(WEIGHTS)
let touched = new Int32Array(1 << 12)
let places = new Uint16Array(1 << 18)
let values = new Int16Array(1 << 18)

/**
 * A reader that learns from pairs: logistic regression on differences of counts of tokens by place, of tokens some
 * places apart, of order, and of n-grams. A few coarse weights, fitted first, say how much it matters that counts are of
 * what is frequent in members; fine weights belong to single counts. Both are scaled by pairs that they were not fitted
 * to. Arithmetic in a fixed order only: the same everywhere.
 */
export function pairReader(
  members: readonly Int32Array[],
  terminals: number,
  { orders: [least, most], apart, periods }: ReaderOptions,
  lessons: readonly ReadPair[],
): PairReader {
  const size = FEATURES * (GRAMS + most - least + 1)
  const farthest = apart.length + 1
  const levels = new Uint8Array(1 << SLOT_BITS)
  const fine = new Float32Array(WEIGHTS)
  let touchedCount = 0

  /** Notes a slot, with its channel, when it is first counted into. */
  function count(channel: number, hash: number, by: number): void {
    const slot = Math.imul(hash ^ channel, 0x85ebca6b) >>> (32 - SLOT_BITS)
    const before = counts[slot]!
    if (before === 0) {
      if (touchedCount === touched.length) touched = enlarged(touched)
      touched[touchedCount++] = (channel << SLOT_BITS) | slot
    }
    counts[slot] = before + by
  }

  /** Counts all that can differ between a string and one that is equal outside of [from, to). */
  function countAll(tokens: Int32Array, from: number, to: number, by: number): void {
    const n = tokens.length
    for (let i = from; i < to; i++) {
      const token = mix(1, tokens[i]!)
      count(START, mix(token, i < PLACES ? i : PLACES), by)
      count(END, mix(token, n - 1 - i < PLACES ? n - 1 - i : PLACES), by)
      count(FIFTH, mix(token, Math.floor((5 * i) / n)), by)
      for (const period of periods) count(PERIOD, mix(mix(token, period), i % period), by)
      for (let j = i + 1; j < to; j++) count(ORDER, mix(token, tokens[j]!), by)
    }
    for (let i = Math.max(0, from - farthest); i < to; i++) {
      const first = mix(2, tokens[i]!)
      for (let d = Math.max(1, from - i); d <= farthest && i + d < n; d++) {
        if (d > 1) count(APART, mix(mix(first, tokens[i + d]!), apart[d - 2]!), by)
        if (tokens[i] === tokens[i + d]) count(REPEATED, d, by)
      }
    }
    for (let length = least; length <= most; length++)
      for (let at = from - length + 1; at < to; at++) {
        let hash = length
        for (let i = at; i < at + length; i++) hash = mix(hash, i < 0 || i >= n ? terminals : tokens[i]!)
        count(GRAMS + length - least, hash, by)
      }
  }

  for (const tokens of members) countAll(tokens, 0, tokens.length, 1)
  for (let i = 0; i < touchedCount; i++) {
    const slot = touched[i]! & (counts.length - 1)
    const held = counts[slot]!
    const octave = 31 - Math.clz32(held)
    levels[slot] = Math.min(MAX_LEVEL, 2 + 2 * octave + (octave > 0 ? (held >> (octave - 1)) & 1 : 0))
    counts[slot] = 0
  }

  /** Writes the differences of a pair, other minus member, from `start` on, and their coarse sums; where they end. */
  function compare({ member, other, from, to }: ReadPair, start: number, sums: Float64Array): number {
    touchedCount = 0
    countAll(other, from, to, 1)
    countAll(member, from, to, -1)
    while (start + touchedCount > places.length) {
      places = enlarged(places)
      values = enlarged(values)
    }
    sums.fill(0)
    let end = start
    for (let i = 0; i < touchedCount; i++) {
      const slot = touched[i]! & (counts.length - 1)
      const value = counts[slot]!
      if (value === 0) continue
      counts[slot] = 0
      places[end] = slot & (WEIGHTS - 1)
      values[end++] = value
      const feature = FEATURES * (touched[i]! >> SLOT_BITS)
      const level = levels[slot]!
      sums[feature]! += (value * level) / 8
      if (level === 0) sums[feature + 1]! += value
      else if (level === 2) sums[feature + 2]! += value
    }
    for (let feature = 0; feature < size; feature += FEATURES) sums[feature + 3] = Math.sign(sums[feature + 1]!)
    return end
  }

  function fineScore(start: number, end: number): number {
    let sum = 0
    for (let i = start; i < end; i++) sum += fine[places[i]!]! * values[i]!
    return sum
  }

  const ends: number[] = [0]
  const coarseSums: Float64Array[] = []
  for (const pair of lessons) {
    const sums = new Float64Array(size)
    ends.push(compare(pair, ends.at(-1)!, sums))
    coarseSums.push(sums)
  }
  const fitted = Math.floor(FITTED * coarseSums.length)
  const coarse = pairwiseLogit(coarseSums.slice(0, fitted), size, RIDGE)
  const coarseScores = coarseSums.map((sums) => dot(coarse, sums))

  squares.fill(1)
  for (let epoch = 0; epoch < EPOCHS; epoch++)
    for (let lesson = 0; lesson < fitted; lesson++) {
      const end = ends[lesson + 1]!
      const p = sigmoid(coarseScores[lesson]! + fineScore(ends[lesson]!, end))
      for (let i = ends[lesson]!; i < end; i++) {
        const place = places[i]!
        const slope = p * values[i]! + DECAY * fine[place]!
        squares[place]! += slope * slope
        fine[place]! -= (RATE * slope) / Math.sqrt(squares[place]!)
      }
    }

  const rest = coarseScores
    .map((score, lesson) => Float64Array.of(score, fineScore(ends[lesson]!, ends[lesson + 1]!)))
    .slice(fitted)
  const scales = pairwiseLogit(rest, 2, 0.01)
  const sums = new Float64Array(size)
  return {
    chance(pair) {
      const end = compare(pair, 0, sums)
      return sigmoid(scales[0]! * dot(coarse, sums) + scales[1]! * fineScore(0, end))
    },
    mean: rest.reduce((sum, scores) => sum + sigmoid(dot(scales, scores)), 0) / Math.max(1, rest.length),
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!
  return sum
}

/** Twice as long, with the same beginning. */
function enlarged<A extends Int32Array | Uint16Array | Int16Array>(array: A): A {
  const out = new (array.constructor as new (length: number) => A)(2 * array.length)
  out.set(array)
  return out
}
