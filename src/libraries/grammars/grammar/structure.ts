import type { Cnf } from './cnf.ts'

/**
 * A grammar as a coloured structure (integrity 5.2, `relic/grammar`): the start symbol has colour 0, other nonterminals
 * 1, terminals 2; tuples (0, A, B, C) for A -> B C and (1, A, t) for A -> t. Names, order and gaps in numbering vanish.
 * The tuples tell the colours of all symbols that occur in a rule, and the start symbol is always the first: so of grammars
 * without idle symbols only those alike up to renaming share a canonical form.
 */
export function grammarStructure(cnf: Cnf): {
  readonly n: number
  readonly colours: readonly number[]
  readonly tuples: readonly (readonly number[])[]
} {
  const { nonterminals, terminals, binary, lexical } = cnf
  const tuples: number[][] = []
  for (let at = 0; at < binary.length; at += 3)
    tuples.push([0, binary[at] as number, binary[at + 1] as number, binary[at + 2] as number])
  for (let at = 0; at < lexical.length; at += 2)
    tuples.push([1, lexical[at] as number, nonterminals.length + (lexical[at + 1] as number)])
  return {
    n: nonterminals.length + terminals.length,
    colours: [...nonterminals.map((_, i) => (i === 0 ? 0 : 1)), ...terminals.map(() => 2)],
    tuples,
  }
}
