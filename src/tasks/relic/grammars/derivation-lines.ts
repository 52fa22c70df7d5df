import type { CheckedStep, SolutionStep } from '../../../core/index.ts'
import { fullOnly, optionalStep } from '../../../core/index.ts'
import { type Derivation, derivationNodes } from './derivation.ts'
import { analyzerOf, ruleSetOf, type Shared, symbolsOf } from './grammar.ts'
import { codeOf } from './present.ts'

/** A symbol over the tokens that it covers, counted from 1, both ends included: `NT5[1-4]`. */
const over = (symbol: string, from: number, to: number): string => `${symbol}[${from + 1}-${to}]`

/** A derivation in steps, one rule a line with the tokens that it covers. */
export function derivationLines(shared: Shared, derivation: Derivation): readonly SolutionStep[] {
  const nodes = derivationNodes(shared, derivation) ?? []
  const { tokens } = symbolsOf(shared)
  const whole = nodes[0]?.to ?? 0
  const lines = nodes.map(({ rule: [left = '', ...right], from, to }, at): SolutionStep => {
    let place = from
    let next = at + 1
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
  ]
}

const STEP = /^\s{0,8}([\p{L}\p{N}_]{1,64})\[(\d{1,4})-(\d{1,4})\]\s{0,4}(?:->|→)\s{0,4}(\S[^\n]{0,400}?)\s{0,8}$/u
const PART = /^(?:'([^'\s]{1,64})'|([\p{L}\p{N}_]{1,64})\[(\d{1,4})-(\d{1,4})\])$/u

/** Lines `A[1-4] -> B[1-2] C[3-4]` about a string: is that a rule, do the parts join, does each symbol derive its part? */
export function checkDerivationLines(
  shared: Shared,
  tokens: readonly number[],
  text: string,
): { readonly steps: CheckedStep[]; readonly unknown: string[] } {
  const symbols = symbolsOf(shared)
  const rules = ruleSetOf(shared)
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
      holds &&= place === to && rules.has([left, ...names].join(' '))
      steps.push({ span: [start, start + line.length], holds, decides: null })
    }
    start += line.length + 1
  }
  return { steps, unknown }
}
