import { below } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'

/**
 * Two segments that change places, w[p,x) and w[q,y) with p < x <= q < y, where the k - 1 tokens before p and q are equal
 * and those before x and y are. Seen as a walk over contexts of k - 1 tokens the string takes the same steps in another
 * order, so all k-gram counts stay, those over both ends of the string included.
 */
export interface SegmentSwap {
  readonly p: number
  readonly x: number
  readonly q: number
  readonly y: number
}

/** Draws swaps of one string; null where a draw found none. */
export type SwapSampler = (stream: Stream) => SegmentSwap | null

/** The string after a swap, in `out` (of the same length) where given. */
export function applySwap(
  tokens: Int32Array,
  { p, x, q, y }: SegmentSwap,
  out: Int32Array = new Int32Array(tokens.length),
): Int32Array {
  const n = tokens.length
  let to = 0
  while (to < p) out[to] = tokens[to++]!
  for (let from = q; from < y; from++) out[to++] = tokens[from]!
  for (let from = x; from < q; from++) out[to++] = tokens[from]!
  for (let from = p; from < x; from++) out[to++] = tokens[from]!
  for (; to < n; to++) out[to] = tokens[to]!
  return out
}

/**
 * Finds swaps in a string that keep its k-gram counts (k >= 2): null where no two places have equal contexts. The sampler
 * is valid until the finder gets the next string.
 */
export type SwapFinder = (tokens: Int32Array, k: number) => SwapSampler | null

/**
 * A finder for strings over this number of terminals. It keeps its memory: allocating it for each string would cost more
 * than filling it.
 */
export function swapFinder(terminals: number): SwapFinder {
  let contexts = contextsFor(0, terminals)
  let starts = new Int32Array(0)
  return (tokens, k) => {
    const n = tokens.length
    if (contexts.places.length <= n) {
      contexts = contextsFor(2 * n, terminals)
      starts = new Int32Array(2 * n)
    }
    if (!findContexts(contexts, tokens, k - 1)) return null
    const { context, first, places } = contexts
    let count = 0
    for (let at = 0; at < n; at++) if (places[first[context[at]! + 1]! - 1]! > at) starts[count++] = at

    /** A random place after `least` with the context of `at`, or -1. */
    function later(stream: Stream, at: number, least: number): number {
      const end = first[context[at]! + 1]!
      let from = end
      while (from > first[context[at]!]! && places[from - 1]! > least) from--
      return from === end ? -1 : places[from + below(stream, end - from)]!
    }

    return (stream) => {
      const p = starts[below(stream, count)]!
      const q = later(stream, p, p)
      if (q === n) return null
      const x = p + 1 + below(stream, q - p)
      const y = later(stream, x, q)
      if (y < 0 || sameSegment(tokens, p, x, q, y)) return null
      return { p, x, q, y }
    }
  }
}

/** Does the swap change nothing? */
function sameSegment(tokens: Int32Array, p: number, x: number, q: number, y: number): boolean {
  if (x - p !== y - q) return false
  for (let i = 0; i < x - p; i++) if (tokens[p + i] !== tokens[q + i]) return false
  return true
}

/** The places 0..n of a string by the `size` tokens before them; the string's beginning is unlike any token. */
interface Contexts {
  /** for every place, the number of its context */
  readonly context: Int32Array
  /** where in `places` a context begins; that of the next is its end */
  readonly first: Int32Array
  /** the places of one context after another, each ascending */
  readonly places: Int32Array
  /** for every place, the last one before it with the same token before; 0 for none */
  readonly before: Int32Array
  /** for every terminal, the last place found after it */
  readonly latest: Int32Array
}

/** Room for strings of up to n tokens. */
const contextsFor = (n: number, terminals: number): Contexts => ({
  context: new Int32Array(n + 1),
  first: new Int32Array(n + 3),
  places: new Int32Array(n + 1),
  before: new Int32Array(n + 1),
  latest: new Int32Array(terminals),
})

/** Fills in the contexts of a string; false, and not done to the end, where no two places have the same. */
function findContexts({ context, first, places, before, latest }: Contexts, tokens: Int32Array, size: number): boolean {
  const n = tokens.length
  first.fill(0, 0, n + 3)
  let known = 0
  for (let at = 0; at < n; at++) latest[tokens[at]!] = 0
  for (let at = 0; at <= n; at++) {
    if (at > 0) {
      before[at] = latest[tokens[at - 1]!]!
      latest[tokens[at - 1]!] = at
    }
    let alike = before[at]!
    while (alike >= size && !sameBefore(tokens, at, alike, size)) alike = before[alike]!
    const own = alike >= size ? context[alike]! : known++
    context[at] = own
    first[own + 2]!++
  }
  if (known > n) return false
  for (let own = 0; own < known; own++) first[own + 2]! += first[own + 1]!
  // Each context's entry one ahead counts up while its places are put down, from its own beginning to that of the next.
  for (let at = 0; at <= n; at++) places[first[context[at]! + 1]!++] = at
  return true
}

/** Are the `size` tokens before two places equal, that next to them being so? */
function sameBefore(tokens: Int32Array, at: number, place: number, size: number): boolean {
  for (let back = 2; back <= size; back++) if (tokens[at - back] !== tokens[place - back]) return false
  return true
}
