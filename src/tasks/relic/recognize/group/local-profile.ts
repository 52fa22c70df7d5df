import type { NgramModel as LocalLogs } from '../../../../core/index.ts'
import type { LocalModel } from '../../../../libraries/grammars/negatives/local-model.ts'
import { ln } from '../../../../libraries/grammars/pcfg/ln.ts'

/** Short-range statistics of a string, on similar scales, for comparing two strings of one length. */
export type LocalProfile = readonly number[]

/** The logarithm that stands for what the grammar never makes. */
const never = -25

/** Weight of the summed difference of all pairs of a length, beside that of one pair. */
const OWED = 0.5

/**
 * Means and extremes of the logarithms of shares of tokens and of pairs, both ends, illegal pairs, symbols above a token,
 * different tokens, and how ordinary the trigrams are.
 */
export function localProfile(tokens: Int32Array, model: LocalModel, local: LocalLogs): LocalProfile {
  const n = tokens.length
  const at = (row: readonly (number | null)[] | undefined, t: number): number => row?.[t] ?? never
  // Of typed arrays: to make one out of another costs several times what a loop does.
  const singles = new Float64Array(n)
  const parents = new Float64Array(n)
  const pairs = new Float64Array(Math.max(0, n - 1))
  const twos = new Float64Array(Math.max(0, n - 2))
  let illegal = 0
  for (let i = 0; i < n; i++) {
    const token = tokens[i] as number
    singles[i] = at(local.token, token)
    parents[i] = local.parents[token] ?? 0
    if (i === 0) continue
    const pair = at(local.next[tokens[i - 1] as number], token)
    pairs[i - 1] = pair
    if (pair === never) illegal++
    if (i > 1) twos[i - 2] = pair + (pairs[i - 2] as number)
  }
  const first = at(local.first, tokens[0] as number)
  const last = at(local.last, tokens[n - 1] as number)
  return [
    first,
    last,
    first === never ? 8 : 0,
    last === never ? 8 : 0,
    4 * illegal,
    ...scaled(spread(singles), 3, 1),
    ...scaled(spread(pairs), 3, 1),
    ...scaled(spread(twos), 1, 0.5),
    ...scaled(spread(parents), 1, 0.3),
    new Set(tokens).size,
    ln(model.ordinariness(tokens)) / 2,
  ]
}

interface Spread {
  readonly mean: number
  readonly least: number
  readonly most: number
}

function spread(values: Float64Array): Spread {
  if (values.length === 0) return { mean: 0, least: 0, most: 0 }
  let [sum, least, most] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    sum += value
    if (value < least) least = value
    if (value > most) most = value
  }
  return { mean: sum / values.length, least, most }
}

const scaled = ({ mean, least, most }: Spread, ofMean: number, ofEnds: number): LocalProfile => [
  ofMean * mean,
  ofEnds * least,
  ofEnds * most,
]

/** How unlike two strings are, `owed` being the sums by which couples before them differed (empty at first). */
export function distanceOf(inside: LocalProfile, outside: LocalProfile, owed: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < inside.length; i++) {
    const apart = (inside[i] as number) - (outside[i] as number)
    const total = apart + (owed[i] ?? 0)
    sum += apart * apart + OWED * total * total
  }
  return sum
}
