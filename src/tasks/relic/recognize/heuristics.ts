import { remember } from '../../../core/index.ts'
import { adjacency, bigramVerdict } from '../../../formal/adjacency.ts'
import { compiled } from './grammars.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

const toolsOf = remember((shared: Shared) => {
  const grammar = compiled(shared)
  return { numbers: new Map(grammar.terminals.map((terminal, t) => [terminal, t])), tables: adjacency(grammar) }
})

/** Terminal numbers of the question's string; -1 for what is no terminal of the grammar. */
export const tokensOf = ({ shared, given }: RelicQuestion): number[] => {
  const { numbers } = toolsOf(shared)
  return given.string.split(' ').map((token) => numbers.get(token) ?? -1)
}

export const bigramLegal = (question: RelicQuestion): boolean =>
  bigramVerdict(toolsOf(question.shared).tables, tokensOf(question)).kind === 'legal'

export const symbolsKnown = (question: RelicQuestion): boolean => !tokensOf(question).includes(-1)

const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** Rules of thumb that need no parsing: probes of the audit (integrity 3.4). */
export const heuristics: { readonly [name: string]: (question: RelicQuestion) => string } = {
  'relic/bigram': (question) => yesNo(bigramLegal(question)),
  'relic/symbols': (question) => yesNo(symbolsKnown(question)),
}
