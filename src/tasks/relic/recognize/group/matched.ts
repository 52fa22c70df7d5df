import type { EmptyDraw, NgramModel as LocalLogs } from '../../../../core/index.ts'
import type { NgramModel } from '../../../../libraries/grammars/negatives/ngram-model.ts'
import type { Cell, Couple, Entry } from './cell.ts'
import { distanceOf, type Looks, looksOf } from './looks.ts'

/** Negatives drawn for every positive, and how many strings of either kind are at hand to be coupled. */
const DRAWN = 4
const NEGATIVES_AT_HAND = 48
const POSITIVES_AT_HAND = 6

interface Looked {
  readonly entry: Entry
  readonly looks: Looks
}

/**
 * Couples of a positive and a negative of a cell that look alike at short range, under the grammar's own shares of tokens
 * and pairs and under the trigrams of its strings. Of all at hand the two are taken that differ least, and that best
 * make good by what the couples of the cell differed so far. `taken`: keys of strings that are asked elsewhere, left out.
 */
export function matched(
  cell: Cell,
  model: NgramModel,
  local: LocalLogs,
  taken: ReadonlySet<string>,
  keyOf: (tokens: Int32Array) => string,
): () => Couple | EmptyDraw {
  const looked = (entry: Entry): Looked => ({ entry, looks: looksOf(entry.tokens, model, local) })
  const positive = untaken((o) => cell.positive(o), taken, keyOf)
  const negative = untaken((o) => cell.negative(o), taken, keyOf)
  const positives: Looked[] = []
  const negatives: Looked[] = []
  const owed: number[] = []

  /** Draws until so many are at hand; what ended the drawing, if it did. */
  function fill(hand: Looked[], size: number, draw: () => Entry | EmptyDraw): EmptyDraw | null {
    while (hand.length < size) {
      const entry = draw()
      if ('reason' in entry) return entry
      hand.push(looked(entry))
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
        const distance = distanceOf(a.looks, b.looks, owed)
        if (distance < best.distance) best = { inside, outside, distance }
      })
    })
    const [a] = positives.splice(best.inside, 1) as [Looked]
    const [b] = negatives.splice(best.outside, 1) as [Looked]
    a.looks.forEach((value, i) => {
      owed[i] = (owed[i] ?? 0) + value - (b.looks[i] as number)
    })
    return { positive: a.entry, negative: b.entry }
  }
}

/** Entries in order, those that are taken left out. */
function untaken(
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
