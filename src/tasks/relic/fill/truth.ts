import {
  type CheckedSteps,
  isArray,
  isObject,
  type Json,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { namedRule } from '../grammars/derivation.ts'
import { checkDerivationLines, derivationLines } from '../grammars/derivation-lines.ts'
import { analyzerOf, liftedOf, printedRules, type Shared, tokensOf } from '../grammars/grammar.ts'
import { parsers } from './answers.ts'
import type { Answer, Given } from './draw.ts'
import { oracle } from './oracle.ts'
import type { FillQuestion } from './prompt.ts'

type FillProblem = Problem<Shared, Given, Answer>

const rulesOf = ({ shared, answer }: FillProblem): readonly number[] =>
  analyzerOf(shared).derivation(tokensOf(shared, answer.join(' '))) ?? []

/** A derivation of the answer: rules of the grammar in Chomsky normal form. */
export const witness = (problem: FillProblem): Json => ({ rules: [...rulesOf(problem)] })

export function check(problem: FillProblem, proof: Json): boolean {
  const rules = isObject(proof) ? (proof as { readonly [key: string]: Json | undefined })['rules'] : undefined
  const { shared, given, answer } = problem
  const places = given.template.split(' ')
  return (
    rules !== undefined &&
    isArray(rules) &&
    rules.every((rule) => typeof rule === 'number') &&
    answer.length === places.length &&
    places.every((place, at) => place === '_' || place === answer[at]) &&
    checkDerivation(liftedOf(shared).cnf, tokensOf(shared, answer.join(' ')), rules)
  )
}

export const gold = ({ answer }: FillProblem): string => `Answer: ${answer.join(' ')}`

/** A derivation of the whole string, then the string. */
export const solution = (problem: FillProblem): readonly SolutionStep[] => [
  ...derivationLines(problem.shared, printedRules(problem.shared, rulesOf(problem)).map(namedRule)),
  gold(problem),
]

/** Lines of a derivation of the string that the text ends with, and that string. */
export function checkSteps(question: FillQuestion, text: string): CheckedSteps {
  const { shared } = question
  const final = parsers.strict(text, question)
  if (final.kind === 'unparsed') return { steps: [], unknown: [] }
  const { steps, unknown } = checkDerivationLines(shared, tokensOf(shared, final.answer.join(' ')), text)
  const holds = oracle(question, final.answer)
  steps.push({ span: final.span, holds, decides: holds ? final.answer.join(' ') : null })
  return { steps, unknown }
}
