import type { EmptyDraw, NgramModel as LocalLogs, Stream } from '../../../../core/index.ts'
import type { MatchedPair, MatchedPairSampler } from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import type { NgramModel } from '../../../../libraries/grammars/negatives/ngram-model.ts'
import { pack } from '../../../../libraries/grammars/sample/distinct.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { derivesLength } from '../../../../libraries/grammars/sample/lengths.ts'
import type { Entry, LengthStrings, StringPair } from './length-strings.ts'
import { distanceOf, type LocalProfile, localProfile } from './local-profile.ts'

/** Source of the matched pairs of one length. */
interface PairSource {
  readonly draw: MatchedPairSampler
  readonly length: number
  readonly language: Language
  readonly stream: Stream
  /** equal for strings that differ by a renaming only */
  readonly keyOf: (tokens: Int32Array) => string
}

/** Maximum members in a row without a new pair. */
const PATIENCE = 60

const positiveOf = ({ member, k }: MatchedPair): Entry => ({ tokens: member, kind: null, order: k })
const negativeOf = ({ twin, k }: MatchedPair): Entry => ({ tokens: twin, kind: 'twin', order: k })

/** Matched pairs, no string twice up to renaming; null: gave up. */
function matchedPairs(
  { draw, length, language, stream, keyOf }: PairSource,
  seen: Set<string>,
): () => MatchedPair | null {
  let over = !derivesLength(language.lengths, 0, length)
  return () => {
    for (let fruitless = 0; !over && fruitless < PATIENCE; fruitless++) {
      const pair = draw(stream, length)
      if (pair === null) continue
      const strings = [pack(pair.member), pack(pair.twin)]
      if (strings.some((string) => seen.has(string))) continue
      const keys = [keyOf(pair.member), keyOf(pair.twin)]
      if (keys.some((key) => seen.has(key))) continue
      for (const key of [...strings, ...keys]) seen.add(key)
      return pair
    }
    over = true
    return null
  }
}

/** Both strings of a pair are used: the n-th positive and the n-th negative. */
export function pairsTogether(source: PairSource): LengthStrings {
  const next = matchedPairs(source, new Set())
  return byPairs(() => {
    const pair = next()
    return pair === null
      ? {
          kind: 'unreachable',
          proved: false,
          reason: `${PATIENCE} strings of length ${source.length} in a row had no twin that was new`,
        }
      : { positive: positiveOf(pair), negative: negativeOf(pair) }
  })
}

/**
 * One string per pair is used: a positive of one draw beside a negative of the next. Missing strings come from
 * `others`, which gets the keys of all strings taken.
 */
export function pairsApart(
  source: PairSource,
  others: (taken: ReadonlySet<string>) => () => StringPair | EmptyDraw,
): LengthStrings {
  const seen = new Set<string>()
  const next = matchedPairs(source, seen)
  let rest: (() => StringPair | EmptyDraw) | null = null
  return byPairs(() => {
    if (rest === null) {
      const first = next()
      const second = first === null ? null : next()
      if (first !== null && second !== null) return { positive: positiveOf(first), negative: negativeOf(second) }
      rest = others(seen)
    }
    return rest()
  })
}

/** Grows by pairs. */
function byPairs(next: () => StringPair | EmptyDraw): LengthStrings {
  const found: StringPair[] = []
  let end: EmptyDraw | null = null
  const at = (o: number): StringPair | EmptyDraw => {
    while (found.length <= o && end === null) {
      const pair = next()
      if ('reason' in pair) end = pair
      else found.push(pair)
    }
    return found[o] ?? (end as EmptyDraw)
  }
  return (label, o) => {
    const pair = at(o)
    return 'reason' in pair ? pair : label ? pair.positive : pair.negative
  }
}

/** Negatives drawn for every positive, and how many strings of either kind can be paired. */
const DRAWN = 4
const NEGATIVES_AT_HAND = 48
const POSITIVES_AT_HAND = 6

interface Profiled {
  readonly entry: Entry
  readonly profile: LocalProfile
}

/**
 * Pairs of a positive and a negative of one length that are similar at short range: by the grammar's token and pair
 * probabilities and by trigrams. Takes the pair with the smallest difference that also compensates the summed
 * difference so far. `taken`: keys of strings in use, which are skipped.
 */
export function similarPairs(
  strings: LengthStrings,
  model: NgramModel,
  local: LocalLogs,
  taken: ReadonlySet<string>,
  keyOf: (tokens: Int32Array) => string,
): () => StringPair | EmptyDraw {
  const profiled = (entry: Entry): Profiled => ({ entry, profile: localProfile(entry.tokens, model, local) })
  const positive = skipTaken((o) => strings(true, o), taken, keyOf)
  const negative = skipTaken((o) => strings(false, o), taken, keyOf)
  const positives: Profiled[] = []
  const negatives: Profiled[] = []
  const owed: number[] = []

  /** Draws until enough strings exist; returns why drawing ended early, if it did. */
  function fill(hand: Profiled[], size: number, draw: () => Entry | EmptyDraw): EmptyDraw | null {
    while (hand.length < size) {
      const entry = draw()
      if ('reason' in entry) return entry
      hand.push(profiled(entry))
    }
    return null
  }

  return () => {
    const noPositive = fill(positives, POSITIVES_AT_HAND, positive)
    if (positives.length === 0 && noPositive !== null) return noPositive
    const size = Math.min(NEGATIVES_AT_HAND, negatives.length + (negatives.length === 0 ? 4 * DRAWN : DRAWN))
    const noNegative = fill(negatives, size, negative)
    if (negatives.length === 0 && noNegative !== null) return noNegative

    let best = { inside: 0, outside: 0, distance: Number.POSITIVE_INFINITY }
    positives.forEach((a, inside) => {
      negatives.forEach((b, outside) => {
        const distance = distanceOf(a.profile, b.profile, owed)
        if (distance < best.distance) best = { inside, outside, distance }
      })
    })
    const [a] = positives.splice(best.inside, 1) as [Profiled]
    const [b] = negatives.splice(best.outside, 1) as [Profiled]
    a.profile.forEach((value, i) => {
      owed[i] = (owed[i] ?? 0) + value - (b.profile[i] as number)
    })
    return { positive: a.entry, negative: b.entry }
  }
}

/** Entries in order, those that are taken omitted. */
function skipTaken(
  at: (o: number) => Entry | EmptyDraw,
  taken: ReadonlySet<string>,
  keyOf: (tokens: Int32Array) => string,
): () => Entry | EmptyDraw {
  let o = 0
  return () => {
    for (;;) {
      const entry = at(o)
      if ('reason' in entry) return entry
      o++
      if (!taken.has(keyOf(entry.tokens))) return entry
    }
  }
}
