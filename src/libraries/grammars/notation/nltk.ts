import {
  type Cfg,
  type CfgRule,
  type CfgSymbol,
  GrammarKindError,
  GrammarSyntaxError,
  parseRational,
  printRational,
  type Rational,
} from '../grammar/cfg.ts'
import { described, grammarTokens, type Token } from './tokens.ts'

const FORM = "Write A -> B 'word' | C [0.5], one left-hand side a line"

/**
 * Reads NLTK's notation: `S -> NP VP [0.7] | 'x' [0.3]`, one left-hand side a line, terminals in single or double
 * quotes, `#` comments, `%start NAME`; without that directive the first left-hand side is the start symbol. An empty
 * alternative derives the empty string.
 *
 * @throws {GrammarSyntaxError} with line and column.
 *
 * @example
 * import { parseNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { start, rules } = parseNltkGrammar("S -> 'a' S [0.25] | 'b' [0.75]")
 * console.log(start, rules.length, rules[0]?.weight) // S 2 { numerator: 1n, denominator: 4n }
 */
export function parseNltkGrammar(text: string): Cfg {
  let start: string | null = null
  const rules = readRules(text, (token) => {
    start = startOf(token)
  }).map(({ left, right, weight }) => ({ left, right, weight }))
  const chosen = start ?? rules[0]?.left
  if (chosen === undefined)
    throw new GrammarSyntaxError({ line: 1, column: 1 }, 'expected at least one rule, found none', FORM)
  return { start: chosen, rules }
}

/** The rules of a text with the lines on which they stand; `directive` gets the lines that begin with `%`. */
export function readRules(text: string, directive: (token: Token) => void): (CfgRule & { readonly line: number })[] {
  const rules: (CfgRule & { readonly line: number })[] = []
  let line: Token[] = []
  for (const token of grammarTokens(text)) {
    if (token.kind !== 'newline' && token.kind !== 'end') {
      line.push(token)
      continue
    }
    const first = line[0]
    if (first?.kind === 'directive') directive(first)
    else if (first !== undefined) for (const rule of readLine(line, token)) rules.push({ ...rule, line: first.line })
    line = []
  }
  return rules
}

function startOf(token: Token): string {
  const [name, value, ...rest] = token.text.split(/\s+/)
  if (name !== '%start' || value === undefined || rest.length > 0)
    throw new GrammarSyntaxError(token, `expected %start NAME, found ${JSON.stringify(token.text)}`, FORM)
  return value
}

function readLine(line: readonly Token[], end: Token): CfgRule[] {
  const [left, arrow, ...body] = line as [Token, ...Token[]]
  if (left.kind !== 'name') fail(left, 'a nonterminal on the left')
  if (arrow?.kind !== 'arrow') fail(arrow ?? end, '-> after the left-hand side')
  const rules: CfgRule[] = []
  let right: CfgSymbol[] = []
  let weight: Rational | null = null
  for (const token of [...body, end]) {
    if (token.kind === 'bar' || token === end) {
      rules.push({ left: left.text, right, weight })
      right = []
      weight = null
    } else if (weight !== null) fail(token, '| or the end of the line after a weight')
    else if (token.kind === 'weight') {
      weight = parseRational(token.text)
      if (weight === null) fail(token, 'a weight such as [0.25] or [1/4]')
    } else if (token.kind === 'name') right.push({ kind: 'nonterminal', name: token.text })
    else if (token.kind === 'quoted') right.push({ kind: 'terminal', name: token.text })
    else fail(token, 'a symbol, | or a weight')
  }
  return rules
}

function fail(token: Token, expected: string): never {
  throw new GrammarSyntaxError(token, `expected ${expected}, found ${described(token)}`, FORM)
}

/**
 * Writes NLTK's notation, one rule a line in order, weights as fractions. Reading it back gives the same grammar.
 *
 * @throws {GrammarKindError} when a name could not be read back.
 *
 * @example
 * import { parseNltkGrammar, printNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(printNltkGrammar(parseNltkGrammar("S -> 'a' S [0.25] | 'b' [0.75]")).split('\n')[0]) // S -> 'a' S [1/4]
 */
export function printNltkGrammar(cfg: Cfg): string {
  const lines = cfg.rules.map(({ left, right, weight }) =>
    [
      bare(left),
      '->',
      ...right.map(({ kind, name }) => (kind === 'terminal' ? quoted(name) : bare(name))),
      ...(weight === null ? [] : [`[${printRational(weight)}]`]),
    ].join(' '),
  )
  return [...(cfg.rules[0]?.left === cfg.start ? [] : [`%start ${bare(cfg.start)}`]), ...lines].join('\n')
}

function bare(name: string): string {
  if (!/^[\p{L}\p{N}_/^<.][\p{L}\p{N}_/^<>.-]*$/u.test(name) || name.includes('->'))
    throw new GrammarKindError(`the nonterminal ${JSON.stringify(name)} cannot be written without quotes; rename it`)
  return name
}

function quoted(name: string): string {
  const mark = name.includes("'") ? '"' : "'"
  if (name.includes(mark) || name.includes('\n'))
    throw new GrammarKindError(
      `the terminal ${JSON.stringify(name)} has both kinds of quotes or a line feed; rename it`,
    )
  return `${mark}${name}${mark}`
}
