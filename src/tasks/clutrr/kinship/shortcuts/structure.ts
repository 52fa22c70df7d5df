import { canonicalJson } from '../../../../core/canonical-json.ts'
import type { Json } from '../../../../core/json.ts'
import type { AnonymizedQuestion } from '../../../../core/task.ts'
import type { Question } from '../question.ts'
import { shownFacts } from '../shown.ts'

/** Sentences by word. A published story is text, of which only the two asked about are known. */
export function structure({ shared, given }: Question): AnonymizedQuestion {
  if (given.kind === 'story') return { kind: 'statements', statements: [], question: 'kin', asked: [0, 1] }
  return {
    kind: 'statements',
    statements: shownFacts(shared, given).map(([who, word, of]) => ({ kind: word, places: [who, of] })),
    question: 'kin',
    asked: given.asked,
  }
}

/** Twins have one story, and the same options. */
export function signature({ given }: Question): Json {
  if (given.kind === 'story') return [given.story]
  return [given.people, given.facts, given.options]
}

/** Names are content; the order of sentences is not. */
export function canonical({ given }: Question): string {
  if (given.kind === 'story') return canonicalJson([given.story, given.asked])
  const { people, facts, asked } = given
  return canonicalJson({
    facts: facts.map(([who, word, of]) => `${people[who]} ${word} ${people[of]}`).sort(),
    asked: asked.map((person) => people[person]),
  })
}
