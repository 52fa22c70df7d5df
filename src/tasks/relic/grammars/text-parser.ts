import { memoize } from '../../../core/index.ts'
import { parseClauses } from '../../../libraries/grammars/notation/clauses.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import { mcfgAccepts } from '../../../libraries/grammars/pcfg/mcfg.ts'
import { earleyParser } from '../../../libraries/grammars/recognise/earley.ts'
import type { Shared } from './grammar.ts'

/** Earley's algorithm on the printed rules of a group's grammar, for oracles: it shares nothing with charts by spans. */
export const parserOf = memoize(({ grammar }: { readonly grammar: string }) => earleyParser(parseNltkGrammar(grammar)))

/** A grammar over pairs, from the text of its rules and of how each writes the parts of its children. */
export const clausesOf = memoize(({ grammar, pairs = '' }: Shared) => {
  const written = pairs.split('\n')
  const clauses = parseNltkGrammar(grammar).rules.map(({ left, right }, at) => {
    const [first, second] = right.map(({ name }) => name)
    return written[at] === ''
      ? `${left}('${first}', '${second}')`
      : `${left}(${written[at]}) -> ${first}(a, b) ${second}(c, d)`
  })
  return parseClauses(clauses.join('\n'), 'S')
})

/** Deduction over tuples of spans by the printed clauses, for oracles: it knows nothing of arrangements. */
export function acceptsPairs(shared: Shared, string: readonly string[]): boolean {
  const clauses = clausesOf(shared)
  return mcfgAccepts(
    clauses,
    string.map((name) => clauses.tokens.get(name) ?? -1),
  )
}
