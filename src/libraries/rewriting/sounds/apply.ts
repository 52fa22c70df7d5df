import { memoize } from '../../../core/index.ts'
import type { SegmentPattern, SoundLaw } from './notation.ts'
import { changed, isOf, soundOf } from './sound.ts'

/** A word as its sounds, in order. */
export type Word = readonly string[]

/** Most sounds of a word: a law that exceeds it has no result. */
export const MAX_WORD = 100

/** True if a segment pattern matches a sound. */
type Fits = (symbol: string) => boolean

function fitsOf(unit: SegmentPattern): Fits {
  if (unit.kind === 'sound') return (symbol) => symbol === unit.symbol
  if (unit.kind === 'list') return (symbol) => unit.symbols.includes(symbol)
  return cached((symbol) => isOf(soundOf(symbol), unit.terms))
}

/** The sound that replaces a sound. */
type Writes = (symbol: string) => string

function writesOf(unit: SegmentPattern, opposite: SegmentPattern | undefined): Writes {
  if (unit.kind === 'sound') return () => unit.symbol
  if (unit.kind === 'class') return cached((symbol) => changed(soundOf(symbol), unit.terms).symbol)
  return (symbol) => (opposite?.kind === 'list' ? (unit.symbols[opposite.symbols.indexOf(symbol)] ?? symbol) : symbol)
}

/** Caches a function of a sound. */
function cached<T>(of: (symbol: string) => T): (symbol: string) => T {
  const known = new Map<string, T>()
  return (symbol) => {
    let value = known.get(symbol)
    if (value === undefined) {
      value = of(symbol)
      known.set(symbol, value)
    }
    return value
  }
}

/** The compiled patterns of a law. */
const compile = memoize(({ from, to, before, after }: SoundLaw) => ({
  from: from.map(fitsOf),
  to: to.map((unit, k) => writesOf(unit, from[k])),
  before: before.map(fitsOf),
  after: after.map(fitsOf),
}))

// Plain loops: search, drawing and grading spend their time here.
function fitsAt(patterns: readonly Fits[], word: Word, at: number): boolean {
  for (let k = 0; k < patterns.length; k++) if (!(patterns[k] as Fits)(word[at + k] as string)) return false
  return true
}

const nowhere: readonly number[] = []

/** Offsets at which a law applies to a word, from left to right, without overlap. */
export function sitesOf(law: SoundLaw, word: Word): readonly number[] {
  const { from, before, after } = compile(law)
  const last = word.length - from.length - after.length
  const first = law.end ? Math.max(last, before.length) : before.length
  const until = law.start ? Math.min(last, before.length) : last
  let sites: number[] | null = null
  for (let at = first; at <= until; at++) {
    if (!fitsAt(from, word, at) || !fitsAt(before, word, at - before.length) || !fitsAt(after, word, at + from.length))
      continue
    sites ??= []
    sites.push(at)
    at += Math.max(0, from.length - 1)
  }
  return sites ?? nowhere
}

/**
 * Applies a law everywhere at once: sites are found in the original word, so no change enables another of the same law.
 * null: the word would exceed {@link MAX_WORD}. Linear in the word.
 */
export function applyLaw(law: SoundLaw, word: Word): Word | null {
  const sites = sitesOf(law, word)
  if (sites.length === 0) return word
  const { to } = compile(law)
  const out: string[] = []
  let done = 0
  for (const at of sites) {
    for (; done < at; done++) out.push(word[done] as string)
    for (let k = 0; k < to.length; k++) out.push((to[k] as Writes)(word[at + k] as string))
    done = at + law.from.length
  }
  for (; done < word.length; done++) out.push(word[done] as string)
  return out.length > MAX_WORD ? null : out
}

/** Applies laws in order; null: the word exceeds {@link MAX_WORD}. */
export function applyLaws(laws: readonly SoundLaw[], word: Word): Word | null {
  let now: Word | null = word
  for (const law of laws) {
    if (now === null) return null
    now = applyLaw(law, now)
  }
  return now
}

/** The word before the first law and after each. */
export function historyOf(laws: readonly SoundLaw[], word: Word): readonly (Word | null)[] {
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

export function sameWord(a: Word, b: Word): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false
  return true
}

export const interactions = ['feeding', 'bleeding', 'counterfeeding', 'counterbleeding'] as const
export type Interaction = (typeof interactions)[number]

/** Interactions of an earlier and a later law in some words. */
export interface Pair {
  readonly earlier: number
  readonly later: number
  /** Words with each interaction: the earlier law creates or destroys sites of the later, or the later would, if it were first. */
  readonly words: { readonly [interaction in Interaction]: number }
}

/** Derivations of words by laws, to find interactions of two laws. */
export class Derivations {
  /** By word: see {@link historyOf}. */
  readonly histories: readonly (readonly (Word | null)[])[]
  private readonly laws: readonly SoundLaw[]
  private readonly met = new Map<number, boolean>()

  constructor(laws: readonly SoundLaw[], words: readonly Word[]) {
    this.laws = laws
    this.histories = words.map((word) => historyOf(laws, word))
  }

  /** The four counts of one pair. */
  pair(earlier: number, later: number): Pair {
    const met = { feeding: 0, bleeding: 0, counterfeeding: 0, counterbleeding: 0 }
    for (const kind of this.meetings(earlier, later)) met[kind]++
    return { earlier, later, words: met }
  }

  /** True if two laws interact in some word; remembered. */
  meet(earlier: number, later: number): boolean {
    const key = later * this.laws.length + earlier
    const known = this.met.get(key) ?? this.meetings(earlier, later).next().done !== true
    this.met.set(key, known)
    return known
  }

  private *meetings(earlier: number, later: number): Generator<Interaction> {
    const [a, b] = [this.laws[earlier] as SoundLaw, this.laws[later] as SoundLaw]
    const between = this.laws.slice(earlier + 1, later)
    for (const states of this.histories) {
      const [start, next] = [states[earlier] ?? null, states[earlier + 1] ?? null]
      if (start === null) continue
      // A law affects sites of another only if it changes the word.
      if (next !== start) {
        const made = gain(b, states[later] ?? null, applyLaws(between, start))
        if (made !== 0) yield made > 0 ? 'feeding' : 'bleeding'
      }
      const first = applyLaw(b, start)
      if (first !== start) {
        const missed = gain(a, first, start)
        if (missed !== 0) yield missed > 0 ? 'counterfeeding' : 'counterbleeding'
      }
    }
  }
}

/** Pairs of laws that interact in some of the words. */
export function interactionsOf(laws: readonly SoundLaw[], words: readonly Word[]): readonly Pair[] {
  const derivations = new Derivations(laws, words)
  const pairs = laws.flatMap((_, later) => laws.slice(0, later).map((_, earlier) => derivations.pair(earlier, later)))
  return pairs.filter(({ words: met }) => interactions.some((one) => met[one] > 0))
}

/** Sites of a law in one word less those in another. */
const gain = (law: SoundLaw, some: Word | null, other: Word | null): number =>
  some === null || other === null ? 0 : sitesOf(law, some).length - sitesOf(law, other).length
