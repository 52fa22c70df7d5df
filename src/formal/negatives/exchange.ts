import { below } from '../../core/random.ts'
import type { Stream } from '../../core/stream.ts'

/**
 * An exchange of two segments, w[p,x) and w[q,y) with p < x <= q < y, where the k - 1 tokens before p and q are equal and
 * those before x and y are. Seen as a walk over contexts of k - 1 tokens the string takes the same steps in another
 * order, so all k-gram counts stay, those over both ends of the string included.
 */
export interface Exchange {
  readonly p: number
  readonly x: number
  readonly q: number
  readonly y: number
}

/** Draws exchanges of one string; null where a draw found none. */
export type ExchangeSampler = (stream: Stream) => Exchange | null

/** The string after an exchange. */
export function exchanged(tokens: Int32Array, { p, x, q, y }: Exchange): Int32Array {
  const out = tokens.slice()
  out.set(tokens.subarray(q, y), p)
  out.set(tokens.subarray(x, q), p + y - q)
  out.set(tokens.subarray(p, x), p + y - x)
  return out
}

/** Draws exchanges that keep k-gram counts; null where the string has no two places of equal context. `k` is 2 or more. */
export function exchangeSampler(tokens: Int32Array, k: number): ExchangeSampler | null {
  const n = tokens.length
  const { context, places } = contextsOf(tokens, k - 1)
  const starts: number[] = []
  for (let at = 0; at < n; at++) if (places[context[at]!]!.at(-1)! > at) starts.push(at)
  if (starts.length === 0) return null

  /** A random place after `least` with the context of `at`, or -1. */
  function later(stream: Stream, at: number, least: number): number {
    const own = places[context[at]!]!
    let first = own.length
    while (first > 0 && own[first - 1]! > least) first--
    return first === own.length ? -1 : own[first + below(stream, own.length - first)]!
  }

  return (stream) => {
    const p = starts[below(stream, starts.length)]!
    const q = later(stream, p, p)
    if (q === n) return null
    const x = p + 1 + below(stream, q - p)
    const y = later(stream, x, q)
    if (y < 0 || sameSegment(tokens, p, x, q, y)) return null
    return { p, x, q, y }
  }
}

/** Is nothing changed by the exchange? */
function sameSegment(tokens: Int32Array, p: number, x: number, q: number, y: number): boolean {
  if (x - p !== y - q) return false
  for (let i = 0; i < x - p; i++) if (tokens[p + i] !== tokens[q + i]) return false
  return true
}

/** The places 0..n of a string by the `size` tokens before them; the string's beginning is unlike any token. */
interface Contexts {
  /** for every place, the number of its context */
  readonly context: Int32Array
  /** for every context its places, ascending */
  readonly places: readonly (readonly number[])[]
}

function contextsOf(tokens: Int32Array, size: number): Contexts {
  const n = tokens.length
  const context = new Int32Array(n + 1)
  const places: number[][] = []
  for (let at = 0; at <= n; at++) {
    let known = at < size ? places.length : size
    for (; known < places.length; known++) {
      const place = places[known]![0]!
      let same = 0
      while (same < size && tokens[at - 1 - same] === tokens[place - 1 - same]) same++
      if (same === size) break
    }
    if (known === places.length) places.push([])
    context[at] = known
    places[known]!.push(at)
  }
  return { context, places }
}
