import { remember } from '../../../core/index.ts'
import { adjacency } from '../../../formal/grammar/adjacency.ts'
import { grammarStatistics } from '../../../formal/grammar/statistics.ts'
import { parseRelicGrammar } from '../../../formal/notation/relic.ts'
import { parseAnalyzer } from '../../../formal/recognise/parses.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

/** The grammar behind a group's shared text, parsed once. */
export const compiled = remember((shared: Shared) => parseRelicGrammar(shared.grammar))

/** Which tokens may stand side by side. */
export const adjacencyOf = remember((shared: Shared) => adjacency(compiled(shared)))

/** Charts, counts and derivations of the grammar's strings. */
export const analyzerOf = remember((shared: Shared) => parseAnalyzer(compiled(shared)))

export const statisticsOf = remember((shared: Shared) => grammarStatistics(compiled(shared)))

const numbersOf = remember((shared: Shared) => new Map(compiled(shared).terminals.map((terminal, t) => [terminal, t])))

/** Terminal numbers of the question's string; -1 for what is no terminal of the grammar. */
export function tokensOf({ shared, given }: RelicQuestion): number[] {
  const numbers = numbersOf(shared)
  return given.string.split(' ').map((token) => numbers.get(token) ?? -1)
}
