import { countermodel, modelOf } from './entail.ts'
import { type Mood, options, type Proposition, type Question, sentence } from './question.ts'

/**
 * What follows, by 2-SAT on the premises alone: the options that are true in every model of them. With existential
 * import the weaker ones (Some under All, Some-not under No) are left out, since the strongest is asked for.
 */
export function entailed({ given }: Question, among: readonly Proposition[]): readonly Proposition[] {
  const { terms, premises, existentialImport } = given
  if (modelOf(terms.length, premises, existentialImport) === null) return []
  const found = among.filter((option) => countermodel(terms.length, premises, option, existentialImport) === null)
  const has = (mood: Mood) => found.some(([other]) => other === mood)
  return found.filter(([mood]) => !(mood === 'I' && has('A')) && !(mood === 'O' && has('E')))
}

/** The answer by 2-SAT, or null where it is not exactly one of the four. */
export function solve(question: Question): string | null {
  const among = options(question)
  const { ask, terms } = question.given
  if (among === null) return ask.kind === 'judge' && entailed(question, [ask.conclusion]).length === 1 ? 'Yes' : 'No'
  const found = entailed(question, among)
  return found.length === 1 ? sentence(found[0] as Proposition, terms) : null
}

export const oracle = (question: Question, answer: string): boolean => solve(question) === answer
