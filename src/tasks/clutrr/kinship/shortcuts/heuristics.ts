import { choices, type Fact, kinOf, type Question } from '../question.ts'
import { shownFacts } from '../shown.ts'

/** A rule that names a word, as one of the options; the first option where it names none of them. */
const byWord =
  (rule: (facts: readonly Fact[], asked: readonly [number, number]) => string | undefined) =>
  (question: Question): string => {
    const { given, shared } = question
    const options = choices(question)
    const word = given.kind === 'story' ? undefined : rule(shownFacts(shared, given), given.asked)
    return word !== undefined && options.includes(word) ? word : (options[0] as string)
  }

/** The word of the one's gender for the kin of another's. */
const most = (words: readonly string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0]
}

/** Cheap rules that must not do better than chance. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  'first-option': byWord(() => undefined),
  'last-option': (question) => choices(question).at(-1) as string,
  'own-word': byWord((facts, [who]) => facts.find(([a]) => a === who)?.[1]),
  'most-common-word': byWord((facts) => most(facts.map(([, word]) => word))),
  // Ups less downs over the whole story, as if it were one chain.
  generations: byWord((facts, [who]) => {
    const gender = kinOf(facts.find(([a]) => a === who)?.[1] ?? '')?.gender
    const ups = facts.filter(([, word]) => kinOf(word)?.kin === 'parent').length
    const downs = facts.filter(([, word]) => kinOf(word)?.kin === 'child').length
    return gender === undefined
      ? undefined
      : ups > downs
        ? gender === 'f'
          ? 'aunt'
          : 'uncle'
        : gender === 'f'
          ? 'niece'
          : 'nephew'
  }),
}
