import type { Json, Problem, SolutionStep } from '../../../core/index.ts'
import { isArray } from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import { checkClosedChart, checkForbiddenToken } from '../../../libraries/grammars/witness/checks.ts'
import { derivationOf, rulesOf } from '../grammars/derivation.ts'
import { adjacencyOf, analyzerOf, liftedOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import { derivationLines, isNumbers, over, partOf, provesMember, spanLine } from '../grammars/proved.ts'
import type { Given } from './prompt.ts'

type RelicProblem = Problem<Shared, Given, boolean>

/**
 * Of a positive, its derivation: rule numbers in leftmost order. Of a negative, the place that no string allows, or a
 * chart closed under all rules without S over the whole string.
 */
export function witness({ shared, given: { string }, answer }: RelicProblem): Json {
  if (answer) return { kind: 'derivation', rules: rulesOf(shared, string) }
  const tokens = tokensOf(shared, string)
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
 * symbols, and the whole string, which S does not derive. The short form omits single tokens.
 */
export function solution({ shared, given: { string }, answer }: RelicProblem): readonly SolutionStep[] {
  if (answer) return [...derivationLines(shared, derivationOf(shared, string)), 'Answer: Yes']
  const { nonterminals } = liftedOf(shared).cnf
  const tokens = tokensOf(shared, string)
  const whole = tokens.length
  const cells = analyzerOf(shared).chart(tokens).cells()
  return [
    {
      reason: 'The whole string, with all symbols that derive it.',
      short: 'Every span of two tokens or more that some symbol derives, with all symbols that do; there is no other.',
      full: 'Every span of tokens that some symbol derives, with all symbols that do; there is no other.',
    },
    ...cells.map(([from = 0, to = 0, ...symbols]) =>
      spanLine(`${over('', from, to)}: ${symbols.map((symbol) => nonterminals[symbol]).join(', ')}`, to - from, whole),
    ),
    ...(cells.some(([from, to]) => from === 0 && to === whole) ? [] : [`${over('', 0, whole)}: none`]),
    'Answer: No',
  ]
}
