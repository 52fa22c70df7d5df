import { memoize } from '../../../core/index.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import { earleyParser } from '../../../libraries/grammars/recognise/earley.ts'

/** Earley's algorithm on the printed rules of a group's grammar, for oracles: it shares nothing with charts by spans. */
export const parserOf = memoize(({ grammar }: { readonly grammar: string }) => earleyParser(parseNltkGrammar(grammar)))
