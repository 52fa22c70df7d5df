import { applyLaws, sitesOf, type Word } from './apply.ts'
import type { Law } from './law.ts'

export const interactions = ['feeding', 'bleeding', 'counterfeeding', 'counterbleeding'] as const
export type Interaction = (typeof interactions)[number]

/** What an earlier law and a later one do to one another in some words. */
export interface Pair {
  readonly earlier: number
  readonly later: number
  /** In how many words each happens: the earlier makes or takes places of the later, or the later would have, had it come first. */
  readonly words: { readonly [interaction in Interaction]: number }
}

/** Every pair of laws in the order of a history that meet in some of the words. */
export function interactionsOf(laws: readonly Law[], words: readonly Word[]): readonly Pair[] {
  const pairs = laws.flatMap((_, later) =>
    laws.slice(0, later).map((_, earlier) => pairOf(laws, words, earlier, later)),
  )
  return pairs.filter(({ words: met }) => interactions.some((one) => met[one] > 0))
}

/** The four counts of one pair. */
export function pairOf(laws: readonly Law[], words: readonly Word[], earlier: number, later: number): Pair {
  const [a, b] = [laws[earlier] as Law, laws[later] as Law]
  const [before, between] = [laws.slice(0, earlier), laws.slice(earlier + 1, later)]
  const met = { feeding: 0, bleeding: 0, counterfeeding: 0, counterbleeding: 0 }
  for (const word of words) {
    const start = applyLaws(before, word)
    if (start === null) continue
    const made = gain(b, start, [a, ...between], between)
    if (made > 0) met.feeding++
    if (made < 0) met.bleeding++
    const missed = gain(a, start, [b], [])
    if (missed > 0) met.counterfeeding++
    if (missed < 0) met.counterbleeding++
  }
  return { earlier, later, words: met }
}

/** How many more places a law has after some laws than after others. */
function gain(law: Law, word: Word, some: readonly Law[], others: readonly Law[]): number {
  const [with_, without] = [applyLaws(some, word), applyLaws(others, word)]
  return with_ === null || without === null ? 0 : sitesOf(law, with_).length - sitesOf(law, without).length
}
