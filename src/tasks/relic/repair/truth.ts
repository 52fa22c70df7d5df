import {
  type CheckedSteps,
  type Grade,
  isArray,
  isObject,
  type Json,
  memoize,
  type Parsers,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { editDistance } from '../../../libraries/grammars/recognise/distance.ts'
import { compileEarley } from '../../../libraries/grammars/recognise/earley.ts'
import { type NeighbourhoodKernel, neighbourhoodKernel } from '../../../libraries/grammars/recognise/neighbourhood.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { namedRule } from '../grammars/derivation.ts'
import { checkDerivationLines, derivationLines } from '../grammars/derivation-lines.ts'
import { analyzerOf, liftedOf, printedRules, type Shared, tokensOf } from '../grammars/grammar.ts'
import { lenientTokens, strictTokens } from '../grammars/sequences.ts'
import type { Answer, Given } from './draw.ts'
import type { RepairQuestion } from './prompt.ts'

type RepairProblem = Problem<Shared, Given, Answer>

export const parsers: Parsers<Shared, Given, Answer> = {
  strict: (text, { shared }) => strictTokens(text, shared),
  lenient: (text, { shared }) => lenientTokens(text, shared),
}

const recognizerOf = memoize((shared: Shared) => compileEarley(liftedOf(shared).cnf))
const isMember = (shared: Shared, answer: Answer): boolean =>
  recognizerOf(shared).accepts(tokensOf(shared, answer.join(' ')))

const edits = (given: Given, answer: Answer): number => editDistance(given.string.split(' '), answer)

/**
 * 1 for a string of the language with the fewest edits. Subscores: `member`, does it belong to the language; `excess`, 1 for
 * the fewest edits, 0 for twice as many and for strings that do not belong.
 */
export function grade({ shared, given, answer: nearest }: RepairProblem, answer: Answer): Grade {
  const member = isMember(shared, answer)
  const least = edits(given, nearest)
  const used = edits(given, answer)
  return {
    value: member && used === least ? 1 : 0,
    parts: { member: member ? 1 : 0, excess: member ? Math.max(0, 2 - used / least) : 0 },
  }
}

const kernelOf = memoize((shared: Shared) => neighbourhoodKernel(liftedOf(shared).cnf))

/** Is a string of the language within so many edits of a string? By neighbourhoods: all strings one edit away, and so on. */
function hasMemberWithin(shared: Shared, tokens: readonly number[], most: number): boolean {
  if (most === 0) return tokens.length > 0 && recognizerOf(shared).accepts(tokens)
  const found = kernelOf(shared)(tokens)
  if (anyMember(found)) return true
  if (most === 1) return false
  const size = liftedOf(shared).cnf.terminals.length
  const every = Array.from({ length: size }, (_, token) => token)
  for (let at = 0; at <= tokens.length; at++) {
    const [before, behind] = [tokens.slice(0, at), tokens.slice(at)]
    if (every.some((token) => hasMemberWithin(shared, [...before, token, ...behind], most - 1))) return true
    if (at === tokens.length) continue
    if (every.some((token) => hasMemberWithin(shared, [...before, token, ...behind.slice(1)], most - 1))) return true
    if (hasMemberWithin(shared, [...before, ...behind.slice(1)], most - 1)) return true
  }
  return false
}

const anyMember = ({ member, substitutions, insertions, deletions }: ReturnType<NeighbourhoodKernel>): boolean =>
  member || [substitutions, insertions, deletions].some((sets) => sets.some((bits) => bits !== 0))

/** Whether no string of the language is nearer than `distance`, remembered by question. */
const nearerOf = memoize((_given: Given) => new Map<number, boolean>())

export function oracle({ shared, given }: RepairQuestion, answer: Answer): boolean {
  const distance = edits(given, answer)
  if (distance === 0 || distance > MAX_DISTANCE || !isMember(shared, answer)) return false
  const known = nearerOf(given)
  const nearer = known.get(distance) ?? hasMemberWithin(shared, tokensOf(shared, given.string), distance - 1)
  known.set(distance, nearer)
  return !nearer
}
/** Neighbourhoods of more edits take too long. */
const MAX_DISTANCE = 3

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
