import type { Law, Unit } from './law.ts'
import { changed, isOf, soundOf } from './sound.ts'

/** A word as its sounds, in order. */
export type Word = readonly string[]

/** Sounds of a word at most: a law that writes more has no result. */
export const LONGEST_WORD = 100

const fits = (unit: Unit, symbol: string): boolean =>
  unit.kind === 'sound'
    ? unit.symbol === symbol
    : unit.kind === 'list'
      ? unit.symbols.includes(symbol)
      : isOf(soundOf(symbol), unit.terms)

const fitAt = (units: readonly Unit[], word: Word, at: number): boolean =>
  at >= 0 && at + units.length <= word.length && units.every((unit, k) => fits(unit, word[at + k] as string))

/** Does a law apply with its first place at `at`? */
function appliesAt({ from, before, after, start, end }: Law, word: Word, at: number): boolean {
  const [first, last] = [at - before.length, at + from.length + after.length]
  if ((start && first !== 0) || (end && last !== word.length)) return false
  return fitAt(from, word, at) && fitAt(before, word, first) && fitAt(after, word, at + from.length)
}

/** Places where a law applies to a word, each by its first sound: none overlaps another, the leftmost ones first. */
export function sitesOf(law: Law, word: Word): readonly number[] {
  const sites: number[] = []
  const step = Math.max(1, law.from.length)
  for (let at = 0; at <= word.length - law.from.length; ) {
    if (appliesAt(law, word, at)) {
      sites.push(at)
      at += step
    } else at++
  }
  return sites
}

/**
 * A law applied everywhere at once: places are looked for in the word as it was, so no change makes room for another of the same
 * law. null: the word would be longer than {@link LONGEST_WORD}. Linear in the word.
 */
export function applyLaw(law: Law, word: Word): Word | null {
  const sites = sitesOf(law, word)
  if (sites.length === 0) return word
  const out: string[] = []
  let done = 0
  for (const at of sites) {
    out.push(...word.slice(done, at), ...written(law, word, at))
    done = at + law.from.length
  }
  out.push(...word.slice(done))
  return out.length > LONGEST_WORD ? null : out
}

function written({ from, to }: Law, word: Word, at: number): readonly string[] {
  return to.map((unit, k) => {
    if (unit.kind === 'sound') return unit.symbol
    const old = word[at + k] as string
    if (unit.kind === 'class') return changed(soundOf(old), unit.terms).symbol
    const opposite = from[k]
    return opposite?.kind === 'list' ? (unit.symbols[opposite.symbols.indexOf(old)] ?? old) : old
  })
}

/** What becomes of a word under laws in their order; null where it outgrows every bound. */
export function applyLaws(laws: readonly Law[], word: Word): Word | null {
  let now: Word | null = word
  for (const law of laws) {
    if (now === null) return null
    now = applyLaw(law, now)
  }
  return now
}

/** A word before any law, and after each. */
export function historyOf(laws: readonly Law[], word: Word): readonly (Word | null)[] {
  const states: (Word | null)[] = [word]
  for (const law of laws) {
    const now = states.at(-1) ?? null
    states.push(now === null ? null : applyLaw(law, now))
  }
  return states
}

/** Sounds between blanks. */
export const wordOf = (text: string): Word => text.split(' ').filter((sound) => sound !== '')

export const wordText = (word: Word): string => word.join(' ')
