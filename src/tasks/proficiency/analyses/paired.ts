import type { Estimate } from '../../../core/index.ts'
import { analysisStream, clusterBootstrap } from '../../../libraries/statistics/index.ts'
import { type Context, codesOf, lossOf, type ScoredString } from './contexts.ts'

/** One string, scored in two ways. */
export interface Pair {
  readonly cluster: string
  readonly first: ScoredString
  readonly second: ScoredString
}

/** The same strings in two sets of contexts of the same repetitions. */
export function pairStrings(first: readonly Context[], second: readonly Context[]): readonly Pair[] {
  const keyOf = (repetition: string, s: ScoredString) => `${repetition}/${s.test}/${s.distance}/${s.copy}/${s.edit}`
  const others = new Map(
    second.flatMap(({ repetition, strings }) => strings.map((s) => [keyOf(repetition, s), s] as const)),
  )
  return first.flatMap(({ repetition, strings }) =>
    strings.flatMap((s): Pair[] => {
      const other = others.get(keyOf(repetition, s))
      const same = other !== undefined && other.length === s.length && close(other.floor, s.floor)
      return same ? [{ cluster: `${repetition}/${s.test}`, first: s, second: other }] : []
    }),
  )
}

/** Strings outside have no floor; those of the language are the same where its floor is. */
const close = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) < 1e-6

/** The clusters of pairs: one test string of one repetition, with what is made of it. */
export const clustersOf = (pairs: readonly Pair[]): number[] => codesOf(pairs.map(({ cluster }) => cluster))

const DRAWS = 400

/** The length-matched AUC of the second minus that of the first; bootstrap over clusters. */
export function aucDifference(all: readonly Pair[], distance: string, seed: number, label: string): Estimate | null {
  const pairs = all.filter(({ first }) => first.distance === '0' || first.distance === distance)
  const codes = clustersOf(pairs)
  const strata = [
    ...Map.groupBy(pairs.keys(), (i) => `${pairs[i]?.cluster.split('/')[0]} ${pairs[i]?.first.length}`).values(),
  ]
  const losses = pairs.map(({ first, second }) => [lossOf(first), lossOf(second)] as const)
  const statistic = (counts: Int32Array): number | null => {
    let [total, gained] = [0, 0]
    for (const stratum of strata)
      for (const i of stratum) {
        if (pairs[i]?.first.distance !== '0') continue
        for (const j of stratum) {
          if (pairs[j]?.first.distance === '0') continue
          const weight = (counts[codes[i] as number] as number) * (counts[codes[j] as number] as number)
          if (weight === 0) continue
          const [own, other] = [losses[i] as (typeof losses)[0], losses[j] as (typeof losses)[0]]
          total += weight
          gained += weight * (wins(own[1], other[1]) - wins(own[0], other[0]))
        }
      }
    return total === 0 ? null : gained / total
  }
  const stream = analysisStream(seed, `proficiency/paired ${label}`)
  return clusterBootstrap(new Set(codes).size, pairs.length, statistic, { stream, draws: DRAWS })
}

const wins = (inside: number, outside: number): number => (inside < outside ? 1 : inside === outside ? 0.5 : 0)
