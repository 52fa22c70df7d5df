import type { Features } from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import { pairWork } from '../../../libraries/grammars/recognise/pair-chart.ts'
import { type ChartWork, chartWork } from '../../../libraries/grammars/recognise/work.ts'
import { isCrossed, pairChartOf } from '../grammars/crossed.ts'
import { adjacencyOf, analyzerOf, liftedOf, tokensOf } from '../grammars/grammar.ts'
import type { RelicQuestion } from './prompt.ts'

/** The exact work of an item, as columns of a report. */
export const itemFacts = {
  names: ['entries', 'lookups', 'inferences', 'proof'],
  of({ shared, given: { string } }: RelicQuestion): () => Features {
    return () => workOf({ shared, given: { string } })
  },
} as const

export const chartWorkOf = ({ shared, given }: RelicQuestion): ChartWork =>
  isCrossed(shared)
    ? pairWork(pairChartOf(shared, tokensOf(shared, given.string)))
    : chartWork(liftedOf(shared).cnf, analyzerOf(shared).chart(tokensOf(shared, given.string)))

/**
 * `proof`: the fewest steps that show the answer. A derivation has 2n - 1 (over pairs of tokens n - 1); outside the language, one pair of tokens that may
 * never stand side by side, or the chart that has no symbol of the whole.
 */
function workOf(question: RelicQuestion): Features {
  const tokens = tokensOf(question.shared, question.given.string)
  const work = chartWorkOf(question)
  if (isCrossed(question.shared)) {
    const isMember = pairChartOf(question.shared, tokens).goal !== undefined
    return { ...work, proof: isMember ? tokens.length - 1 : Math.max(1, work.entries) }
  }
  const isMember = analyzerOf(question.shared).chart(tokens).has(0, 0, tokens.length)
  const isLegal = bigramVerdict(adjacencyOf(question.shared), tokens).kind === 'legal'
  return { ...work, proof: isMember ? 2 * tokens.length - 1 : isLegal ? Math.max(1, work.entries) : 1 }
}
