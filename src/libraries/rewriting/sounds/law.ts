/** One place in a law: a sound, all sounds of which some terms are true, or a list of sounds. */
export type SegmentPattern =
  | { readonly kind: 'sound'; readonly symbol: string }
  | { readonly kind: 'class'; readonly terms: readonly string[] }
  | { readonly kind: 'list'; readonly symbols: readonly string[] }

/**
 * A sound law: `from` becomes `to` between `before` and `after`. Nothing on the left inserts, nothing on the right loses; with as
 * many places on both sides each becomes the one opposite (a class on the right changes the sound that stands there, a list
 * the sound of the same number), otherwise the whole is written anew.
 */
export interface SoundLaw {
  readonly from: readonly SegmentPattern[]
  readonly to: readonly SegmentPattern[]
  readonly before: readonly SegmentPattern[]
  readonly after: readonly SegmentPattern[]
  /** Must `before` begin where the word does, and `after` end where it does? */
  readonly start: boolean
  readonly end: boolean
}

/** Places of each part of a law at most, sounds of a list, and terms of a class. */
export const MAX_UNITS = 4
export const MAX_SOUNDS = 40
export const MAX_TERMS = 8

/** Sounds, terms, word edges and `∅` that have to be said: how long a law is, whatever its spelling. */
export function lawSize({ from, to, before, after, start, end }: SoundLaw): number {
  const sizes = [from, to, before, after].map((units) =>
    units.reduce(
      (sum, unit) => sum + (unit.kind === 'sound' ? 1 : unit.kind === 'list' ? unit.symbols.length : unit.terms.length),
      0,
    ),
  )
  return (
    sizes.reduce((sum, size) => sum + size, 0) +
    Number(from.length === 0) +
    Number(to.length === 0) +
    Number(start) +
    Number(end)
  )
}
