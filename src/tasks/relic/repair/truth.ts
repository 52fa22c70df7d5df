import {
  type CheckedSteps,
  type Grade,
  isArray,
  isObject,
  type Json,
  type Parsers,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { namedRule } from '../grammars/derivation.ts'
import { checkDerivationLines, derivationLines } from '../grammars/derivation-lines.ts'
import { analyzerOf, liftedOf, printedRules, type Shared, tokensOf } from '../grammars/grammar.ts'
import { lenientTokens, strictTokens } from '../grammars/sequences.ts'
import { isMember, readString } from '../grammars/text-earley.ts'
import type { Answer, Given } from './draw.ts'
import { editDistance, oracle } from './oracle.ts'
import type { RepairQuestion } from './prompt.ts'

type RepairProblem = Problem<Shared, Given, Answer>

export const parsers: Parsers<Shared, Given, Answer> = {
  strict: (text, { shared }) => strictTokens(text, shared),
  lenient: (text, { shared }) => lenientTokens(text, shared),
}

const edits = (given: Given, answer: Answer): number => editDistance(given.string.split(' '), answer)

/**
 * 1 for a string of the language with the fewest edits. Subscores: `member`, does it belong to the language; `excess`, 1 for
 * the fewest edits, 0 for twice as many and for strings that do not belong.
 */
export function grade({ shared, given, answer: nearest }: RepairProblem, answer: Answer): Grade {
  const member = isMember(readString(shared, answer))
  const least = edits(given, nearest)
  const used = edits(given, answer)
  return {
    value: member && used === least ? 1 : 0,
    parts: { member: member ? 1 : 0, excess: member ? Math.max(0, 2 - used / least) : 0 },
  }
}

const rulesOf = ({ shared, answer }: RepairProblem): readonly number[] =>
  analyzerOf(shared).derivation(tokensOf(shared, answer.join(' '))) ?? []

/** A derivation of the answer; that none is nearer is checked by neighbourhoods. */
export const witness = (problem: RepairProblem): Json => ({ rules: [...rulesOf(problem)] })

export function check(problem: RepairProblem, proof: Json): boolean {
  const rules = isObject(proof) ? (proof as { readonly [key: string]: Json | undefined })['rules'] : undefined
  const { shared, answer } = problem
  return (
    rules !== undefined &&
    isArray(rules) &&
    rules.every((rule) => typeof rule === 'number') &&
    checkDerivation(liftedOf(shared).cnf, tokensOf(shared, answer.join(' ')), rules) &&
    oracle(problem, answer)
  )
}

export const gold = ({ answer }: RepairProblem): string => `Answer: ${answer.join(' ')}`

/** A derivation of the changed string, then the string. */
export const solution = (problem: RepairProblem): readonly SolutionStep[] => [
  ...derivationLines(problem.shared, printedRules(problem.shared, rulesOf(problem)).map(namedRule)),
  gold(problem),
]

/** Lines of a derivation of the string that the text ends with, and that string. */
export function checkSteps(question: RepairQuestion, text: string): CheckedSteps {
  const { shared } = question
  const final = parsers.strict(text, question)
  if (final.kind === 'unparsed') return { steps: [], unknown: [] }
  const { steps, unknown } = checkDerivationLines(shared, tokensOf(shared, final.answer.join(' ')), text)
  const holds = oracle(question, final.answer)
  steps.push({ span: final.span, holds, decides: holds ? final.answer.join(' ') : null })
  return { steps, unknown }
}
