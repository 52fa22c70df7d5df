import {
  type CheckedStep,
  type CheckedSteps,
  isArray,
  type Json,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import { checkClosedChart, checkClosedPairs, checkForbiddenToken } from '../../../libraries/grammars/witness/checks.ts'
import { isCrossed, pairChartOf, pairGrammarOf } from '../grammars/crossed.ts'
import { cellsOf, derivationOf, derives, over, rulesOf } from '../grammars/derivation.ts'
import { chartDrawing, treeDrawing } from '../grammars/drawings.ts'
import { adjacencyOf, analyzerOf, liftedOf, type Shared, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import {
  ABOUT_PARTS,
  boundsOf,
  derivationLines,
  derivationSteps,
  isInside,
  isNumbers,
  matchingLines,
  partOf,
  provesMember,
  spanLine,
} from '../grammars/proved.ts'
import type { Given } from '../grammars/strings.ts'
import { namedRules } from './named-rules.ts'
import type { RelicQuestion } from './prompt.ts'

type RelicProblem = Problem<Shared, Given, boolean>

/**
 * Of a positive, its derivation: rule numbers in leftmost order. Of a negative, the place that no string allows, or a
 * chart closed under all rules without S over the whole string.
 */
export function witness({ shared, given: { string }, answer }: RelicProblem): Json {
  if (answer) return { kind: 'derivation', rules: rulesOf(shared, string) }
  const tokens = tokensOf(shared, string)
  if (isCrossed(shared)) {
    const rows = pairChartOf(shared, tokens).items.map(({ symbol, bounds }) => [symbol, ...bounds])
    return { kind: 'closed-pairs', rows }
  }
  const verdict = bigramVerdict(adjacencyOf(shared), tokens)
  if ('at' in verdict && checkForbiddenToken(liftedOf(shared).cnf, tokens, verdict.at))
    return { kind: 'illegal-place', at: verdict.at }
  return { kind: 'closed-chart', spans: analyzerOf(shared).chart(tokens).cells() }
}

/** Accepts the problem's answer only where the witness proves it. */
export function check({ shared, given: { string }, answer }: RelicProblem, proof: Json): boolean {
  const kind = partOf(proof, 'kind')
  if (answer) return kind === 'derivation' && provesMember(shared, string, partOf(proof, 'rules'))
  const { cnf } = liftedOf(shared)
  const tokens = tokensOf(shared, string)
  const rows = partOf(proof, 'rows')
  if (isCrossed(shared))
    return (
      kind === 'closed-pairs' &&
      rows !== undefined &&
      isArray(rows) &&
      rows.every(isNumbers) &&
      checkClosedPairs(pairGrammarOf(shared), tokens, rows)
    )
  const at = partOf(proof, 'at')
  if (kind === 'illegal-place') return typeof at === 'number' && checkForbiddenToken(cnf, tokens, at)
  const spans = partOf(proof, 'spans')
  return (
    kind === 'closed-chart' &&
    spans !== undefined &&
    isArray(spans) &&
    spans.every(isNumbers) &&
    checkClosedChart(cnf, tokens, spans)
  )
}

/**
 * Of a positive its derivation, one rule per line with the spans it covers; of a negative every derivable span with its
 * symbols, and the whole string, which the start symbol does not derive. The short form omits single tokens.
 */
export function solution({ shared, given: { string }, answer }: RelicProblem): readonly SolutionStep[] {
  if (answer) return [...derivationLines(shared, derivationOf(shared, string)), 'Answer: Yes']
  const tokens = tokensOf(shared, string)
  const whole = tokens.length
  const cells = cellsOf(shared, tokens)
  const isWhole = ({ bounds }: (typeof cells)[number]): boolean => bounds[0] === 0 && bounds[1] === whole
  return [
    isCrossed(shared)
      ? {
          reason: 'The whole string; its symbols.',
          short:
            'Every pair of parts, longer than two tokens, that some symbol derives, with all symbols that do; there is no other.',
          full: `Every pair of parts that some symbol derives, with all symbols that do; there is no other. ${ABOUT_PARTS}`,
        }
      : {
          reason: 'The whole string, with all symbols that derive it.',
          short:
            'Every span of two tokens or more that some symbol derives, with all symbols that do; there is no other.',
          full: 'Every span of tokens that some symbol derives, with all symbols that do; there is no other.',
        },
    ...cells.map(({ bounds, names }) =>
      spanLine(shared, `${over(shared, '', bounds)}: ${names.join(', ')}`, bounds, whole),
    ),
    ...(cells.some(isWhole) ? [] : [`${over(shared, '', [0, whole])}: none`]),
    'Answer: No',
  ]
}

const CELL = /^\s{0,8}(\[[\d, -]{1,30}\]): ([\w'<>./^, -]{1,20000}?)\s{0,8}$/u

/**
 * Lines of a derivation or chart in a text, each checked against the exact chart, and rules in prose, each looked up in
 * the grammar. Linear in the text.
 */
export function checkSteps({ shared, given }: RelicQuestion, text: string): CheckedSteps {
  const tokens = tokensOf(shared, given.string)
  const { nonterminals } = symbolsOf(shared)
  const unknown: string[] = []
  const steps = new Map<number, readonly CheckedStep[]>()
  for (const { span, holds, whole, unknown: strangers } of derivationSteps(shared, given.string, text)) {
    unknown.push(...strangers)
    steps.set(span[0], [{ span, holds, decides: whole ? 'Yes' : null }])
  }
  for (const { match, span } of matchingLines(text, CELL, Number.POSITIVE_INFINITY)) {
    const [, range = '', list = ''] = match
    const bounds = boundsOf(shared, range)
    if (bounds === null) continue
    const names = list === 'none' ? [] : list.split(', ')
    unknown.push(...names.filter((name) => !nonterminals.has(name)))
    const inside = isInside(bounds, tokens.length)
    const there = inside ? [...nonterminals.keys()].filter((name) => derives(shared, tokens, name, bounds)) : []
    const holds = inside && names.length === there.length && there.every((name) => names.includes(name))
    const isWhole = bounds[0] === 0 && bounds[1] === tokens.length
    steps.set(span[0], [{ span, holds, decides: isWhole && !names.includes(liftedOf(shared).start) ? 'No' : null }])
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

/** A positive as its derivation, and every string as its chart: which symbols derive which part of it. */
export function drawings({ shared, given: { string }, answer }: RelicProblem): readonly Json[] {
  const verdict = answer || isCrossed(shared) ? null : bigramVerdict(adjacencyOf(shared), tokensOf(shared, string))
  return [
    ...(answer ? treeDrawing(shared, derivationOf(shared, string)) : []),
    ...(verdict !== null && 'at' in verdict ? [illegal(string.split(' '), verdict.at)] : []),
    chartDrawing(shared, string),
  ]
}

const illegal = (names: readonly string[], at: number): Json => ({
  kind: 'text',
  title: 'Why not',
  text:
    at === 0
      ? `No string begins with ${names[0]}.`
      : at === names.length - 1
        ? `${names[at]} in the last place: no string has it right after ${names[at - 1]}, or none ends with it.`
        : `No string has ${names[at]} right after ${names[at - 1]} (place ${at + 1}).`,
})
