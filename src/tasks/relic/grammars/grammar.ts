import { memoize } from '../../../core/index.ts'
import { adjacency } from '../../../libraries/grammars/grammar/adjacency.ts'
import { type CfgRule, type CfgSymbol, nonterminal, terminal } from '../../../libraries/grammars/grammar/cfg.ts'
import { liftGrammar } from '../../../libraries/grammars/grammar/lift.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import { parseAnalyzer } from '../../../libraries/grammars/recognise/parses.ts'

/** What the items of a group share. */
export interface Shared {
  /** One rule a line, in codes: `S -> NT4 NT7`, `NT4 -> 't3' NT1`, `NT7 -> 't5'`. */
  readonly grammar: string
  /** A grammar of one's own as it was written, to be shown. */
  readonly shown?: string
  /** Of a synchronous grammar the target sides, a line for each rule: `NT7 NT4`, `'u3' NT1 NT4`, `'u5'`. */
  readonly targets?: string
  /**
   * Of a multiple context-free grammar how each rule writes the parts of its children, a line for each: `a c, b d`; empty for
   * two tokens, which are the two strings of a pair. `grammar` then has the rules of its trees alone.
   */
  readonly pairs?: string
  readonly [key: string]: string
}

/** The grammar of a group's text, parsed once, and in Chomsky normal form. */
export const liftedOf = memoize((shared: Shared) => liftGrammar(parseNltkGrammar(shared.grammar)))

/** Charts, counts and derivations of the grammar in Chomsky normal form. */
export const analyzerOf = memoize((shared: Shared) => parseAnalyzer(liftedOf(shared).cnf))

/** Which tokens may stand side by side. */
export const adjacencyOf = memoize((shared: Shared) => adjacency(liftedOf(shared).cnf))

/** Does the group's grammar come from a file? */
export const isOwn = ({ shown }: Shared): boolean => shown !== undefined

/** Tokens and nonterminals of the grammar's text, with their numbers in the lifted grammar; symbols with rules first. */
export const symbolsOf = memoize((shared: Shared) => {
  const { cnf, rules } = liftedOf(shared)
  const printed = new Set(rules.map(({ left }) => left))
  for (const { right } of rules) for (const { kind, name } of right) if (kind === 'nonterminal') printed.add(name)
  const numbers = new Map(cnf.nonterminals.map((name, symbol) => [name, symbol]))
  return {
    nonterminals: new Map([...printed].map((name) => [name, numbers.get(name) as number])),
    tokens: new Map(cnf.terminals.map((name, token) => [name, token])),
  }
})

/** May names be told from brackets and punctuation? Else tokens stand in quotes. */
export const hasPlainTokens = memoize((shared: Shared): boolean =>
  liftedOf(shared).cnf.terminals.every((name) => /^[\p{L}\p{N}_]+$/u.test(name)),
)

/** How a token is written where symbols stand beside it. */
export const tokenName = (shared: Shared, name: string): string =>
  hasPlainTokens(shared) ? name : name.includes("'") ? `"${name}"` : `'${name}'`

/** The target side of every rule of a synchronous grammar, in order. */
export const targetsOf = memoize((shared: Shared): readonly (readonly CfgSymbol[])[] =>
  (shared.targets ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line.split(' ').map((name) => (name.startsWith("'") ? terminal(name.slice(1, -1)) : nonterminal(name))),
    ),
)

/** Words of the target language. */
export const targetWordsOf = memoize(
  (shared: Shared): ReadonlySet<string> =>
    new Set(targetsOf(shared).flatMap((side) => side.flatMap(({ kind, name }) => (kind === 'terminal' ? name : [])))),
)

/** A rule by names: `S NT4 NT7`. */
export const nameOf = ({ left, right }: CfgRule): string => [left, ...right.map(({ name }) => name)].join(' ')

export const ruleSetOf = memoize((shared: Shared): ReadonlySet<string> => new Set(liftedOf(shared).rules.map(nameOf)))

/** Numbers of a string's tokens; -1 for what is no token of the grammar. */
export function tokensOf(shared: Shared, string: string): number[] {
  const { tokens } = symbolsOf(shared)
  return string.split(' ').map((token) => tokens.get(token) ?? -1)
}

/** Names of tokens. */
export const namesOf = (shared: Shared, tokens: ArrayLike<number>): readonly string[] =>
  Array.from(tokens, (token) => liftedOf(shared).cnf.terminals[token] as string)

/** Tokens as text. */
export const textOf = (shared: Shared, tokens: ArrayLike<number>): string => namesOf(shared, tokens).join(' ')
