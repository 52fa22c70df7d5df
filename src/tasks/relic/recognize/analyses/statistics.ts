import type { Frame } from '../../../../core/index.ts'
import type { Responses } from './responses.ts'

/** The four grammar statistics as columns, in the order of Table 2. */
export const STATISTICS = [
  ['terminals', 'log10 terminals'],
  ['lexical', 'log10 lexical rules'],
  ['nonterminals', 'log10 nonterminals'],
  ['nonlexical', 'log10 binary rules'],
] as const

/** Compression of the positives of a grammar. The paper's caption names it, its table lacks it. */
const COMPRESSION = ['compression', 'log10 compression ratio'] as const

type Statistic = (typeof STATISTICS)[number][0] | (typeof COMPRESSION)[0]

/** The statistics of the rows. */
export const statisticsIn = (frame: Frame): readonly (readonly [Statistic, string])[] =>
  frame.has(`feature_${COMPRESSION[0]}`) ? [...STATISTICS, COMPRESSION] : STATISTICS

/** A statistic of each grammar, by grammar code; NaN where no response has it. */
export function byGrammarCode(frame: Frame, data: Responses, statistic: Statistic): Float64Array {
  const values = frame.number(`feature_${statistic}`)
  const found = new Float64Array(data.grammars.length).fill(Number.NaN)
  for (let k = 0; k < data.n; k++) found[data.grammar[k] as number] = values[data.row[k] as number] as number
  return found
}
