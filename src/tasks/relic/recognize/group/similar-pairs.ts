import type { EmptyDraw, NgramModel as LocalLogs } from '../../../../core/index.ts'
import type { LocalModel } from '../../../../libraries/grammars/negatives/local-model.ts'
import type { Entry, LengthStrings, StringPair } from './length-strings.ts'
import { distanceOf, type LocalProfile, localProfile } from './local-profile.ts'

/** Negatives drawn for every positive, and how many strings of either kind are at hand to be coupled. */
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
  model: LocalModel,
  local: LocalLogs,
  taken: ReadonlySet<string>,
  keyOf: (tokens: Int32Array) => string,
): () => StringPair | EmptyDraw {
  const profiled = (entry: Entry): Profiled => ({ entry, profile: localProfile(entry.tokens, model, local) })
  const positive = skipTaken((o) => strings.positive(o), taken, keyOf)
  const negative = skipTaken((o) => strings.negative(o), taken, keyOf)
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
