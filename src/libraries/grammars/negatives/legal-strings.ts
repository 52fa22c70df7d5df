import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { powerOfTwo } from '../sample/inside.ts'
import type { StrictlyLocalTest } from './strictly-local.ts'

/** The strings that pass the bigram test, by length: counted, listed and drawn. */
export interface LegalStrings {
  /** How many there are of `length` tokens; exact below 2^53, Infinity past the doubles. */
  count(length: number): number
  /**
   * One of them, up to rounding (relative error at most 2^-53 times length x terminals): uniform, or each as likely as
   * the product of its pairs' weights. null when there are none.
   */
  sample(stream: Stream, length: number): Int32Array | null
  /** All of them in lexicographic order; only sensible for a small count. */
  list(length: number): Int32Array[]
}

/** A weight above 0 of two tokens in a row; the boundary stands for the outside at either end. */
export type PairWeight = (a: number, b: number) => number

/** Walks of the automaton of legal pairs. Without a weight all strings of a length are drawn alike. */
export function legalStrings(legality: StrictlyLocalTest, weight?: PairWeight): LegalStrings {
  if (legality.k !== 2) throw new RangeError(`legalStrings walks legal pairs: give k = 2, not ${legality.k}`)
  const { boundary } = legality
  const pairs = legalPairs(legality, () => 1)
  const weighed = weight === undefined ? pairs : legalPairs(legality, weight)
  const ways = endings(pairs)
  const chances = weight === undefined ? ways : endings(weighed)

  return {
    count(length) {
      if (length < 1) return 0
      const { values, scale } = ways(length)
      let total = values[boundary]!
      for (let s = scale; s > 0; s--) total *= SHRINK
      return total
    },
    sample(stream, length) {
      if (length < 1 || !(chances(length).values[boundary]! > 0)) return null
      const out = new Int32Array(length)
      let at = boundary
      for (let i = 0; i < length; i++) {
        const { values, scale } = chances(length - 1 - i)
        const { next, weights } = weighed.after[at]!
        // The summed shares of all that may follow, at the scale of what comes after them.
        const whole = chances(length - i)
        const total = whole.values[at]! * (whole.scale > scale ? SHRINK : whole.scale < scale ? 1 / SHRINK : 1)
        let left = float(stream) * total
        for (let k = 0; k < next.length; k++) {
          const share = weights[k]! * values[next[k]!]!
          if (share === 0) continue
          out[i] = next[k]!
          if (left < share) break
          left -= share
        }
        at = out[i]!
      }
      return out
    },
    list(length) {
      const out: Int32Array[] = []
      const walk = (prefix: number[], at: number): void => {
        const rest = length - prefix.length
        if (rest === 0) out.push(Int32Array.from(prefix))
        else for (const u of pairs.after[at]!.next) if (ways(rest - 1).values[u]! > 0) walk([...prefix, u], u)
      }
      if (length >= 1) walk([], boundary)
      return out
    },
  }
}

interface LegalPairs {
  /** By token: those that may follow, with weights; at [boundary] those that may come first. */
  readonly after: readonly { readonly next: Int32Array; readonly weights: Float64Array }[]
  /** By token: its weight at the end, 0 where it may not come last. */
  readonly last: readonly number[]
}

function legalPairs({ terminals, boundary, join }: StrictlyLocalTest, weight: PairWeight): LegalPairs {
  const all = Array.from({ length: terminals }, (_, t) => t)
  const legal = (a: number, b: number) => join(boundary, a, b, boundary)
  return {
    after: [...all, boundary].map((a) => {
      const next = Int32Array.from(all.filter((b) => legal(a, b)))
      return { next, weights: Float64Array.from(next, (b) => weight(a, b)) }
    }),
    last: all.map((t) => (legal(t, boundary) ? weight(t, boundary) : 0)),
  }
}

/** values[t]: the summed weight of the legal endings after t, divided by 2^(400 scale). */
interface Endings {
  readonly values: Float64Array
  readonly scale: number
}

/** The legal endings of m more tokens, filled on demand in O(legal pairs) a step. */
function endings({ after, last }: LegalPairs): (m: number) => Endings {
  const levels: Endings[] = [{ values: Float64Array.from([...last, 0]), scale: 0 }]
  return (m) => {
    for (let k = levels.length; k <= m; k++) {
      const shorter = levels[k - 1]!
      let largest = 0
      const values = Float64Array.from(after, ({ next, weights }) => {
        let sum = 0
        for (let i = 0; i < next.length; i++) sum += weights[i]! * shorter.values[next[i]!]!
        if (sum > largest) largest = sum
        return sum
      })
      const up = largest > 0 && largest < 1 / SHRINK
      const down = largest > SHRINK
      if (up || down) for (let t = 0; t < values.length; t++) values[t]! *= up ? SHRINK : 1 / SHRINK
      levels.push({ values, scale: shorter.scale + (down ? 1 : up ? -1 : 0) })
    }
    return levels[m]!
  }
}

/** 2^400: far below overflow for any number of terminals, far above counts that should stay exact. */
const SHRINK = powerOfTwo(400)
