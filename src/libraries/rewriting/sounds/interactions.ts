import { applyLaw, applyLaws, historyOf, sitesOf, type Word } from './apply.ts'
import type { SoundLaw } from './law.ts'

export const interactions = ['feeding', 'bleeding', 'counterfeeding', 'counterbleeding'] as const
export type Interaction = (typeof interactions)[number]

/** What an earlier law and a later one do to one another in some words. */
export interface Pair {
  readonly earlier: number
  readonly later: number
  /** In how many words each happens: the earlier makes or takes places of the later, or the later would have, had it come first. */
  readonly words: { readonly [interaction in Interaction]: number }
}

/** Words on their way through laws, of which is asked what two of the laws do to one another. */
export class Derivations {
  /** By word: before any law, and after each; null: it outgrew every bound. */
  readonly histories: readonly (readonly (Word | null)[])[]
  private readonly laws: readonly SoundLaw[]

  constructor(laws: readonly SoundLaw[], words: readonly Word[]) {
    this.laws = laws
    this.histories = words.map((word) => historyOf(laws, word))
  }

  /** The four counts of one pair. */
  pair(earlier: number, later: number): Pair {
    const met = { feeding: 0, bleeding: 0, counterfeeding: 0, counterbleeding: 0 }
    for (const kind of this.meetings(earlier, later)) met[kind]++
    return { earlier, later, words: met }
  }

  /** Does either do anything to the other, in some word? */
  meet(earlier: number, later: number): boolean {
    return this.meetings(earlier, later).next().done !== true
  }

  private *meetings(earlier: number, later: number): Generator<Interaction> {
    const [a, b] = [this.laws[earlier] as SoundLaw, this.laws[later] as SoundLaw]
    const between = this.laws.slice(earlier + 1, later)
    for (const states of this.histories) {
      const [start, next] = [states[earlier] ?? null, states[earlier + 1] ?? null]
      if (start === null) continue
      // Only where a law changes a word can it make or take places of the other.
      if (next !== start) {
        const made = gain(b, states[later] ?? null, applyLaws(between, start))
        if (made !== 0) yield made > 0 ? 'feeding' : 'bleeding'
      }
      const first = applyLaw(b, start)
      if (first !== start) {
        const missed = gain(a, first, start)
        if (missed !== 0) yield missed > 0 ? 'counterfeeding' : 'counterbleeding'
      }
    }
  }
}

/** Every pair of laws in the order of a history that meet in some of the words. */
export function interactionsOf(laws: readonly SoundLaw[], words: readonly Word[]): readonly Pair[] {
  const derivations = new Derivations(laws, words)
  const pairs = laws.flatMap((_, later) => laws.slice(0, later).map((_, earlier) => derivations.pair(earlier, later)))
  return pairs.filter(({ words: met }) => interactions.some((one) => met[one] > 0))
}

/** How many more places a law has in one word than in another. */
const gain = (law: SoundLaw, some: Word | null, other: Word | null): number =>
  some === null || other === null ? 0 : sitesOf(law, some).length - sitesOf(law, other).length
