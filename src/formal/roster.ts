import { shuffle } from '../core/random.ts'
import type { Stream } from '../core/stream.ts'
import type { Language } from './language.ts'
import { derivesLength } from './lengths.ts'
import { pack, unpack } from './packed.ts'

/** The distinct strings of one length in a fixed random order. */
export interface Roster {
  /**
   * The string with ordinal `o` (0, 1, ...), or `exhausted` with the exact number of strings of this length. Asking for
   * more never changes earlier answers.
   */
  at(o: number): RosterEntry
}

export type RosterEntry =
  | { readonly kind: 'string'; readonly tokens: Int32Array }
  | { readonly kind: 'exhausted'; readonly count: number }

/** Repeats in a row after which it pays to look whether the cell is small. */
const SUSPICION = 64

/** Repeats in a row, per string found plus 10, after which drawing is given up for listing. */
const PATIENCE = 200

/**
 * The roster of one length, from that cell's own stream: the o-th distinct draw of the exact sampler. After a run of
 * repeats the capped set is consulted. If it holds all strings of the cell, the missing ones follow in random order and
 * the roster ends with a proof; if there are more, drawing goes on, and only a far longer run of repeats (a few strings
 * with nearly all the weight) takes the strings of the capped set instead. Nothing depends on how many are asked for.
 */
export function roster(language: Language, length: number, stream: Stream): Roster {
  const seen = new Set<string>()
  const found: string[] = []
  let exhausted = !derivesLength(language.lengths, 0, length)
  let repeats = 0

  const add = (packed: string) => {
    seen.add(packed)
    found.push(packed)
  }

  /** Append what the capped set knows and the roster does not; the cap follows from what was found so far. */
  function list(evenIncomplete: boolean): void {
    let cap = 32
    while (cap < 2 * found.length + 2) cap *= 2
    const cell = language.distinct(cap).cell(length)
    if (!cell.complete && !evenIncomplete) return
    for (const packed of shuffle(
      stream,
      cell.strings.filter((s) => !seen.has(s)),
    ))
      add(packed)
    exhausted = cell.complete
    repeats = 0
  }

  function grow(): void {
    const packed = pack(language.sampler.sample(stream, length))
    if (!seen.has(packed)) {
      add(packed)
      repeats = 0
      return
    }
    repeats++
    if (repeats === SUSPICION) list(false)
    else if (repeats === PATIENCE * (found.length + 10)) list(true)
  }

  return {
    at(o) {
      while (found.length <= o && !exhausted) grow()
      const packed = found[o]
      return packed === undefined
        ? { kind: 'exhausted', count: found.length }
        : { kind: 'string', tokens: unpack(packed) }
    },
  }
}
