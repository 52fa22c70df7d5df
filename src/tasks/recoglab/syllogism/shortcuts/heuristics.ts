import { choices, type Mood, moods, type Proposition, type Question } from '../question.ts'
import { shownPremises } from '../shown.ts'

/** A rule that picks a mood, as one of the choices; for a judged conclusion: Yes where it is the picked one. */
const byMood =
  (rule: (premises: readonly Proposition[], question: Question) => Mood) =>
  (question: Question): string => {
    const mood = rule(shownPremises(question), question)
    const { ask } = question.given
    if (ask.kind === 'judge') return ask.conclusion[0] === mood ? 'Yes' : 'No'
    return choices(question)[moods.indexOf(mood)] as string
  }

const has = (premises: readonly Proposition[], wanted: string): boolean =>
  premises.some(([mood]) => wanted.includes(mood))

/** Particular if any premise is, negative if any premise is (Woodworth and Sells 1935). */
function atmosphere(premises: readonly Proposition[]): Mood {
  if (has(premises, 'EO')) return has(premises, 'IO') ? 'O' : 'E'
  return has(premises, 'I') ? 'I' : 'A'
}

const subjectOf = ({ given: { ask } }: Question): number => (ask.kind === 'judge' ? ask.conclusion[1] : ask.subject)
const predicateOf = ({ given: { ask } }: Question): number => (ask.kind === 'judge' ? ask.conclusion[2] : ask.predicate)

/** Cheap rules that must not do better than chance. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  atmosphere: byMood(atmosphere),
  // The most conservative mood among the premises (Wetherick and Gilhooly 1995): E, then O, then I, then A.
  matching: byMood((premises) => (['E', 'O', 'I', 'A'] as const).find((mood) => has(premises, mood)) as Mood),
  'first-mood': byMood((premises) => (premises[0] as Proposition)[0]),
  'last-mood': byMood((premises) => (premises.at(-1) as Proposition)[0]),
  'most-common-mood': byMood((premises) => {
    const count = (mood: Mood) => premises.filter(([m]) => m === mood).length
    return [...moods].sort((a, b) => count(b) - count(a) || moods.indexOf(a) - moods.indexOf(b))[0] as Mood
  }),
  'alphabetical-order': byMood((_, question) => (subjectOf(question) < predicateOf(question) ? 'A' : 'E')),
}
