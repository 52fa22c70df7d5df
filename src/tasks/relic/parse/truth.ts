import {
  type CheckedSteps,
  isArray,
  isObject,
  type Json,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { fenced } from '../grammars/asking.ts'
import { bracketed, type Derivation } from '../grammars/derivation.ts'
import { checkDerivationLines, derivationLines } from '../grammars/derivation-lines.ts'
import { analyzerOf, liftedOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import type { Given } from './draw.ts'
import { oracle } from './oracle.ts'
import { lenient } from './parsers.ts'
import type { ParseQuestion } from './prompt.ts'

type ParseProblem = Problem<Shared, Given, Derivation>

/** The derivation of the grammar in Chomsky normal form, as rule numbers. */
export const witness = ({ shared, given }: ParseProblem): Json => ({
  rules: analyzerOf(shared).derivation(tokensOf(shared, given.string)) ?? [],
})

/** Replays the witness, and the answer beside it. */
export function check(problem: ParseProblem, proof: Json): boolean {
  const rules = isObject(proof) ? (proof as { readonly [key: string]: Json | undefined })['rules'] : undefined
  const { shared, given, answer } = problem
  return (
    rules !== undefined &&
    isArray(rules) &&
    rules.every((rule) => typeof rule === 'number') &&
    checkDerivation(liftedOf(shared).cnf, tokensOf(shared, given.string), rules) &&
    oracle(problem, answer)
  )
}

export const gold = ({ shared, answer }: ParseProblem): string => fenced(bracketed(shared, answer))

/** The derivation, one rule a line with the tokens that it covers, then the tree. */
export const solution = (problem: ParseProblem): readonly SolutionStep[] => [
  ...derivationLines(problem.shared, problem.answer),
  gold(problem),
]

/** Lines of a derivation, and the last tree in brackets. */
export function checkSteps({ shared, given }: ParseQuestion, text: string): CheckedSteps {
  const { steps, unknown } = checkDerivationLines(shared, tokensOf(shared, given.string), text)
  const tree = lenient(text, { shared, given })
  if (tree.kind === 'extracted' && tree.rule.endsWith('tree')) {
    const holds = oracle({ shared, given }, tree.answer)
    steps.push({ span: tree.span, holds, decides: holds ? fenced(bracketed(shared, tree.answer)) : null })
  }
  return { steps, unknown }
}
