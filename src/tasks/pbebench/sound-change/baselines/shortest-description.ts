import { applyLaw, applyLaws, type Law, lawSize, type Word } from '../../../../rewriting/sounds/index.ts'
import { distanceOf } from './alignment.ts'
import { candidatesOf, gainBound, variantsOf } from './candidates.ts'

/** Laws, and how many lists of laws were tried. */
export interface Found {
  readonly laws: readonly Law[]
  readonly steps: number
}

/** Candidates looked at for one law. */
const MOST_CANDIDATES = 400
const ROUNDS = 4

/** What it takes to say the laws, and then to correct by hand what they leave wrong. */
const lengthOf = (laws: readonly Law[]): number => laws.reduce((sum, law) => sum + lawSize(law) + 1, 0)
const errorOf = (made: Word | null, target: Word): number => (made === null ? 1000 : distanceOf(made, target))

/**
 * The shortest description of younger words by laws and corrections: laws are added at the end as long as each saves more than
 * it costs, then made wider, narrower, moved and dropped, and so on in turns. Every choice is the first best one: it needs no chance.
 */
export function shortestDescription(
  words: readonly Word[],
  targets: readonly Word[],
  most: number,
  budget: number,
): Found {
  let laws: readonly Law[] = []
  let steps = 0
  const total = (list: readonly Law[]): number => {
    steps++
    return lengthOf(list) + words.reduce((sum, word, i) => sum + errorOf(applyLaws(list, word), targets[i] as Word), 0)
  }
  let best = total(laws)
  for (let round = 0; round < ROUNDS && steps < budget; round++) {
    const before = best
    for (let grown = true; grown && laws.length < most && steps < budget; ) {
      const law = bestAddition(laws)
      grown = law !== null
      if (law !== null) laws = [...laws, law]
      best = total(laws)
    }
    for (let better = true; better && steps < budget; ) {
      const next = firstBetter()
      better = next !== null
      if (next !== null) laws = next
    }
    if (best === before) break
  }
  return { laws, steps }

  function bestAddition(list: readonly Law[]): Law | null {
    const now = words.map((word) => applyLaws(list, word) ?? word)
    const errors = now.map((word, i) => errorOf(word, targets[i] as Word))
    let [chosen, most]: [Law | null, number] = [null, 0]
    for (const candidate of candidatesOf(now, targets, MOST_CANDIDATES)) {
      if (gainBound(candidate) <= most || steps >= budget) break
      steps++
      const { law } = candidate
      let gain = -lawSize(law) - 1
      for (const [i, word] of now.entries()) {
        const after = applyLaw(law, word)
        if (after !== word) gain += (errors[i] as number) - errorOf(after, targets[i] as Word)
      }
      if (gain > most) [chosen, most] = [law, gain]
    }
    return chosen
  }

  /** The first change of the list that makes the description shorter. */
  function firstBetter(): readonly Law[] | null {
    for (const list of changesOf(laws)) {
      if (steps >= budget) return null
      const length = total(list)
      if (length >= best) continue
      best = length
      return list
    }
    return null
  }
}

function* changesOf(laws: readonly Law[]): Generator<readonly Law[]> {
  for (const k of laws.keys()) yield laws.toSpliced(k, 1)
  for (const [k, law] of laws.entries()) for (const variant of variantsOf(law)) yield laws.with(k, variant)
  for (const [k, law] of laws.entries())
    for (const to of laws.keys()) if (to !== k) yield laws.toSpliced(k, 1).toSpliced(to, 0, law)
}
