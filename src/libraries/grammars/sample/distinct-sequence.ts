import { shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { pack, unpack } from './distinct.ts'
import type { Language } from './language.ts'
import { derivesLength } from './lengths.ts'

/** Distinct strings of one kind and length in a fixed random order. */
export interface DistinctSequence {
  /** The entry with ordinal `o` (0, 1, ...), or that there are no more. Asking for more never changes earlier answers. */
  at(o: number): Listed
}

/** `proved`: there are exactly `count` such strings. Not proved: drawing went without a new one for too long. */
export type Listed =
  | { readonly kind: 'entry'; readonly entry: Int32Array }
  | { readonly kind: 'exhausted'; readonly count: number; readonly proved: boolean }

/** Where the entries of a {@link distinctSequence} come from. */
export interface DistinctSource {
  /** A random entry, or null where the attempt failed. */
  readonly draw: (stream: Stream) => Int32Array | null
  /**
   * Entries by listing: `all` when these are provably all there are. `wanted` is more than were found so far. Null where
   * listing is out of reach.
   */
  readonly list: (wanted: number) => { readonly all: boolean; readonly entries: readonly Int32Array[] } | null
  /** fruitless draws in a row, per entry found plus 10, after which drawing is given up */
  readonly patience: number
}

/** Fruitless draws in a row after which it pays to look whether there is little left. */
const SUSPICION = 64

/**
 * The o-th distinct draw of a cell's own stream. After a run of fruitless draws the listing is consulted. If it holds
 * everything, what is missing follows in random order and the roster ends with a proof. Else drawing goes on, and when
 * patience is out (few strings with nearly all the weight) takes what listing can add, or ends without a proof. Nothing
 * depends on how many entries are asked for.
 */
export function distinctSequence(source: DistinctSource, stream: Stream): DistinctSequence {
  const seen = new Set<string>()
  const found: Int32Array[] = []
  let end: { readonly proved: boolean } | null = null
  let fruitless = 0

  function add(entry: Int32Array): boolean {
    const key = pack(entry)
    if (seen.has(key)) return false
    seen.add(key)
    found.push(entry)
    return true
  }

  function consult(last: boolean): void {
    let wanted = 32
    while (wanted < 2 * found.length + 2) wanted *= 2
    const listed = source.list(wanted)
    if (listed?.all || (listed && last)) {
      const before = found.length
      for (const entry of shuffle(stream, listed.entries)) add(entry)
      if (listed.all) end = { proved: true }
      else if (found.length === before) end = { proved: false }
      fruitless = 0
    } else if (last) end = { proved: false }
  }

  function grow(): void {
    const entry = source.draw(stream)
    if (entry !== null && add(entry)) {
      fruitless = 0
      return
    }
    fruitless++
    const limit = source.patience * (found.length + 10)
    if (fruitless >= limit) consult(true)
    else if (fruitless === SUSPICION) consult(false)
  }

  return {
    at(o) {
      while (found.length <= o && end === null) grow()
      return o < found.length
        ? { kind: 'entry', entry: found[o] as Int32Array }
        : { kind: 'exhausted', count: found.length, proved: end?.proved ?? false }
    },
  }
}

/**
 * The strings of the language of one length, by the exact sampler. Always complete: it ends only with a proof. `accept`: whether a
 * string that was drawn is taken.
 */
export function positiveRoster(
  language: Language,
  length: number,
  stream: Stream,
  accept: (tokens: Int32Array, stream: Stream) => boolean = () => true,
): DistinctSequence {
  const possible = derivesLength(language.lengths, 0, length)
  return distinctSequence(
    {
      draw(draws) {
        const drawn = possible ? language.sampler.sample(draws, length) : null
        return drawn !== null && accept(drawn, draws) ? drawn : null
      },
      list(wanted) {
        const cell = language.distinct(wanted).cell(length)
        return { all: cell.complete, entries: cell.strings.map(unpack) }
      },
      patience: 200,
    },
    stream,
  )
}
