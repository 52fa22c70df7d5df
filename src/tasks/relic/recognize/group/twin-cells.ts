import type { EmptyDraw, Stream } from '../../../../core/index.ts'
import type { MatchedPair, MatchedPairSampler } from '../../../../libraries/grammars/negatives/matched-pairs.ts'
import { pack } from '../../../../libraries/grammars/sample/distinct.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { derivesLength } from '../../../../libraries/grammars/sample/lengths.ts'
import type { Cell, Couple, Entry } from './cell.ts'

/** Where the twins of one length come from. */
export interface TwinSource {
  readonly draw: MatchedPairSampler
  readonly length: number
  readonly language: Language
  readonly stream: Stream
  /** equal for strings that differ by a renaming only */
  readonly keyOf: (tokens: Int32Array) => string
}

/** Members in a row without a new twin after which a cell has no more. */
const PATIENCE = 60

const positiveOf = ({ member, k }: MatchedPair): Entry => ({ tokens: member, kind: null, order: k })
const negativeOf = ({ twin, k }: MatchedPair): Entry => ({ tokens: twin, kind: 'twin', order: k })

/** Pairs of twins, no string twice up to renaming; null when patience is out. */
function pairs({ draw, length, language, stream, keyOf }: TwinSource, seen: Set<string>): () => MatchedPair | null {
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

/** Both twins of a pair are asked: the o-th positive and the o-th negative. */
export function twinsTogether(source: TwinSource): Cell {
  const next = pairs(source, new Set())
  return inCouples(() => {
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
 * Of every pair one is asked: a positive from one draw beside a negative from the next, both of strings that have a twin.
 * What is missing then comes from `others`, which is told the keys of all strings taken.
 */
export function twinsApart(source: TwinSource, others: (taken: ReadonlySet<string>) => () => Couple | EmptyDraw): Cell {
  const seen = new Set<string>()
  const next = pairs(source, seen)
  let rest: (() => Couple | EmptyDraw) | null = null
  return inCouples(() => {
    if (rest === null) {
      const first = next()
      const second = first === null ? null : next()
      if (first !== null && second !== null) return { positive: positiveOf(first), negative: negativeOf(second) }
      rest = others(seen)
    }
    return rest()
  })
}

/** A cell that grows by couples. */
function inCouples(next: () => Couple | EmptyDraw): Cell {
  const found: Couple[] = []
  let end: EmptyDraw | null = null
  const at = (o: number): Couple | EmptyDraw => {
    while (found.length <= o && end === null) {
      const couple = next()
      if ('reason' in couple) end = couple
      else found.push(couple)
    }
    return found[o] ?? (end as EmptyDraw)
  }
  return {
    positive(o) {
      const couple = at(o)
      return 'reason' in couple ? couple : couple.positive
    },
    negative(o) {
      const couple = at(o)
      return 'reason' in couple ? couple : couple.negative
    },
  }
}
