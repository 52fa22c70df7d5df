import { memoize } from '../../../core/index.ts'
import { adjacency } from '../../../libraries/grammars/grammar/adjacency.ts'
import { grammarStatistics } from '../../../libraries/grammars/grammar/statistics.ts'
import { parseRelicGrammar } from '../../../libraries/grammars/notation/relic.ts'
import { parseAnalyzer } from '../../../libraries/grammars/recognise/parses.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

/** The grammar behind a group's shared text, parsed once. */
export const compiled = memoize((shared: Shared) => parseRelicGrammar(shared.grammar))

/** Which tokens may stand side by side. */
export const adjacencyOf = memoize((shared: Shared) => adjacency(compiled(shared)))

/** Charts, counts and derivations of the grammar's strings. */
export const analyzerOf = memoize((shared: Shared) => parseAnalyzer(compiled(shared)))

export const statisticsOf = memoize((shared: Shared) => grammarStatistics(compiled(shared)))

const numbersOf = memoize((shared: Shared) => new Map(compiled(shared).terminals.map((terminal, t) => [terminal, t])))

/** Terminal numbers of the question's string; -1 for what is no terminal of the grammar. */
export function tokensOf({ shared, given }: RelicQuestion): number[] {
  const numbers = numbersOf(shared)
  return given.string.split(' ').map((token) => numbers.get(token) ?? -1)
}
