import { fullOnly, optionalStep, type SolutionStep } from '../../../../core/index.ts'
import { analyzerOf, compiled, tokensOf } from '../compiled.ts'
import type { RelicQuestion } from '../prompt.ts'

/** A symbol over a span of tokens, counted from 1, both ends included: `NT5[1-4]`. */
const over = (symbol: string, from: number, to: number): string => `${symbol}[${from + 1}-${to}]`

/**
 * Of a positive, its derivation, a line a rule with the spans it covers; of a negative, every span that something derives, with all that
 * derives it, and the whole string, which S does not. In short what is said of single tokens is left out: it is looked up.
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
    // Spans come from the leaves, so the tree is built before it is told from the top.
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
