import type { Cnf } from './cnf.ts'

/** The four statistics RELIC publishes with every grammar (specs of the release: `grammar_stats.json`). */
export interface GrammarStatistics {
  /** distinct terminals in lexical rules */
  readonly terminals: number
  /** distinct symbols of binary rules, on either side, the start symbol counted */
  readonly nonterminals: number
  readonly lexical: number
  /** binary rules */
  readonly nonlexical: number
}

/**
 * Counts over the rules as they stand: trim first for the published figures. A repeated rule counts once.
 *
 * @example
 * import { grammarStatistics, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { lexical, nonlexical } = grammarStatistics(parseRelicGrammar("S -> A B\nA -> 'a'\nB -> 'b'"))
 * console.log(lexical, nonlexical) // 2 1
 */
export function grammarStatistics(cnf: Cnf): GrammarStatistics {
  const { binary, lexical } = cnf
  const terminals = new Set<number>()
  const words = new Set<string>()
  for (let at = 0; at < lexical.length; at += 2) {
    terminals.add(lexical[at + 1]!)
    words.add(`${lexical[at]} ${lexical[at + 1]}`)
  }
  const rules = new Set<string>()
  for (let at = 0; at < binary.length; at += 3) rules.add(`${binary[at]} ${binary[at + 1]} ${binary[at + 2]}`)
  return {
    terminals: terminals.size,
    nonterminals: new Set(binary).size,
    lexical: words.size,
    nonlexical: rules.size,
  }
}

/**
 * A grammar as a coloured structure: the start symbol has colour 0, other nonterminals
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
  for (let at = 0; at < binary.length; at += 3) tuples.push([0, binary[at]!, binary[at + 1]!, binary[at + 2] as number])
  for (let at = 0; at < lexical.length; at += 2) tuples.push([1, lexical[at]!, nonterminals.length + lexical[at + 1]!])
  return {
    n: nonterminals.length + terminals.length,
    colours: [...nonterminals.map((_, i) => (i === 0 ? 0 : 1)), ...terminals.map(() => 2)],
    tuples,
  }
}
