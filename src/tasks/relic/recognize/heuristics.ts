import { remember } from '../../../core/index.ts'
import { adjacency, bigramVerdict } from '../../../formal/adjacency.ts'
import { compiled, tokensOf } from './compiled.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

const tablesOf = remember((shared: Shared) => adjacency(compiled(shared)))

export const bigramLegal = (question: RelicQuestion): boolean =>
  bigramVerdict(tablesOf(question.shared), tokensOf(question)).kind === 'legal'

export const symbolsKnown = (question: RelicQuestion): boolean => !tokensOf(question).includes(-1)

const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** Rules of thumb that need no parsing: probes of the audit (integrity 3.4). */
export const heuristics: { readonly [name: string]: (question: RelicQuestion) => string } = {
  'relic/bigram': (question) => yesNo(bigramLegal(question)),
  'relic/symbols': (question) => yesNo(symbolsKnown(question)),
}
