import type { Cnf } from './cnf.ts'
import { GrammarKindError } from './error.ts'
import type { Rational } from './rational.ts'

/** A symbol of a rule, by its name: one that is rewritten, or one that stands in strings. */
export interface CfgSymbol {
  readonly kind: 'nonterminal' | 'terminal'
  readonly name: string
}

/** left -> right; an empty right-hand side derives the empty string. `weight` as written, null where none was. */
export interface CfgRule {
  readonly left: string
  readonly right: readonly CfgSymbol[]
  readonly weight: Rational | null
}

/** Any context-free grammar, as its text had it: long, unit, empty and repeated rules, in order. */
export interface Cfg {
  readonly start: string
  readonly rules: readonly CfgRule[]
}

export const nonterminal = (name: string): CfgSymbol => ({ kind: 'nonterminal', name })
export const terminal = (name: string): CfgSymbol => ({ kind: 'terminal', name })

/**
 * The general form of a grammar in Chomsky normal form: binary rules first, then lexical ones, in order.
 *
 * @example
 * import { cfgOf, parseRelicGrammar, printNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const cnf = parseRelicGrammar("S -> A A\nA -> 'a'")
 * console.log(printNltkGrammar(cfgOf(cnf)).split('\n')[0]) // S -> A A
 */
export function cfgOf(cnf: Cnf): Cfg {
  const { nonterminals, terminals, binary, lexical } = cnf
  const name = (at: number) => nonterminals[at] as string
  const rules: CfgRule[] = []
  for (let at = 0; at < binary.length; at += 3)
    rules.push({
      left: name(binary[at] as number),
      right: [nonterminal(name(binary[at + 1] as number)), nonterminal(name(binary[at + 2] as number))],
      weight: null,
    })
  for (let at = 0; at < lexical.length; at += 2)
    rules.push({
      left: name(lexical[at] as number),
      right: [terminal(terminals[lexical[at + 1] as number] as string)],
      weight: null,
    })
  return { start: name(0), rules }
}

/**
 * A grammar that is in RELIC's Chomsky normal form already, compiled; weights are left out. `normalForm` converts
 * any other.
 *
 * @throws {GrammarKindError} naming the first rule that is not of the form, that stands twice, or that has the start
 * symbol on the right.
 *
 * @example
 * import { cnfOf, parseNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const cnf = cnfOf(parseNltkGrammar("S -> A A\nA -> 'a'"))
 * console.log(cnf.nonterminals, cnf.binary.length / 3) // [ 'S', 'A' ] 1
 */
export function cnfOf(cfg: Cfg): Cnf {
  const nonterminals = new Map([[cfg.start, 0]])
  const terminals = new Map<string, number>()
  const number = (names: Map<string, number>, name: string) => {
    if (!names.has(name)) names.set(name, names.size)
    return names.get(name) as number
  }
  const binary: number[] = []
  const lexical: number[] = []
  const seen = new Set<string>()
  for (const rule of cfg.rules) {
    const [first, second] = rule.right
    const left = number(nonterminals, rule.left)
    const text = printRule(rule)
    const key = JSON.stringify([rule.left, rule.right])
    if (seen.has(key)) throw new GrammarKindError(`the rule ${text} stands twice; remove one of the two`)
    seen.add(key)
    if (rule.right.some(({ kind, name }) => kind === 'nonterminal' && name === cfg.start))
      throw new GrammarKindError(`the rule ${text} has the start symbol on the right; convert with normalForm`)
    if (rule.right.length === 1 && first?.kind === 'terminal') lexical.push(left, number(terminals, first.name))
    else if (rule.right.length === 2 && first?.kind === 'nonterminal' && second?.kind === 'nonterminal')
      binary.push(left, number(nonterminals, first.name), number(nonterminals, second.name))
    else
      throw new GrammarKindError(
        `the rule ${text} is neither A -> B C nor A -> 't'; Chomsky normal form has these two alone: convert with normalForm`,
      )
  }
  return {
    nonterminals: [...nonterminals.keys()],
    terminals: [...terminals.keys()],
    binary: Int32Array.from(binary),
    lexical: Int32Array.from(lexical),
  }
}

const printRule = ({ left, right }: CfgRule): string =>
  [left, '->', ...right.map(({ kind, name }) => (kind === 'terminal' ? `'${name}'` : name))].join(' ')
