import { type Cfg, type CfgRule, GrammarKindError, printRule } from './cfg.ts'
import type { Cnf } from './cnf.ts'

/**
 * A grammar of rules `A -> B C`, `A -> 't'`, `A -> 't' B` and `A -> 't' B C` as one in Chomsky normal form. Derivations of
 * the two correspond one to one: helper symbols have one rule each.
 */
export interface LiftedGrammar {
  readonly cnf: Cnf
  readonly rules: readonly CfgRule[]
  /** Number of the rule of `rules` that a rule of `cnf` stands for (binary rules, then lexical ones); -1: a helper rule. */
  readonly ruleOf: Int32Array
}

/** @throws {GrammarKindError} for a rule of another form, a repeated rule, or the start symbol on a right-hand side. */
export function liftGrammar({ start, rules }: Cfg): LiftedGrammar {
  const nonterminals = new Map([[start, 0]])
  const terminals = new Map<string, number>()
  for (const { left, right } of rules) {
    numberOf(nonterminals, left)
    for (const { kind, name } of right) if (kind === 'nonterminal') numberOf(nonterminals, name)
  }
  const binary: number[] = []
  const lexical: number[] = []
  const binaryRules: number[] = []
  const lexicalRules: number[] = []
  const addBinary = (rule: number, ...symbols: readonly [number, number, number]): void => {
    binary.push(...symbols)
    binaryRules.push(rule)
  }
  const addLexical = (rule: number, symbol: number, token: number): void => {
    lexical.push(symbol, token)
    lexicalRules.push(rule)
  }
  /** The symbol of a helper, with its rule when it is new. */
  const helper = (name: string, add: (symbol: number) => void): number => {
    const known = nonterminals.get(name)
    if (known !== undefined) return known
    const symbol = numberOf(nonterminals, name)
    add(symbol)
    return symbol
  }
  const seen = new Set<string>()
  for (const [number, rule] of rules.entries()) {
    const text = printRule(rule)
    if (seen.has(text)) throw new GrammarKindError(`the rule ${text} stands twice; remove one of the two`)
    seen.add(text)
    const [first, ...rest] = rule.right
    if (rule.right.some(({ kind, name }) => kind === 'nonterminal' && name === start))
      throw new GrammarKindError(`the rule ${text} has the start symbol on the right; convert with normalForm`)
    const left = numberOf(nonterminals, rule.left)
    const symbols = rest.map(({ name }) => numberOf(nonterminals, name)) as [number, number]
    if (first === undefined || rest.length > 2 || rest.some(({ kind }) => kind === 'terminal')) throw wrongForm(text)
    if (first.kind === 'nonterminal') {
      if (rest.length !== 1) throw wrongForm(text)
      addBinary(number, left, numberOf(nonterminals, first.name), symbols[0])
      continue
    }
    const token = numberOf(terminals, first.name)
    if (rest.length === 0) {
      addLexical(number, left, token)
      continue
    }
    const head = helper(`.${first.name}`, (symbol) => addLexical(-1, symbol, token))
    const tail =
      rest.length === 1
        ? symbols[0]
        : helper(`.${rest.map(({ name }) => name).join('.')}`, (symbol) => addBinary(-1, symbol, ...symbols))
    addBinary(number, left, head, tail)
  }
  return {
    rules,
    cnf: {
      nonterminals: [...nonterminals.keys()],
      terminals: [...terminals.keys()],
      binary: Int32Array.from(binary),
      lexical: Int32Array.from(lexical),
    },
    ruleOf: Int32Array.from([...binaryRules, ...lexicalRules]),
  }
}

function numberOf(names: Map<string, number>, name: string): number {
  const known = names.get(name) ?? names.size
  names.set(name, known)
  return known
}

const wrongForm = (text: string): GrammarKindError =>
  new GrammarKindError(
    `the rule ${text} is none of A -> B C, A -> 't', A -> 't' B and A -> 't' B C; convert with normalForm`,
  )
