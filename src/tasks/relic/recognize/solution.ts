import { inFull, remember, type Stated, type Step, type Told, worked } from '../../../core/index.ts'
import { analyzerOf, compiled, tokensOf } from './compiled.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

/** A symbol over a span of tokens, counted from 1, both ends included: `NT5[1-4]`. */
const over = (symbol: string, from: number, to: number): string => `${symbol}[${from + 1}-${to}]`

/**
 * Of a positive, its derivation, a line a rule with the spans it covers; of a negative, every span that something derives, with all that
 * derives it, and the whole string, which S does not. In short what is said of single tokens is left out: it is looked up.
 */
export function solution(problem: RelicQuestion & { readonly answer: boolean }): readonly Told[] {
  const cnf = compiled(problem.shared)
  const tokens = tokensOf(problem)
  const name = (symbol: number): string => cnf.nonterminals[symbol] ?? ''
  const lines: Told[] = []
  const whole = tokens.length
  /** The line of a span: the whole string is the reason. */
  const line = (text: string, from: number, to: number): Told =>
    to - from === whole ? text : to - from === 1 ? inFull(text) : worked(text)
  if (problem.answer) {
    const chart = analyzerOf(problem.shared).chart(tokens)
    const rules = analyzerOf(problem.shared).derivation(tokens) ?? []
    const binary = cnf.binary.length / 3
    // Spans come from the leaves, so the tree is built before it is told from the top.
    let at = 0
    let read = 0
    const tell = (): readonly [symbol: string, from: number, to: number, told: readonly Told[]] => {
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

interface Names {
  readonly symbols: ReadonlyMap<string, number>
  readonly terminals: ReadonlyMap<string, number>
  readonly binary: ReadonlySet<string>
  readonly lexical: ReadonlySet<string>
}

const namesOf = remember((shared: Shared): Names => {
  const { nonterminals, terminals, binary, lexical } = compiled(shared)
  const rules = (flat: Int32Array, width: number): ReadonlySet<string> =>
    new Set(Array.from({ length: flat.length / width }, (_, i) => flat.slice(width * i, width * (i + 1)).join(' ')))
  return {
    symbols: new Map(nonterminals.map((name, i) => [name, i])),
    terminals: new Map(terminals.map((name, i) => [name, i])),
    binary: rules(binary, 3),
    lexical: rules(lexical, 2),
  }
})

const PLACE = String.raw`([\w']{1,40})\[(\d{1,4})-(\d{1,4})\]`
const BINARY = new RegExp(`^\\s{0,8}${PLACE} -> ${PLACE} ${PLACE}\\s{0,8}$`, 'u')
const LEXICAL = new RegExp(`^\\s{0,8}${PLACE} -> '([^']{1,80})'\\s{0,8}$`, 'u')
const CELL = /^\s{0,8}\[(\d{1,4})-(\d{1,4})\]: ([\w', ]{1,20000}?)\s{0,8}$/u

/** Lines of a derivation or a chart in a text, each checked against the exact chart. Linear in the text. */
export function stated(question: RelicQuestion, text: string): Stated {
  const tokens = tokensOf(question)
  const names = namesOf(question.shared)
  const chart = analyzerOf(question.shared).chart(tokens)
  const n = tokens.length
  const unknown: string[] = []
  const steps: Step[] = []
  const symbolOf = (name: string | undefined): number => {
    const symbol = names.symbols.get(name ?? '')
    if (symbol === undefined && name !== undefined) unknown.push(name)
    return symbol ?? -1
  }
  const derives = (symbol: number, from: number, to: number): boolean =>
    symbol >= 0 && from >= 0 && from < to && to <= n && chart.has(symbol, from, to)

  const binary = ([, a, i, j, b, k, l, c, p, q]: readonly (string | undefined)[]): Omit<Step, 'span'> => {
    const [parent, left, right] = [symbolOf(a), symbolOf(b), symbolOf(c)]
    const [from, to, middle] = [Number(i) - 1, Number(j), Number(l)]
    const joined = Number(k) - 1 === from && Number(p) - 1 === middle && Number(q) === to
    const rule = names.binary.has(`${parent} ${left} ${right}`)
    const holds = joined && rule && derives(left, from, middle) && derives(right, middle, to)
    return { holds, decides: parent === 0 && from === 0 && to === n ? 'Yes' : null }
  }
  const lexical = ([, a, i, j, token]: readonly (string | undefined)[]): Omit<Step, 'span'> => {
    const terminal = names.terminals.get(token ?? '') ?? -1
    const [parent, from, to] = [symbolOf(a), Number(i) - 1, Number(j)]
    const holds = to === from + 1 && tokens[from] === terminal && names.lexical.has(`${parent} ${terminal}`)
    return { holds, decides: parent === 0 && from === 0 && to === n ? 'Yes' : null }
  }
  const cell = ([, i, j, list]: readonly (string | undefined)[]): Omit<Step, 'span'> => {
    const [from, to] = [Number(i) - 1, Number(j)]
    const said = list === 'none' ? [] : (list ?? '').split(', ').map(symbolOf)
    const inside = from >= 0 && from < to && to <= n
    const there = [...names.symbols.values()].filter((symbol) => inside && chart.has(symbol, from, to))
    const holds = inside && said.length === there.length && there.every((symbol) => said.includes(symbol))
    return { holds, decides: from === 0 && to === n && !said.includes(0) ? 'No' : null }
  }

  let start = 0
  for (const line of text.split('\n')) {
    const span = [start, start + line.length] as const
    start += line.length + 1
    for (const [pattern, read] of [
      [BINARY, binary],
      [LEXICAL, lexical],
      [CELL, cell],
    ] as const) {
      const match = pattern.exec(line)
      if (match === null) continue
      steps.push({ span, ...read(match) })
      break
    }
  }
  return { steps, unknown }
}
