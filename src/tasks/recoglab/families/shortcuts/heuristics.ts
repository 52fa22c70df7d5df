import { choices, type Question } from '../question.ts'

/** A rule over the two asked about, by position; for other questions the given fallback among the choices. */
const ofTwo =
  (secondWins: (one: string, two: string, question: Question) => boolean) =>
  (question: Question): string => {
    const all = choices(question)
    if (all.length === 0) return 'N/A'
    const [one = '', two = ''] = all
    return secondWins(one, two, question) ? two : one
  }

/** Cheap rules that must not do better than chance. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  'first-named': ofTwo(() => false),
  'second-named': ofTwo(() => true),
  alphabetical: ofTwo((one, two) => two < one),
  'longer-name': ofTwo((one, two) => two.length > one.length),
  'later-record': ofTwo((_, __, { given: { ask } }) => {
    const [a, b] = ask.kind === 'larger' ? ask.families : ask.kind === 'older' ? ask.people.map(([f]) => f) : [0, 0]
    return (b as number) > (a as number)
  }),
}
