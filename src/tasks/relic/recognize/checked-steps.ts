import type { CheckedStep, CheckedSteps } from '../../../core/index.ts'
import { analyzerOf, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import { derivationSteps, matchingLines } from '../grammars/proved.ts'
import { namedRules } from './named-rules.ts'
import type { RelicQuestion } from './prompt.ts'

const CELL = /^\s{0,8}\[(\d{1,4})-(\d{1,4})\]: ([\w', ]{1,20000}?)\s{0,8}$/u

/**
 * Lines of a derivation or chart in a text, each checked against the exact chart, and rules in prose, each looked up in
 * the grammar. Linear in the text.
 */
export function checkSteps({ shared, given }: RelicQuestion, text: string): CheckedSteps {
  const tokens = tokensOf(shared, given.string)
  const { nonterminals } = symbolsOf(shared)
  const unknown: string[] = []
  const steps = new Map<number, readonly CheckedStep[]>()
  for (const { span, holds, whole, unknown: strangers } of derivationSteps(shared, tokens, text)) {
    unknown.push(...strangers)
    steps.set(span[0], [{ span, holds, decides: whole ? 'Yes' : null }])
  }
  for (const { match, span } of matchingLines(text, CELL, Number.POSITIVE_INFINITY)) {
    const [, i, j, list = ''] = match
    const [from, to] = [Number(i) - 1, Number(j)]
    const names = list === 'none' ? [] : list.split(', ')
    unknown.push(...names.filter((name) => !nonterminals.has(name)))
    const inside = from >= 0 && from < to && to <= tokens.length
    const chart = analyzerOf(shared).chart(tokens)
    const there = [...nonterminals].flatMap(([name, symbol]) => (inside && chart.has(symbol, from, to) ? name : []))
    const holds = inside && names.length === there.length && there.every((name) => names.includes(name))
    const isWhole = from === 0 && to === tokens.length
    steps.set(span[0], [{ span, holds, decides: isWhole && !names.includes('S') ? 'No' : null }])
  }
  let start = 0
  for (const line of text.split('\n')) {
    if (!steps.has(start)) {
      const rules = namedRules(shared, line)
      unknown.push(...rules.flatMap(({ strangers }) => strangers))
      steps.set(
        start,
        rules.map(({ span, holds }) => ({ span: [start + span[0], start + span[1]], holds, decides: null })),
      )
    }
    start += line.length + 1
  }
  return { steps: [...steps].sort(([a], [b]) => a - b).flatMap(([, own]) => own), unknown }
}
