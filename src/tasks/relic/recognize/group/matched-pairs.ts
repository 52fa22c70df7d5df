import type { EmptyDraw, Stream } from '../../../../core/index.ts'
import type { TwinPair, TwinSampler } from '../../../../libraries/grammars/negatives/twins.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'
import { derivesLength } from '../../../../libraries/grammars/sample/lengths.ts'
import { pack } from '../../../../libraries/grammars/sample/packed.ts'
import type { Entry, LengthStrings, StringPair } from './length-strings.ts'

/** Source of the matched pairs of one length. */
interface PairSource {
  readonly draw: TwinSampler
  readonly length: number
  readonly language: Language
  readonly stream: Stream
  /** equal for strings that differ by a renaming only */
  readonly keyOf: (tokens: Int32Array) => string
}

/** Maximum members in a row without a new pair. */
const PATIENCE = 60

const positiveOf = ({ member, k }: TwinPair): Entry => ({ tokens: member, kind: null, order: k })
const negativeOf = ({ twin, k }: TwinPair): Entry => ({ tokens: twin, kind: 'twin', order: k })

/** Matched pairs, no string twice up to renaming; null: gave up. */
function matchedPairs({ draw, length, language, stream, keyOf }: PairSource, seen: Set<string>): () => TwinPair | null {
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
  return {
    positive(o) {
      const pair = at(o)
      return 'reason' in pair ? pair : pair.positive
    },
    negative(o) {
      const pair = at(o)
      return 'reason' in pair ? pair : pair.negative
    },
  }
}
