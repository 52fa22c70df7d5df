import type { Unreachable } from '../../../core/index.ts'
import type { LocalModel } from '../../../formal/local-model.ts'
import type { Recognizer } from '../../../formal/recognizer.ts'
import type { Cell, Couple, Entry } from './cell.ts'

/** Negatives drawn for every positive, and how many are at hand at most. */
const DRAWN = 4
const AT_HAND = 48

/** How many times less alike two strings count that differ in their first or last token, or in passing the bigram test. */
const OTHER_END = 4
const OTHER_LEGALITY = 64

interface Scored {
  readonly entry: Entry
  readonly score: number
  readonly legal: boolean
}

/**
 * Positives in the order of their cell, each with the negative at hand that looks most like it at short range: ordinary to
 * the same degree under the trigrams of the grammar's positives, with the same tokens at its ends. `taken`: keys of strings
 * that are asked elsewhere, which are left out while there are others.
 */
export function matched(
  cell: Cell,
  model: LocalModel,
  recognizer: Recognizer,
  taken: ReadonlySet<string>,
  keyOf: (tokens: Int32Array) => string,
): () => Couple | Unreachable {
  const scored = (entry: Entry): Scored => ({
    entry,
    score: model.ordinariness(entry.tokens),
    legal: recognizer.bigram(entry.tokens).kind === 'legal',
  })
  const positive = untaken((o) => cell.positive(o), taken, keyOf)
  const negative = untaken((o) => cell.negative(o), taken, keyOf)
  let hand: Scored[] = []

  return () => {
    const entry = positive()
    if ('reason' in entry) return entry
    for (let drawn = 0; drawn < DRAWN; drawn++) {
      const other = negative()
      if (!('reason' in other)) hand.push(scored(other))
      else if (hand.length === 0) return other
      else break
    }
    hand = hand.slice(-AT_HAND)
    const own = scored(entry)
    let best = 0
    hand.forEach((other, i) => {
      if (unlikeness(own, other) < unlikeness(own, hand[best] as Scored)) best = i
    })
    const [chosen] = hand.splice(best, 1)
    return { positive: entry, negative: (chosen as Scored).entry }
  }
}

function unlikeness(a: Scored, b: Scored): number {
  const [s, t] = [a.entry.tokens, b.entry.tokens]
  const ratio = a.score < b.score ? b.score / a.score : a.score / b.score
  const ends = (s[0] === t[0] ? 1 : OTHER_END) * (s.at(-1) === t.at(-1) ? 1 : OTHER_END)
  return ratio * ends * (a.legal === b.legal ? 1 : OTHER_LEGALITY)
}

/** Entries in order, those that are taken left out. */
function untaken(
  at: (o: number) => Entry | Unreachable,
  taken: ReadonlySet<string>,
  keyOf: (tokens: Int32Array) => string,
): () => Entry | Unreachable {
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
