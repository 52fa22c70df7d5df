/**
 * A context-free grammar in Chomsky normal form, as RELIC has it: binary rules over nonterminals, lexical rules to
 * one terminal, no empty right-hand sides, the start symbol on no right-hand side. Symbols are integers into the two
 * name lists; nonterminal 0 is the start. No rule stands twice: readers refuse repeated rules. Recognition,
 * parse counts and statistics take the rules as a set all the same.
 */
export interface Cnf {
  readonly nonterminals: readonly string[]
  readonly terminals: readonly string[]
  /** A -> B C, flattened: [A, B, C, A, B, C, ...] */
  readonly binary: Int32Array
  /** A -> t, flattened: [A, t, A, t, ...] */
  readonly lexical: Int32Array
}
