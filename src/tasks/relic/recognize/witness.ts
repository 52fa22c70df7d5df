import {
  fullOnly,
  isArray,
  isObject,
  type Json,
  optionalStep,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import { checkClosedChart } from '../../../libraries/grammars/witness/closed-chart.ts'
import { checkDerivation } from '../../../libraries/grammars/witness/derivation.ts'
import { checkIllegalPlace } from '../../../libraries/grammars/witness/illegal-place.ts'
import { adjacencyOf, analyzerOf, compiled, tokensOf } from './compiled.ts'
import type { Given, RelicQuestion, Shared } from './prompt.ts'

type RelicProblem = Problem<Shared, Given, boolean>

/**
 * Of a positive, its derivation: rule numbers in leftmost order. Of a negative, the place that no string allows, or a
 * chart closed under all rules without S over the whole string.
 */
export function witness(problem: RelicProblem): Json {
  const grammar = compiled(problem.shared)
  const analyzer = analyzerOf(problem.shared)
  const tokens = tokensOf(problem)
  if (problem.answer) return { kind: 'derivation', rules: analyzer.derivation(tokens) ?? [] }
  const verdict = bigramVerdict(adjacencyOf(problem.shared), tokens)
  if ('at' in verdict && checkIllegalPlace(grammar, tokens, verdict.at))
    return { kind: 'illegal-place', at: verdict.at }
  return { kind: 'closed-chart', spans: analyzer.chart(tokens).cells() }
}

/** Accepts the problem's answer only where the witness proves it. */
export function check(problem: RelicProblem, proof: Json): boolean {
  if (!isObject(proof)) return false
  const grammar = compiled(problem.shared)
  const tokens = tokensOf(problem)
  const { kind, rules, spans, at } = proof as { readonly [key: string]: Json | undefined }
  if (problem.answer) return kind === 'derivation' && isNumbers(rules) && checkDerivation(grammar, tokens, rules)
  if (kind === 'illegal-place') return typeof at === 'number' && checkIllegalPlace(grammar, tokens, at)
  return (
    kind === 'closed-chart' &&
    spans !== undefined &&
    isArray(spans) &&
    spans.every(isNumbers) &&
    checkClosedChart(grammar, tokens, spans)
  )
}

const isNumbers = (value: Json | undefined): value is readonly number[] =>
  value !== undefined && isArray(value) && value.every((part) => typeof part === 'number')

/** A symbol over a span of tokens, counted from 1, both ends included: `NT5[1-4]`. */
const over = (symbol: string, from: number, to: number): string => `${symbol}[${from + 1}-${to}]`

/**
 * Of a positive its derivation, one rule per line with the spans it covers; of a negative every derivable span with its
 * symbols, and the whole string, which S does not derive. The short form omits single tokens.
 */
export function solution(problem: RelicQuestion & { readonly answer: boolean }): readonly SolutionStep[] {
  const cnf = compiled(problem.shared)
  const tokens = tokensOf(problem)
  const name = (symbol: number): string => cnf.nonterminals[symbol] ?? ''
  const lines: SolutionStep[] = []
  const whole = tokens.length
  /** The line of a span: the whole string is the reason. */
  const line = (text: string, from: number, to: number): SolutionStep =>
    to - from === whole ? text : to - from === 1 ? fullOnly(text) : optionalStep(text)
  if (problem.answer) {
    const chart = analyzerOf(problem.shared).chart(tokens)
    const rules = analyzerOf(problem.shared).derivation(tokens) ?? []
    const binary = cnf.binary.length / 3
    // Spans come from the leaves, so the tree is built before it is printed from the top.
    let at = 0
    let read = 0
    const tell = (): readonly [symbol: string, from: number, to: number, told: readonly SolutionStep[]] => {
      const rule = rules[at++] ?? 0
      if (rule >= binary) {
        const symbol = name(cnf.lexical[2 * (rule - binary)] as number)
        const from = read++
        const token = cnf.terminals[cnf.lexical[2 * (rule - binary) + 1] as number] ?? ''
        return [symbol, from, read, [line(`${over(symbol, from, read)} -> '${token}'`, from, read)]]
      }
      const symbol = name(cnf.binary[3 * rule] as number)
      const [left, from, middle, first] = tell()
      const [right, , to, second] = tell()
      const text = `${over(symbol, from, to)} -> ${over(left, from, middle)} ${over(right, middle, to)}`
      return [symbol, from, to, [line(text, from, to), ...first, ...second]]
    }
    lines.push({
      reason: 'The first rule of a derivation; A[1-4] is A over tokens 1 to 4.',
      short: 'A derivation without the rules of single tokens; A[1-4] is A over tokens 1 to 4.',
      full: 'A derivation, rule by rule; A[1-4] is A over tokens 1 to 4.',
    })
    if (chart.has(0, 0, whole)) for (const told of tell()[3]) lines.push(told)
  } else {
    const cells = analyzerOf(problem.shared).chart(tokens).cells()
    lines.push({
      reason: 'The whole string, with all symbols that derive it.',
      short: 'Every span of two tokens or more that some symbol derives, with all symbols that do; there is no other.',
      full: 'Every span of tokens that some symbol derives, with all symbols that do; there is no other.',
    })
    for (const [from = 0, to = 0, ...symbols] of cells)
      lines.push(line(`${over('', from, to)}: ${symbols.map(name).join(', ')}`, from, to))
    if (!cells.some(([from, to]) => from === 0 && to === whole)) lines.push(`${over('', 0, whole)}: none`)
  }
  return [...lines, `Answer: ${problem.answer ? 'Yes' : 'No'}`]
}
