import type { Stream } from './streams.ts'

/** Exact, unbiased distributions over a {@link Stream}. Decisions use integers, never floats. */

/**
 * Uniform on the multiples of 2^-53 in [0, 1).
 *
 * @example
 * import { float, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * console.log(float(namedStream('my study')) < 1) // true
 */
export function float(stream: Stream): number {
  const high = stream.u32() >>> 5
  return (high * 67108864 + (stream.u32() >>> 6)) / 9007199254740992
}

/**
 * The top bit of one draw.
 *
 * @example
 * import { coin, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * console.log(coin(namedStream('my study')) ? 'heads' : 'tails')
 */
export const coin = (stream: Stream): boolean => stream.u32() >= 2147483648

const WORD = 4294967296

/** Largest n whose product with a 32-bit integer is exact in a double. */
const EXACT = 2 ** 21

/**
 * Uniform on 0..n-1, for an integer 1 <= n <= 2^53. Lemire's method up to 2^32, rejection above.
 *
 * @example
 * import { below, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * const die = below(namedStream('my study'), 6) + 1 // 1 to 6
 */
export function below(stream: Stream, n: number): number {
  if (!Number.isSafeInteger(n) && n !== 2 ** 53) throw new RangeError(`below(n) needs an integer 1..2^53, got ${n}`)
  if (n < 1) throw new RangeError(`below(n) needs an integer 1..2^53, got ${n}`)
  if (n > WORD) return wide(stream, n)
  for (;;) {
    const x = stream.u32()
    let high: number
    let low: number
    if (n <= EXACT) {
      high = Math.floor((x * n) / WORD)
      low = x * n - high * WORD
    } else {
      // The 64-bit product x * n from the 16-bit halves of x: partial products stay below 2^48 + 2^32.
      const lowPart = (x & 0xffff) * n
      const highPart = (x >>> 16) * n + Math.floor(lowPart / 65536)
      high = Math.floor(highPart / 65536)
      low = (highPart % 65536) * 65536 + (lowPart % 65536)
    }
    // The threshold is below n, so the remainder is needed only for products below n.
    if (low >= n || low >= (WORD - n) % n) return high
  }
}

function wide(stream: Stream, n: number): number {
  const limit = 9007199254740992 - (9007199254740992 % n)
  for (;;) {
    const value = (stream.u32() >>> 11) * WORD + stream.u32()
    if (value < limit) return value % n
  }
}

/**
 * Uniform on 0..n-1 for a bigint n >= 1: random bytes under the bit mask, redrawn while too large.
 *
 * @example
 * import { belowBig, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * const one = belowBig(namedStream('my study'), 10n ** 30n)
 */
export function belowBig(stream: Stream, n: bigint): bigint {
  if (n < 1n) throw new RangeError(`belowBig(n) needs n >= 1, got ${n}`)
  const bits = (n - 1n).toString(2).length
  const mask = (1n << BigInt(bits)) - 1n
  for (;;) {
    let value = 0n
    for (let have = 0; have < bits; have += 32) value = (value << 32n) | BigInt(stream.u32())
    value &= mask
    if (value < n) return value
  }
}

/**
 * An integer from low..high, both included.
 *
 * @example
 * import { between, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * const length = between(namedStream('my study'), 3, 12)
 */
export const between = (stream: Stream, low: number, high: number): number => low + below(stream, high - low + 1)

/**
 * One element of a non-empty list.
 *
 * @example
 * import { namedStream, pick } from '@touchstone-eval/touchstone/task'
 *
 * const colour = pick(namedStream('my study'), ['red', 'green', 'blue'])
 */
export function pick<T>(stream: Stream, list: readonly T[]): T {
  if (list.length === 0) throw new RangeError('pick needs a non-empty list')
  return list[below(stream, list.length)] as T
}

/**
 * Fisher-Yates from the top; returns a new array.
 *
 * @example
 * import { namedStream, shuffle } from '@touchstone-eval/touchstone/task'
 *
 * const order = shuffle(namedStream('my study'), ['a', 'b', 'c'])
 */
export function shuffle<T>(stream: Stream, list: readonly T[]): T[] {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(stream, i + 1)
    const kept = out[i] as T
    out[i] = out[j] as T
    out[j] = kept
  }
  return out
}

/**
 * k distinct elements in random order, without replacement; `k <= list.length`.
 *
 * @example
 * import { namedStream, sample } from '@touchstone-eval/touchstone/task'
 *
 * const [first, second] = sample(namedStream('my study'), ['a', 'b', 'c'], 2)
 */
export function sample<T>(stream: Stream, list: readonly T[], k: number): T[] {
  const chosen = sampleIndices(stream, list.length, k) as unknown[]
  for (let i = 0; i < k; i++) chosen[i] = list[chosen[i] as number]
  return chosen as T[]
}

/**
 * k distinct integers of 0..n-1 in random order.
 *
 * @example
 * import { namedStream, sampleIndices } from '@touchstone-eval/touchstone/task'
 *
 * const chosen = sampleIndices(namedStream('my study'), 1000, 3)
 */
export function sampleIndices(stream: Stream, n: number, k: number): number[] {
  if (k > n) throw new RangeError(`cannot sample ${k} of ${n} without replacement`)
  // Preallocated: growing the array would take twice the memory.
  const drawn: number[] = new Array(k)
  for (let i = 0; i < k; i++) drawn[i] = i + below(stream, n - i)
  return n > LISTED && n > 4 * k ? fewOfMany(drawn) : firstShuffled(n, drawn)
}

/** Up to this n, or if most are drawn, the whole array is shuffled; above it only moved elements are stored. */
const LISTED = 4096

const inOrder = (n: number): Uint32Array => Uint32Array.from({ length: n }, (_, i) => i)

/** A reusable identity array, restored after each use, and the positions that differ meanwhile. */
const [places, touched] = [inOrder(LISTED), new Uint32Array(LISTED)]

/** The first elements of a Fisher-Yates shuffle from the bottom that swaps position i with `drawn[i]`. */
function firstShuffled(n: number, drawn: number[]): number[] {
  const [at, moved] = n > LISTED ? [inOrder(n), new Uint32Array(n)] : [places, touched]
  for (let i = 0; i < drawn.length; i++) {
    const j = drawn[i] as number
    moved[i] = j
    drawn[i] = at[j] as number
    at[j] = at[i] as number
  }
  for (let i = 0; i < drawn.length; i++) at[moved[i] as number] = moved[i] as number
  return drawn
}

/** The same result, storing only moved elements. */
function fewOfMany(drawn: number[]): number[] {
  const moved = new Map<number, number>()
  return drawn.map((j, i) => {
    const found = moved.get(j) ?? j
    moved.set(j, moved.get(i) ?? i)
    return found
  })
}

/**
 * An index drawn with probability weight / sum. Weights are non-negative integers with a positive sum below 2^53.
 * @throws RangeError for others.
 *
 * @example
 * import { namedStream, weighted } from '@touchstone-eval/touchstone/task'
 *
 * const index = weighted(namedStream('my study'), [1, 3]) // 1 three times as often as 0
 */
export function weighted(stream: Stream, weights: readonly number[]): number {
  let total = 0
  for (const weight of weights) {
    if (!Number.isSafeInteger(weight) || weight < 0) throw unweighable(weight)
    total += weight
  }
  if (total === 0 || !Number.isSafeInteger(total)) throw unweighable(total)
  let left = below(stream, total)
  let i = 0
  for (left -= weights[0] as number; left >= 0; left -= weights[i] as number) i++
  return i
}

const unweighable = (got: number): RangeError =>
  new RangeError(`weighted needs integers from 0 with a positive sum below 2^53, got ${got}`)
