import type { CheckedStep, CheckedSteps } from '../../../core/index.ts'
import { analyzerOf, tokensOf } from './compiled.ts'
import { namedRules, namesOf } from './named-rules.ts'
import type { RelicQuestion } from './prompt.ts'

const PLACE = String.raw`([\w']{1,40})\[(\d{1,4})-(\d{1,4})\]`
const BINARY = new RegExp(`^\\s{0,8}${PLACE} -> ${PLACE} ${PLACE}\\s{0,8}$`, 'u')
const LEXICAL = new RegExp(`^\\s{0,8}${PLACE} -> '([^']{1,80})'\\s{0,8}$`, 'u')
const CELL = /^\s{0,8}\[(\d{1,4})-(\d{1,4})\]: ([\w', ]{1,20000}?)\s{0,8}$/u

/**
 * Lines of a derivation or chart in a text, each checked against the exact chart, and rules in prose, each looked up in
 * the grammar. Linear in the text.
 */
export function checkSteps(question: RelicQuestion, text: string): CheckedSteps {
  const tokens = tokensOf(question)
  const names = namesOf(question.shared)
  // Made for the first line that asks for it: most chains of thought name rules only.
  let made: ReturnType<ReturnType<typeof analyzerOf>['chart']> | null = null
  const chart = () => {
    made ??= analyzerOf(question.shared).chart(tokens)
    return made
  }
  const n = tokens.length
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  const symbolOf = (name: string | undefined): number => {
    const symbol = names.symbols.get(name ?? '')
    if (symbol === undefined && name !== undefined) unknown.push(name)
    return symbol ?? -1
  }
  const derives = (symbol: number, from: number, to: number): boolean =>
    symbol >= 0 && from >= 0 && from < to && to <= n && chart().has(symbol, from, to)

  const binary = ([, a, i, j, b, k, l, c, p, q]: readonly (string | undefined)[]): Omit<CheckedStep, 'span'> => {
    const [parent, left, right] = [symbolOf(a), symbolOf(b), symbolOf(c)]
    const [from, to, middle] = [Number(i) - 1, Number(j), Number(l)]
    const joined = Number(k) - 1 === from && Number(p) - 1 === middle && Number(q) === to
    const rule = names.binary.has(`${parent} ${left} ${right}`)
    const holds = joined && rule && derives(left, from, middle) && derives(right, middle, to)
    return { holds, decides: parent === 0 && from === 0 && to === n ? 'Yes' : null }
  }
  const lexical = ([, a, i, j, token]: readonly (string | undefined)[]): Omit<CheckedStep, 'span'> => {
    const terminal = names.terminals.get(token ?? '') ?? -1
    const [parent, from, to] = [symbolOf(a), Number(i) - 1, Number(j)]
    const holds = to === from + 1 && tokens[from] === terminal && names.lexical.has(`${parent} ${terminal}`)
    return { holds, decides: parent === 0 && from === 0 && to === n ? 'Yes' : null }
  }
  const cell = ([, i, j, list]: readonly (string | undefined)[]): Omit<CheckedStep, 'span'> => {
    const [from, to] = [Number(i) - 1, Number(j)]
    const listed = list === 'none' ? [] : (list ?? '').split(', ').map(symbolOf)
    const inside = from >= 0 && from < to && to <= n
    const there = [...names.symbols.values()].filter((symbol) => inside && chart().has(symbol, from, to))
    const holds = inside && listed.length === there.length && there.every((symbol) => listed.includes(symbol))
    return { holds, decides: from === 0 && to === n && !listed.includes(0) ? 'No' : null }
  }

  /** A line in our own notation, or null. */
  const placed = (line: string): Omit<CheckedStep, 'span'> | null => {
    for (const [pattern, read] of [
      [BINARY, binary],
      [LEXICAL, lexical],
      [CELL, cell],
    ] as const) {
      const match = pattern.exec(line)
      if (match !== null) return read(match)
    }
    return null
  }

  let start = 0
  for (const line of text.split('\n')) {
    const end = start + line.length
    const step = placed(line)
    if (step !== null) steps.push({ span: [start, end], ...step })
    else
      for (const { span, holds, strangers } of namedRules(names, line)) {
        unknown.push(...strangers)
        steps.push({ span: [start + span[0], start + span[1]], holds, decides: null })
      }
    start = end + 1
  }
  return { steps, unknown }
}
