import { shownEdges } from '../prompt.ts'
import type { Question } from '../question.ts'

const touches = (question: Question, v: number): number =>
  question.given.edges.filter(([a, b]) => a === v || b === v).length

function bestBy(question: Question, score: (v: number) => number): string {
  const { ask, people } = question.given
  let best = -1
  for (const v of ('among' in ask && ask.kind !== 'hops' ? ask.among : null) ?? people.keys()) {
    if ('from' in ask && v === ask.from) continue
    if (best === -1 || score(v) > score(best)) best = v
  }
  return people[Math.max(0, best)] as string
}

/** For a number asked, a person-based rule has no say: the middle of the range by how often the two are mentioned. */
const byPerson =
  (score: (question: Question, v: number) => number) =>
  (question: Question): string => {
    const { ask, people } = question.given
    if (ask.kind !== 'hops') return bestBy(question, (v) => score(question, v))
    return score(question, ask.from) + score(question, ask.to) > people.length / 2 ? '1' : '2'
  }

const lastMention = (question: Question, v: number): number =>
  shownEdges(question).findLastIndex(([a, b]) => a === v || b === v)

/** Cheap rules that must not do better than chance; they do not look for ways. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  alphabetical: byPerson((_, v) => v),
  'mentioned-most': byPerson((question, v) => touches(question, v)),
  'mentioned-last': byPerson(lastMention),
  'mentioned-first': byPerson((question, v) => -shownEdges(question).findIndex(([a, b]) => a === v || b === v)),
  'name-length': byPerson((question, v) => (question.given.people[v] as string).length),
}
