import { type Mood, nothing, options, type Proposition, type Question, sentence } from '../question.ts'
import { countermodel, modelOf } from './entail.ts'

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

/** The answer by 2-SAT; null where the statements contradict each other or not exactly one of the choices is right. */
export function solve(question: Question): string | null {
  const { ask, terms } = question.given
  if (ask.kind === 'judge') return entailed(question, [ask.conclusion]).length === 1 ? 'Yes' : 'No'
  const among = options(question) as readonly Proposition[]
  const { premises, existentialImport } = question.given
  if (modelOf(terms.length, premises, existentialImport) === null) return null
  const found = entailed(question, among)
  if (found.length === 0 && ask.none) return nothing
  return found.length === 1 ? sentence(found[0] as Proposition, terms) : null
}

export const oracle = (question: Question, answer: string): boolean => solve(question) === answer
