import { memoize } from '../../../core/index.ts'
import { adjacency } from '../../../libraries/grammars/grammar/adjacency.ts'
import type { CfgRule } from '../../../libraries/grammars/grammar/cfg.ts'
import { liftGrammar } from '../../../libraries/grammars/grammar/lift.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import { parseAnalyzer } from '../../../libraries/grammars/recognise/parses.ts'

/** What the items of a group share. */
export interface Shared {
  /** One rule a line, in codes: `S -> NT4 NT7`, `NT4 -> 't3' NT1`, `NT7 -> 't5'`. */
  readonly grammar: string
  readonly [key: string]: string
}

/** The grammar of a group's text, parsed once, and in Chomsky normal form. */
export const liftedOf = memoize((shared: Shared) => liftGrammar(parseNltkGrammar(shared.grammar)))

/** Charts and derivations of the grammar in Chomsky normal form. */
export const analyzerOf = memoize((shared: Shared) => parseAnalyzer(liftedOf(shared).cnf))

/** Which tokens may stand side by side. */
export const adjacencyOf = memoize((shared: Shared) => adjacency(liftedOf(shared).cnf))

/** Tokens and nonterminals of the grammar's text, with their numbers in the lifted grammar. */
export const symbolsOf = memoize((shared: Shared) => {
  const { cnf, rules } = liftedOf(shared)
  const printed = new Set(rules.flatMap(({ left, right }) => [left, ...right.map(({ name }) => name)]))
  const numbers = (names: readonly string[]): ReadonlyMap<string, number> =>
    new Map(names.flatMap((name, number) => (printed.has(name) ? [[name, number] as const] : [])))
  return { nonterminals: numbers(cnf.nonterminals), tokens: numbers(cnf.terminals) }
})

/** The rules by names: `S NT4 NT7`. */
export const ruleSetOf = memoize(
  (shared: Shared): ReadonlySet<string> =>
    new Set(liftedOf(shared).rules.map(({ left, right }) => [left, ...right.map(({ name }) => name)].join(' '))),
)

/** Numbers of a string's tokens; -1 for what is no token of the grammar. */
export function tokensOf(shared: Shared, string: string): number[] {
  const { tokens } = symbolsOf(shared)
  return string.split(' ').map((token) => tokens.get(token) ?? -1)
}

/** Printed rules of a derivation, in leftmost order, from the rules of the lifted grammar. */
export function printedRules(shared: Shared, derivation: readonly number[]): readonly CfgRule[] {
  const { rules, ruleOf } = liftedOf(shared)
  return derivation.flatMap((rule) => (ruleOf[rule]! < 0 ? [] : [rules[ruleOf[rule]!] as CfgRule]))
}
