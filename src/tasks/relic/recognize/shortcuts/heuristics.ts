import { bigramVerdict } from '../../../../libraries/grammars/grammar/adjacency.ts'
import { adjacencyOf, tokensOf } from '../compiled.ts'
import type { RelicQuestion } from '../prompt.ts'

export const bigramLegal = (question: RelicQuestion): boolean =>
  bigramVerdict(adjacencyOf(question.shared), tokensOf(question)).kind === 'legal'

export const symbolsKnown = (question: RelicQuestion): boolean => !tokensOf(question).includes(-1)

const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** Rules of thumb that need no parsing: probes of the audit (integrity 3.4). */
export const heuristics: { readonly [name: string]: (question: RelicQuestion) => string } = {
  'relic/bigram': (question) => yesNo(bigramLegal(question)),
  'relic/symbols': (question) => yesNo(symbolsKnown(question)),
}
