import { type Cfg, cfgOf, cnfOf, GrammarKindError } from '../grammar/cfg.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { parseNltkGrammar, printNltkGrammar } from './nltk.ts'

/**
 * Reads RELIC's grammar form (specs of the release: one production a line, `A -> B C` or `A -> 't7'`; start rules,
 * then other binary rules, then lexical rules, though any order is read). Rules keep their order inside `binary` and
 * inside `lexical`; symbols are numbered by first occurrence, the start symbol first.
 *
 * @throws {GrammarSyntaxError} with line and column.
 * @throws {GrammarKindError} for other right-hand sides, a repeated rule, the start symbol on a right-hand side, or a terminal
 * with blanks.
 *
 * @example
 * import { parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { nonterminals, terminals } = parseRelicGrammar("S -> A B\nA -> 'a'\nB -> 'b'")
 * console.log(nonterminals, terminals) // [ 'S', 'A', 'B' ] [ 'a', 'b' ]
 */
export function parseRelicGrammar(text: string, options: { readonly start?: string } = {}): Cnf {
  const cnf = cnfOf({ ...parseNltkGrammar(text), start: options.start ?? 'S' })
  const bad = cnf.terminals.find((name) => name === '' || /\s/.test(name))
  if (bad !== undefined)
    throw new GrammarKindError(
      `a terminal has one or more characters and no blanks, got ${JSON.stringify(bad)}: strings are split at blanks`,
    )
  return cnf
}

/**
 * Writes RELIC's form: start rules, other binary rules, lexical rules, each block in the grammar's order, joined by
 * line feeds without one at the end. Reading and printing a text in that form gives the same text.
 *
 * @throws {GrammarKindError} when a name could not be read back.
 *
 * @example
 * import { parseRelicGrammar, printRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const text = "S -> A B\nA -> 'a'\nB -> 'b'"
 * console.log(printRelicGrammar(parseRelicGrammar(text)) === text) // true
 */
export function printRelicGrammar(cnf: Cnf): string {
  const { start, rules }: Cfg = cfgOf(cnf)
  const block = ({ left, right }: Cfg['rules'][number]): number => (right.length === 1 ? 2 : left === start ? 0 : 1)
  const sorted = [0, 1, 2].flatMap((number) => rules.filter((rule) => block(rule) === number))
  return printNltkGrammar({ start: sorted[0]?.left ?? start, rules: sorted })
}
