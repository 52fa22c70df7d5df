import { negative, positive, solveTwoSat, type TwoSat } from '../../../libraries/graphs/two-sat.ts'
import { candidates, type Given, nothing, type Proposition, type Question, sentence, strongest } from './question.ts'

/**
 * The answer by 2-SAT: the candidate that holds in every model of the premises, with existential import the strongest; null
 * where the statements contradict each other or not exactly one of the choices is right.
 */
export function solve({ given }: Question): string | null {
  const { ask, terms, premises, existentialImport } = given
  const consistent = modelOf(terms.length, premises, existentialImport) !== null
  const found = strongest(
    candidates(given).filter(
      (option) => consistent && countermodel(terms.length, premises, option, existentialImport) === null,
    ),
  )
  if (ask.kind === 'judge') return found.length === 1 ? 'Yes' : 'No'
  if (!consistent) return null
  if (found.length === 0 && ask.none) return nothing
  return found.length === 1 ? sentence(found[0] as Proposition, terms) : null
}

export const oracle = (question: Question, answer: string): boolean => solve(question) === answer

type Clause = TwoSat['clauses'][number]

const universal = ([mood, s, p]: Proposition): Clause =>
  mood === 'A' ? [negative(s), positive(p)] : [negative(s), negative(p)]
const someone = ([mood, s, p]: Proposition): readonly Clause[] => [
  [positive(s)],
  [mood === 'I' ? positive(p) : negative(p)],
]

const opposite = ([mood, s, p]: Proposition): Proposition => [({ A: 'O', E: 'I', I: 'E', O: 'A' } as const)[mood], s, p]

/**
 * Kinds of individual (which terms each belongs to) that make all propositions true, one for every "some" (and, with
 * existential import, one for every term), or null where they contradict each other. Universal statements are
 * 2-clauses over the terms; each "some" needs an individual that satisfies them and two unit clauses.
 */
export function modelOf(
  terms: number,
  propositions: readonly Proposition[],
  existentialImport: boolean,
): readonly (readonly number[])[] | null {
  const rules = propositions.filter(([mood]) => mood === 'A' || mood === 'E').map(universal)
  const needs = propositions.filter(([mood]) => mood === 'I' || mood === 'O').map(someone)
  if (existentialImport) for (let t = 0; t < terms; t++) needs.push([[positive(t)]])
  const model: number[][] = []
  for (const need of needs) {
    const values = solveTwoSat({ variables: terms, clauses: [...rules, ...need] })
    if (values === null) return null
    model.push(values.flatMap((value, t) => (value ? [t] : [])))
  }
  return model
}

/** A model of the premises in which the conclusion is false, or null where it follows. */
export const countermodel = (
  terms: number,
  premises: readonly Proposition[],
  conclusion: Proposition,
  existentialImport: boolean,
): readonly (readonly number[])[] | null => modelOf(terms, [...premises, opposite(conclusion)], existentialImport)

/** Is the proposition true of these kinds of individual? With import a class that is empty makes any A or E false. */
export function holds(model: readonly (readonly number[])[], [mood, s, p]: Proposition): boolean {
  switch (mood) {
    case 'A':
      return model.every((kind) => !kind.includes(s) || kind.includes(p))
    case 'E':
      return model.every((kind) => !kind.includes(s) || !kind.includes(p))
    case 'I':
      return model.some((kind) => kind.includes(s) && kind.includes(p))
    case 'O':
      return model.some((kind) => kind.includes(s) && !kind.includes(p))
  }
}

/** Do the premises hold of these kinds of individual, each class with one where classes are not empty? */
export const isModel = (given: Given, kinds: readonly (readonly number[])[]): boolean =>
  (!given.existentialImport || given.terms.every((_, t) => kinds.some((kind) => kind.includes(t)))) &&
  given.premises.every((premise) => holds(kinds, premise))
