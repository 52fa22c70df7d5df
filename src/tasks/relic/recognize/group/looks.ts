import type { LocalModel as LocalLogs } from '../../../../core/index.ts'
import type { LocalModel } from '../../../../formal/negatives/local-model.ts'
import { ln } from '../../../../formal/pcfg/ln.ts'

/** How a string looks at short range: numbers that two strings of one length are compared by, about alike in scale. */
export type Looks = readonly number[]

/** The logarithm that stands for what the grammar never makes. */
const never = -25

/** What a difference weighs that the couples of a cell add up to, beside that of one couple. */
const OWED = 0.5

/**
 * Means and extremes of the logarithms of shares of tokens and of pairs, both ends, illegal pairs, symbols above a token,
 * different tokens, and how ordinary the trigrams are.
 */
export function looksOf(tokens: Int32Array, model: LocalModel, local: LocalLogs): Looks {
  const n = tokens.length
  const at = (row: readonly (number | null)[] | undefined, t: number): number => row?.[t] ?? never
  const singles = spread(Array.from(tokens, (t) => at(local.token, t)))
  const parents = spread(Array.from(tokens, (t) => local.parents[t] ?? 0))
  const values = Array.from(tokens.subarray(1), (t, i) => at(local.next[tokens[i] as number], t))
  const pairs = spread(values)
  const twos = spread(values.slice(1).map((value, i) => value + (values[i] as number)))
  const illegal = values.filter((value) => value === never).length
  const first = at(local.first, tokens[0] as number)
  const last = at(local.last, tokens[n - 1] as number)
  return [
    first,
    last,
    ...[first, last].map((value) => (value === never ? 8 : 0)),
    4 * illegal,
    ...scaled(singles, 3, 1),
    ...scaled(pairs, 3, 1),
    ...scaled(twos, 1, 0.5),
    ...scaled(parents, 1, 0.3),
    new Set(tokens).size,
    ln(model.ordinariness(tokens)) / 2,
  ]
}

interface Spread {
  readonly mean: number
  readonly least: number
  readonly most: number
}

const spread = (values: readonly number[]): Spread =>
  values.length === 0
    ? { mean: 0, least: 0, most: 0 }
    : {
        mean: values.reduce((sum, value) => sum + value, 0) / values.length,
        least: Math.min(...values),
        most: Math.max(...values),
      }

const scaled = ({ mean, least, most }: Spread, ofMean: number, ofEnds: number): Looks => [
  ofMean * mean,
  ofEnds * least,
  ofEnds * most,
]

/** How unlike two strings are, `owed` being the sums by which couples before them differed (empty at first). */
export function distanceOf(inside: Looks, outside: Looks, owed: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < inside.length; i++) {
    const apart = (inside[i] as number) - (outside[i] as number)
    const total = apart + (owed[i] ?? 0)
    sum += apart * apart + OWED * total * total
  }
  return sum
}
