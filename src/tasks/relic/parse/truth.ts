import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  isArray,
  isObject,
  type Json,
  memoize,
  optionalStep,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { compileEarley } from '../../../libraries/grammars/recognise/earley.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/checks.ts'
import { fenced } from '../grammars/asking.ts'
import { bracketed, type Derivation, derivationNodes } from '../grammars/derivation.ts'
import { analyzerOf, liftedOf, type Shared, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import { codeOf } from '../grammars/present.ts'
import type { Given } from './draw.ts'
import { lenient } from './parsers.ts'
import type { ParseQuestion } from './prompt.ts'

type ParseProblem = Problem<Shared, Given, Derivation>

const earleyOf = memoize((shared: Shared) => compileEarley(liftedOf(shared).cnf))

/**
 * Another way than the grade's: the rules rewrite a row of symbols from the left, each looked up in the text of the grammar;
 * and Earley's algorithm accepts the string.
 */
export function oracle({ shared, given }: ParseQuestion, answer: Derivation): boolean {
  const lines = new Set(shared.grammar.replaceAll("'", '').split('\n'))
  const quoted = new Set([...shared.grammar.matchAll(/'([^']+)'/gu)].map(([, token]) => token))
  let row: readonly string[] = ['S']
  for (const [left = '', ...right] of answer) {
    const at = row.findIndex((name) => !quoted.has(name))
    if (row[at] !== left || !lines.has(`${left} -> ${right.join(' ')}`)) return false
    row = [...row.slice(0, at), ...right, ...row.slice(at + 1)]
    if (row.length > given.string.length) return false
  }
  return row.join(' ') === given.string && earleyOf(shared).accepts(tokensOf(shared, given.string))
}

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

/** A symbol over the tokens that it covers, counted from 1, both ends included: `NT5[1-4]`. */
const over = (symbol: string, from: number, to: number): string => `${symbol}[${from + 1}-${to}]`

/** The derivation, one rule a line with the tokens that it covers, then the tree. */
export function solution(problem: ParseProblem): readonly SolutionStep[] {
  const { shared, answer, given } = problem
  const nodes = derivationNodes(shared, answer) ?? []
  const { tokens } = symbolsOf(shared)
  const whole = given.string.split(' ').length
  let next = 0
  const lines = nodes.map(({ rule: [left = '', ...right], from, to }, at): SolutionStep => {
    let place = from
    next = at + 1
    const parts = right.map((name) => {
      if (tokens.has(name)) {
        place++
        return `'${name}'`
      }
      while ((nodes[next]?.from ?? to) < place) next++
      const start = place
      place = nodes[next]?.to ?? to
      return over(name, start, place)
    })
    const text = `${over(left, from, to)} -> ${parts.join(' ')}`
    return to - from === whole ? text : to - from === 1 ? fullOnly(text) : optionalStep(text)
  })
  return [
    {
      reason: 'The first rule of a derivation; A[1-4] is A over tokens 1 to 4.',
      short: 'A derivation without the rules of single tokens; A[1-4] is A over tokens 1 to 4.',
      full: 'A derivation, rule by rule; A[1-4] is A over tokens 1 to 4.',
    },
    ...lines,
    gold(problem),
  ]
}

const STEP = /^\s{0,8}([\p{L}\p{N}_]{1,64})\[(\d{1,4})-(\d{1,4})\]\s{0,4}(?:->|→)\s{0,4}(\S[^\n]{0,400}?)\s{0,8}$/u
const PART = /^(?:'([^'\s]{1,64})'|([\p{L}\p{N}_]{1,64})\[(\d{1,4})-(\d{1,4})\])$/u

/**
 * Lines `A[1-4] -> B[1-2] C[3-4]`: is that a rule, do the parts join, and does each symbol derive its part? And the last tree
 * in brackets.
 */
export function checkSteps({ shared, given }: ParseQuestion, text: string): CheckedSteps {
  const tokens = tokensOf(shared, given.string)
  const symbols = symbolsOf(shared)
  const rules = new Set(shared.grammar.replaceAll("'", '').split('\n'))
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  const code = (name: string): string => {
    const found = codeOf(shared, name)
    if (!symbols.nonterminals.has(found) && !symbols.tokens.has(found)) unknown.push(name)
    return found
  }
  let start = 0
  for (const line of text.split('\n')) {
    const match = line.length <= 600 ? STEP.exec(line) : null
    if (match !== null) {
      const parts = (match[4] as string).split(/[ \t]+/u).map((part) => PART.exec(part))
      const left = code(match[1] as string)
      const [from, to] = [Number(match[2]) - 1, Number(match[3])]
      let place = from
      let holds = from >= 0 && to > from && to <= tokens.length
      const names: string[] = []
      for (const part of parts) {
        const name = code(part?.[1] ?? part?.[2] ?? '')
        names.push(name)
        if (part === null) holds = false
        else if (part[1] !== undefined) {
          holds &&= symbols.tokens.has(name) && tokens[place] === symbols.tokens.get(name)
          place++
        } else {
          const end = Number(part[4])
          holds &&= Number(part[3]) - 1 === place && end > place && end <= tokens.length
          holds &&= analyzerOf(shared)
            .chart(tokens)
            .has(symbols.nonterminals.get(name) ?? -1, place, end)
          place = end
        }
      }
      holds &&= place === to && rules.has(`${left} -> ${names.join(' ')}`)
      steps.push({ span: [start, start + line.length], holds, decides: null })
    }
    start += line.length + 1
  }
  const tree = lenient(text, { shared, given })
  if (tree.kind === 'extracted' && tree.rule.endsWith('tree')) {
    const holds = oracle({ shared, given }, tree.answer)
    steps.push({ span: tree.span, holds, decides: holds ? fenced(bracketed(shared, tree.answer)) : null })
  }
  return { steps, unknown }
}
