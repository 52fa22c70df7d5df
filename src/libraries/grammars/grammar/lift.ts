import { type Cfg, type CfgRule, GrammarKindError, numberOf, printRule } from './cfg.ts'
import type { Cnf } from './cnf.ts'
import { CHILD, type Fragment, normalForm } from './normal-form.ts'

/** A grammar in Chomsky normal form, with the way back to the rules that were given. */
export interface LiftedGrammar {
  readonly cnf: Cnf
  readonly start: string
  readonly rules: readonly CfgRule[]
  /** By rule of `cnf` (binary rules, then lexical ones). */
  readonly fragments: readonly Fragment[]
  /** The symbols that derive the empty string. */
  readonly empty: ReadonlySet<string>
}

/**
 * Any grammar. Of rules `A -> B C`, `A -> 't'`, `A -> 't' B` and `A -> 't' B C` alone, the derivations of the two correspond one to
 * one: helper symbols have one rule each.
 *
 * @throws {GrammarKindError} for a repeated rule.
 */
export function liftGrammar({ start, rules }: Cfg): LiftedGrammar {
  const seen = new Set<string>()
  for (const text of rules.map(printRule)) {
    if (seen.has(text)) throw new GrammarKindError(`the rule ${text} stands twice; remove one of the two`)
    seen.add(text)
  }
  if (!rules.every((rule) => isSimple(start, rule))) {
    const { grammar, fragments, empty } = normalForm({ start, rules })
    return { cnf: grammar, start, rules, fragments, empty }
  }
  const nonterminals = new Map([[start, 0]])
  const terminals = new Map<string, number>()
  for (const { left, right } of rules) {
    numberOf(nonterminals, left)
    for (const { kind, name } of right) if (kind === 'nonterminal') numberOf(nonterminals, name)
  }
  const binary: number[] = []
  const lexical: number[] = []
  const binaryFragments: Fragment[] = []
  const lexicalFragments: Fragment[] = []
  const addBinary = (own: Fragment, ...symbols: readonly [number, number, number]): void => {
    binary.push(...symbols)
    binaryFragments.push([...own, CHILD, CHILD])
  }
  const addLexical = (own: Fragment, symbol: number, token: number): void => {
    lexical.push(symbol, token)
    lexicalFragments.push(own)
  }
  /** The symbol of a helper, with its rule when it is new. */
  const helper = (name: string, add: (symbol: number) => void): number => {
    const known = nonterminals.get(name)
    if (known !== undefined) return known
    const symbol = numberOf(nonterminals, name)
    add(symbol)
    return symbol
  }
  for (const [number, rule] of rules.entries()) {
    const [first, ...rest] = rule.right as [CfgRule['right'][number], ...CfgRule['right']]
    const left = numberOf(nonterminals, rule.left)
    const symbols = rest.map(({ name }) => numberOf(nonterminals, name)) as [number, number]
    if (first.kind === 'nonterminal') {
      addBinary([number], left, numberOf(nonterminals, first.name), symbols[0])
      continue
    }
    const token = numberOf(terminals, first.name)
    if (rest.length === 0) {
      addLexical([number], left, token)
      continue
    }
    const head = helper(`.${first.name}`, (symbol) => addLexical([], symbol, token))
    const tail =
      rest.length === 1
        ? symbols[0]
        : helper(`.${rest.map(({ name }) => name).join('.')}`, (symbol) => addBinary([], symbol, ...symbols))
    addBinary([number], left, head, tail)
  }
  return {
    start,
    rules,
    cnf: {
      nonterminals: [...nonterminals.keys()],
      terminals: [...terminals.keys()],
      binary: Int32Array.from(binary),
      lexical: Int32Array.from(lexical),
    },
    fragments: [...binaryFragments, ...lexicalFragments],
    empty: new Set(),
  }
}

function isSimple(start: string, { right }: CfgRule): boolean {
  const [first, ...rest] = right
  return (
    rest.every(({ kind }) => kind === 'nonterminal') &&
    right.every(({ kind, name }) => kind === 'terminal' || name !== start) &&
    (first?.kind === 'terminal' ? rest.length <= 2 : first !== undefined && rest.length === 1)
  )
}
