import { float } from '../core/random.ts'
import type { Stream } from '../core/stream.ts'
import { powerOfTwo } from './inside.ts'
import type { LocalLegality } from './local-legality.ts'

/** The strings that pass the bigram test, by length: counted, listed and drawn uniformly. */
export interface LegalStrings {
  /** How many there are of `length` tokens; exact below 2^53, Infinity past the doubles. */
  count(length: number): number
  /** One of them, uniform up to rounding (relative error at most 2^-53 times length x terminals); null when there are none. */
  sample(stream: Stream, length: number): Int32Array | null
  /** All of them in lexicographic order; only sensible for a small count. */
  list(length: number): Int32Array[]
}

/**
 * Walks of the automaton of legal pairs. `ways[m][t]` is the number of legal endings of m more tokens after t, times a
 * power of two per m, filled on demand in O(legal pairs) a step.
 */
export function legalStrings(legality: LocalLegality): LegalStrings {
  if (legality.grade !== 2) throw new RangeError(`legalStrings walks legal pairs: give grade 2, not ${legality.grade}`)
  const { terminals, boundary } = legality
  const edge = (a: number, b: number) => legality.join(boundary, a, b, boundary)
  const all = Array.from({ length: terminals }, (_, t) => t)
  const next = [...all, boundary].map((a) => Int32Array.from(all.filter((b) => edge(a, b))))
  const ways: Float64Array[] = [Float64Array.from([...all.map((t) => (edge(t, boundary) ? 1 : 0)), 0])]
  const scales = [0]

  function level(m: number): Float64Array {
    for (let k = ways.length; k <= m; k++) {
      const shorter = ways[k - 1]!
      let largest = 0
      const row = Float64Array.from(next, (followers) => {
        let sum = 0
        for (const u of followers) sum += shorter[u]!
        if (sum > largest) largest = sum
        return sum
      })
      const shrink = largest > SHRINK
      if (shrink) for (let t = 0; t <= terminals; t++) row[t]! *= 1 / SHRINK
      ways.push(row)
      scales.push(scales[k - 1]! + (shrink ? 1 : 0))
    }
    return ways[m]!
  }

  return {
    count(length) {
      if (length < 1) return 0
      let total = level(length)[boundary]!
      for (let s = scales[length]!; s > 0; s--) total *= SHRINK
      return total
    },
    sample(stream, length) {
      if (length < 1 || !(level(length)[boundary]! > 0)) return null
      const out = new Int32Array(length)
      let at = boundary
      for (let i = 0; i < length; i++) {
        const row = level(length - 1 - i)
        let total = 0
        for (const u of next[at]!) total += row[u]!
        let left = float(stream) * total
        for (const u of next[at]!) {
          if (row[u]! === 0) continue
          out[i] = u
          if (left < row[u]!) break
          left -= row[u]!
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
        else for (const u of next[at]!) if (level(rest - 1)[u]! > 0) walk([...prefix, u], u)
      }
      if (length >= 1) walk([], boundary)
      return out
    },
  }
}

/** 2^400: far below overflow for any number of terminals, far above counts that should stay exact. */
const SHRINK = powerOfTwo(400)
