import { GrammarKindError, GrammarSyntaxError } from '../grammar/cfg.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { described, grammarTokens, type Token } from './tokens.ts'

/**
 * Reads RELIC's grammar form (specs of the release: one production a line, `A -> B C` or `A -> 't7'`; start rules,
 * then other binary rules, then lexical rules, though any order is read). Rules keep their order inside `binary` and
 * inside `lexical`; symbols are numbered by first occurrence, the start symbol first.
 *
 * @throws {GrammarSyntaxError} with line and column, for anything else: other right-hand sides, a repeated rule, the
 * start symbol on a right-hand side, no rule at all.
 *
 * @example
 * import { parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { nonterminals, terminals } = parseRelicGrammar("S -> A B\nA -> 'a'\nB -> 'b'")
 * console.log(nonterminals, terminals) // [ 'S', 'A', 'B' ] [ 'a', 'b' ]
 */
export function parseRelicGrammar(text: string, options: { readonly start?: string } = {}): Cnf {
  const start = options.start ?? 'S'
  const nonterminals = new Map<string, number>([[start, 0]])
  const terminals = new Map<string, number>()
  const binary: number[] = []
  const lexical: number[] = []
  const seen = new Map<string, number>()
  for (const line of lines(grammarTokens(text, { comment: null, escapes: false }))) {
    const [left, arrow, first, second, extra] = line as [Token, ...(Token | undefined)[]]
    if (left.kind !== 'name') fail(left, 'a nonterminal on the left', FORM)
    if (arrow?.kind !== 'arrow') fail(arrow ?? left, '-> after the left-hand side', FORM)
    if (first?.kind === 'quoted') {
      if (second) fail(second, 'the end of the line after one terminal', 'Give each terminal its own lexical rule')
      if (first.text === '' || /\s/.test(first.text))
        fail(first, 'a terminal of one or more characters without blanks', 'Strings are split at blanks')
      lexical.push(number(nonterminals, left.text), number(terminals, first.text))
    } else {
      if (first?.kind !== 'name') fail(first ?? arrow ?? left, 'two nonterminals or one quoted terminal', FORM)
      if (second?.kind !== 'name')
        fail(second ?? first ?? left, 'a second nonterminal', 'Chomsky normal form has no rules with one nonterminal')
      if (extra) fail(extra, 'the end of the line after two nonterminals', 'Split longer rules into binary ones')
      for (const child of [first, second] as Token[])
        if (child.text === start)
          fail(child, 'a nonterminal other than the start symbol', `Let a new start symbol have the rules of ${start}`)
      binary.push(...([left, first, second] as Token[]).map((token) => number(nonterminals, token.text)))
    }
    const key = [left, ...line.slice(2)].map((token) => token.text).join(' ')
    const before = seen.get(key)
    if (before !== undefined)
      throw new GrammarSyntaxError(
        left,
        `this rule stands on line ${before} already`,
        'Remove one of the two: a grammar is a set of rules',
      )
    seen.set(key, left.line)
  }
  if (seen.size === 0)
    throw new GrammarSyntaxError({ line: 1, column: 1 }, 'expected at least one rule, found none', FORM)
  return {
    nonterminals: [...nonterminals.keys()],
    terminals: [...terminals.keys()],
    binary: Int32Array.from(binary),
    lexical: Int32Array.from(lexical),
  }
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
  const start: string[] = []
  const other: string[] = []
  const lexical: string[] = []
  const name = (symbol: number) => {
    const found = cnf.nonterminals[symbol] as string
    if (!/^[\p{L}\p{N}_/^<.][\p{L}\p{N}_/^<>.-]*$/u.test(found) || found.includes('->'))
      throw new GrammarKindError(`the nonterminal ${JSON.stringify(found)} cannot be written without quotes; rename it`)
    return found
  }
  const quoted = (terminal: number) => {
    const found = cnf.terminals[terminal] as string
    if (found === '' || /[\s']/.test(found))
      throw new GrammarKindError(`the terminal ${JSON.stringify(found)} cannot stand between single quotes; rename it`)
    return `'${found}'`
  }
  const { binary, lexical: words } = cnf
  for (let at = 0; at < binary.length; at += 3) {
    const left = binary[at]!
    const rule = `${name(left)} -> ${name(binary[at + 1]!)} ${name(binary[at + 2]!)}`
    ;(left === 0 ? start : other).push(rule)
  }
  for (let at = 0; at < words.length; at += 2) lexical.push(`${name(words[at]!)} -> ${quoted(words[at + 1]!)}`)
  return [...start, ...other, ...lexical].join('\n')
}

const FORM = "Write rules as A -> B C or A -> 't7', one a line"

function fail(token: Token, expected: string, remedy: string): never {
  throw new GrammarSyntaxError(token, `expected ${expected}, found ${described(token)}`, remedy)
}

function number(names: Map<string, number>, name: string): number {
  let found = names.get(name)
  if (found === undefined) {
    found = names.size
    names.set(name, found)
  }
  return found
}

function* lines(tokens: readonly Token[]): Generator<Token[]> {
  let line: Token[] = []
  for (const token of tokens) {
    if (token.kind !== 'newline' && token.kind !== 'end') line.push(token)
    else {
      if (line.length > 0) yield line
      line = []
    }
  }
}
