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
const SLOT = (1 << SLOT_BITS) - 1
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

/** A slot in the low bits, its channel above. */
const codeOf = (channel: number, hash: number): number =>
  (channel << SLOT_BITS) | (Math.imul(hash ^ channel, 0x85ebca6b) >>> (32 - SLOT_BITS))

/** Kept for all readers, since to allocate them takes longer than to use them. `held` is 0 between calls. */
const held = new Int32Array(1 << SLOT_BITS)
const squares = new Float32Array(WEIGHTS)
let places = new Uint16Array(1 << 18)
let values = new Int16Array(1 << 18)
/** What a string holds, an entry each time. */
let listed = new Int32Array(1 << 12)
/** The distinct slots of a pair as they are met, each with the channel that met it first, and its count. */
let codes = new Int32Array(1 << 12)
let counts = new Int32Array(1 << 12)
/** Finds a slot among them by open addressing: its number from 1. Far smaller than a count for every slot, so that it stays in the fastest cache. */
let numbers = new Int32Array(1 << 13)

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
  /** The most that {@link listAll} can list. */
  const mostListed = (span: number): number =>
    span * (3 + periods.length + span) + (span + farthest) * 2 * farthest + (most - least + 1) * (span + most)

  /** Lists all that can differ between a string and one that is equal outside of [from, to); its number. */
  function listAll(tokens: Int32Array, from: number, to: number): number {
    const n = tokens.length
    const out = listed
    let end = 0
    for (let i = from; i < to; i++) {
      const token = mix(1, tokens[i]!)
      out[end++] = codeOf(START, mix(token, i < PLACES ? i : PLACES))
      out[end++] = codeOf(END, mix(token, n - 1 - i < PLACES ? n - 1 - i : PLACES))
      out[end++] = codeOf(FIFTH, mix(token, Math.floor((5 * i) / n)))
      for (const period of periods) out[end++] = codeOf(PERIOD, mix(mix(token, period), i % period))
      for (let j = i + 1; j < to; j++) out[end++] = codeOf(ORDER, mix(token, tokens[j]!))
    }
    for (let i = Math.max(0, from - farthest); i < to; i++) {
      const first = mix(2, tokens[i]!)
      for (let d = Math.max(1, from - i); d <= farthest && i + d < n; d++) {
        if (d > 1) out[end++] = codeOf(APART, mix(mix(first, tokens[i + d]!), apart[d - 2]!))
        if (tokens[i] === tokens[i + d]) out[end++] = codeOf(REPEATED, d)
      }
    }
    for (let length = least; length <= most; length++)
      for (let at = from - length + 1; at < to; at++) {
        let hash = length
        for (let i = at; i < at + length; i++) hash = mix(hash, i < 0 || i >= n ? terminals : tokens[i]!)
        out[end++] = codeOf(GRAMS + length - least, hash)
      }
    return end
  }

  for (const tokens of members) {
    listed = atLeast(listed, mostListed(tokens.length))
    const size = listAll(tokens, 0, tokens.length)
    for (let i = 0; i < size; i++) held[listed[i]! & SLOT]!++
  }
  held.forEach((times, slot) => {
    if (times === 0) return
    const octave = 31 - Math.clz32(times)
    levels[slot] = Math.min(MAX_LEVEL, 2 + 2 * octave + (octave > 0 ? (times >> (octave - 1)) & 1 : 0))
  })
  held.fill(0)

  /** Counts what is listed, after `met` slots of the other string; how many are met then. */
  function count(size: number, by: number, met: number, mask: number): number {
    const [list, known, sums, table] = [listed, codes, counts, numbers]
    let end = met
    for (let i = 0; i < size; i++) {
      const code = list[i]!
      let at = code & mask
      let number = table[at]!
      while (number !== 0 && ((known[number - 1]! ^ code) & SLOT) !== 0) {
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

  /** Writes the differences of a pair, other minus member, from `start` on, and their coarse sums; where they end. */
  function compare({ member, other, from, to }: ReadPair, start: number, sums: Float64Array): number {
    const enough = 2 * mostListed(to - from)
    listed = atLeast(listed, enough)
    codes = atLeast(codes, enough)
    counts = atLeast(counts, enough)
    const mask = (1 << (32 - Math.clz32(enough))) - 1
    numbers = atLeast(numbers, mask + 1)
    numbers.fill(0, 0, mask + 1)
    const half = count(listAll(other, from, to), 1, 0, mask)
    const met = count(listAll(member, from, to), -1, half, mask)
    places = atLeast(places, start + met)
    values = atLeast(values, start + met)
    const [known, by, toPlaces, toValues] = [codes, counts, places, values]
    sums.fill(0)
    let end = start
    for (let i = 0; i < met; i++) {
      const value = by[i]!
      if (value === 0) continue
      const slot = known[i]! & SLOT
      toPlaces[end] = slot & (WEIGHTS - 1)
      toValues[end++] = value
      const feature = FEATURES * (known[i]! >> SLOT_BITS)
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

/** The array, or one of twice this length with the same beginning. */
function atLeast<A extends Int32Array | Uint16Array | Int16Array>(array: A, length: number): A {
  if (array.length >= length) return array
  const out = new (array.constructor as new (length: number) => A)(2 * length)
  out.set(array)
  return out
}
