import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  isObject,
  type Json,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { BLANK, templateAnalyzer } from '../../../libraries/grammars/recognise/template.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { stringDrawing } from '../grammars/drawings.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import { codeOf } from '../grammars/present.ts'
import { END, strictTokens } from '../grammars/sequences.ts'
import { textOf } from '../grammars/strings.ts'
import type { Answer, Given } from './draw.ts'
import { continuationsOf, oracle } from './oracle.ts'
import type { NextQuestion } from './prompt.ts'

type NextProblem = Problem<Shared, Given, Answer>

/** Most tokens behind the beginning of a completion. */
const MAX_BEHIND = 40

/** The shortest string of the language that begins so, with its derivation. */
function completion(shared: Shared, tokens: readonly number[]) {
  const analyzer = templateAnalyzer(liftedOf(shared).cnf)
  for (let behind = 0; behind <= MAX_BEHIND; behind++) {
    const found = analyzer.fill([...tokens, ...new Array<number>(behind).fill(BLANK)])
    if (found !== null) return found
  }
  return null
}

const begun = ({ shared, given }: NextQuestion, name: string): readonly number[] =>
  tokensOf(shared, name === END ? given.beginning : `${given.beginning} ${name}`)

/** For each token of the answer a string that begins so, with its derivation. */
export const witness = (problem: NextProblem): Json =>
  Object.fromEntries(
    problem.answer.map((name) => {
      const tokens = begun(problem, name)
      const found =
        name === END
          ? { tokens, derivation: analyzerOf(problem.shared).derivation(tokens) ?? [] }
          : completion(problem.shared, tokens)
      return [
        name,
        found === null ? null : { string: textOf(problem.shared, found.tokens), rules: [...found.derivation] },
      ]
    }),
  )

/** Replays each derivation; that no other token may follow is checked by Earley's algorithm. */
export function check(problem: NextProblem, proof: Json): boolean {
  if (!isObject(proof)) return false
  const { shared, answer } = problem
  const proofs = proof as { readonly [name: string]: Json }
  if (Object.keys(proofs).length !== answer.length) return false
  for (const name of answer) {
    const own = proofs[name]
    if (own === undefined || !isObject(own)) return false
    const { string, rules } = own as { readonly [key: string]: Json }
    if (typeof string !== 'string' || !Array.isArray(rules) || !rules.every((rule) => typeof rule === 'number'))
      return false
    const tokens = tokensOf(shared, string)
    const start = begun(problem, name)
    const begins = start.every((token, at) => tokens[at] === token) && (name !== END || tokens.length === start.length)
    if (!begins || !checkDerivation(liftedOf(shared).cnf, tokens, rules)) return false
  }
  return oracle(problem, answer)
}

export const gold = ({ answer }: NextProblem): string => `Answer: ${answer.join(' ')}`

/** For each token a string of the language that begins so; the first is the reason. */
export function solution(problem: NextProblem): readonly SolutionStep[] {
  const lines = problem.answer.map((name, at): SolutionStep => {
    const tokens = begun(problem, name)
    const found = name === END ? { tokens } : completion(problem.shared, tokens)
    const text = `${name}: ${found === null ? '' : textOf(problem.shared, found.tokens)}`
    return at === 0 ? text : fullOnly(text)
  })
  return [
    {
      reason: 'A token that may come next, with a string of the language that begins so.',
      short: 'A token that may come next, with a string of the language that begins so.',
      full: 'Each token that may come next, with a string of the language that begins so; END with the tokens themselves.',
    },
    ...lines,
    gold(problem),
  ]
}

/** The derivation of a string for each token that may come next. */
export const drawings = (problem: NextProblem): readonly Json[] =>
  problem.answer.flatMap((name) => {
    const found = name === END ? { tokens: begun(problem, name) } : completion(problem.shared, begun(problem, name))
    return found === null ? [] : stringDrawing(problem.shared, textOf(problem.shared, found.tokens))
  })

const STEP = /^\s{0,8}([\p{L}\p{N}_]{1,64}): ([\p{L}\p{N}_ ]{1,1900}?)\s{0,8}$/u

/** Lines `t3: t1 t2 t3 t7`: does the string begin so, and is it in the language? And the answer itself. */
export function checkSteps(question: NextQuestion, text: string): CheckedSteps {
  const { shared } = question
  const steps: CheckedStep[] = []
  const unknown: string[] = []
  let start = 0
  for (const line of text.split('\n')) {
    const match = line.length <= 2000 ? STEP.exec(line) : null
    if (match !== null && match[1] !== 'Answer') {
      const [name, ...string] = [match[1], ...(match[2] as string).split(/ +/u)].map((word) =>
        codeOf(shared, word as string),
      )
      const tokens = tokensOf(shared, string.join(' '))
      const wanted = begun(question, name as string)
      if (tokens.includes(-1)) unknown.push(...string.filter((_, at) => tokens[at] === -1))
      const begins =
        wanted.every((token, at) => tokens[at] === token) && (name !== END || tokens.length === wanted.length)
      const holds = begins && !tokens.includes(-1) && analyzerOf(shared).chart(tokens).has(0, 0, tokens.length)
      steps.push({ span: [start, start + line.length], holds, decides: null })
    }
    start += line.length + 1
  }
  const final = strictTokens(text, shared)
  if (final.kind === 'extracted') {
    const holds = oracle(question, final.answer)
    steps.push({ span: final.span, holds, decides: holds ? inOrder(shared, continuationsOf(question)) : null })
  }
  return { steps, unknown }
}

/** Tokens in the order of their numbers, as the answer has them. */
function inOrder(shared: Shared, names: readonly string[]): string {
  const known = [...symbolsOf(shared).tokens.keys(), END]
  return known.filter((name) => names.includes(name)).join(' ')
}
