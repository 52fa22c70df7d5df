/**
 * Context-free grammars: read and written in five notations, converted, trimmed, recognised, parsed, sampled by length, drawn at
 * random, compared up to renaming; probabilistic ones too. Nothing here needs Node.
 *
 * @example
 * import { attainableLengths, canonicalGrammar, compileRecognizer, language, namedStream, randomGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const stream = namedStream('my grammars', '1')
 * const grammar = randomGrammar(stream, { terminals: 5, nonterminals: 5, lexical: 12, binary: 12 })
 * if (grammar !== null) {
 *   const { lengths, sampler } = language(grammar, 20)
 *   const [length] = attainableLengths(lengths)
 *   if (length !== undefined) console.log(compileRecognizer(grammar).accepts(sampler.sample(stream, length))) // true
 *   // Equal for grammars that differ by names and the order of rules only.
 *   console.log(canonicalGrammar(grammar))
 * }
 *
 * @module
 */
import type { Cnf } from '../libraries/grammars/grammar/cnf.ts'
import { grammarStructure } from '../libraries/grammars/grammar/statistics.ts'
import { canonical } from '../libraries/graphs/canonical.ts'

export { namedStream, type Stream } from '../core/streams.ts'
export * from '../libraries/grammars/index.ts'

/**
 * A text that is equal for grammars that differ by names and the order of rules only.
 *
 * @returns null where too many symbols are alike to find a form in reasonable time.
 *
 * @example
 * import { canonicalGrammar, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const one = canonicalGrammar(parseRelicGrammar("S -> A B\nA -> 'a'\nB -> 'b'"))
 * const other = canonicalGrammar(parseRelicGrammar("S -> X Y\nY -> 'c'\nX -> 'd'"))
 * console.log(one === other) // true
 */
export const canonicalGrammar = (grammar: Cnf): string | null =>
  canonical('relic/grammar', grammarStructure(grammar)).form
