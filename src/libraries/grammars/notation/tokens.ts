import { GrammarSyntaxError, type Place } from '../grammar/cfg.ts'

/**
 * name: a bare symbol. quoted: a terminal without its quotes. arrow: `->`, `→` or `::=`. bar, newline:
 * themselves. weight: the text inside `[...]`. directive: a `%...` line. end: after the last character.
 */
export type TokenKind = 'name' | 'quoted' | 'arrow' | 'bar' | 'weight' | 'newline' | 'directive' | 'end'

export interface Token extends Place {
  readonly kind: TokenKind
  readonly text: string
}

/** Readers refuse longer texts; the largest published grammar is 20 kB. */
export const MAX_GRAMMAR_CHARACTERS = 4_000_000

const NAME = /[\p{L}\p{N}_/^<>.-]/u
const FIRST = /[\p{L}\p{N}_/^<.]/u
const OPERATORS = '()*+?~{},;=!@&\\'

/** Cuts a grammar text in NLTK's notation into tokens, in one pass; `#` begins a comment. */
export function grammarTokens(text: string): Token[] {
  if (text.length > MAX_GRAMMAR_CHARACTERS)
    throw new GrammarSyntaxError(
      { line: 1, column: 1 },
      `the text has ${text.length} characters, at most ${MAX_GRAMMAR_CHARACTERS} are read`,
      'Check that this is a grammar file',
    )
  const tokens: Token[] = []
  let line = 1
  let lineStart = 0
  let at = 0
  const push = (kind: TokenKind, value: string, from: number) =>
    tokens.push({ kind, text: value, line, column: from - lineStart + 1 })
  const fail = (from: number, problem: string, remedy: string): never => {
    throw new GrammarSyntaxError({ line, column: from - lineStart + 1 }, problem, remedy)
  }
  const endOfLine = (from: number) => {
    const found = text.indexOf('\n', from)
    return found < 0 ? text.length : found
  }
  while (at < text.length) {
    const c = text[at] as string
    if (c === '\n') {
      push('newline', '\\n', at)
      at++
      line++
      lineStart = at
    } else if (c === ' ' || c === '\t' || c === '\r' || (c === '\uFEFF' && at === 0)) at++
    else if (c === '#') at = endOfLine(at)
    else if (text.startsWith('->', at)) {
      push('arrow', '->', at)
      at += 2
    } else if (c === '→') {
      push('arrow', c, at)
      at++
    } else if (text.startsWith('::=', at)) {
      push('arrow', '::=', at)
      at += 3
    } else if (c === '|') {
      push('bar', c, at)
      at++
    } else if (c === '%') {
      const end = endOfLine(at)
      push('directive', text.slice(at, end).trimEnd(), at)
      at = end
    } else if (c === '[') {
      const end = endOfLine(at)
      const close = text.indexOf(']', at)
      if (close < 0 || close > end) fail(at, 'this [ is not closed on its line', 'Write a weight as [0.25] or [1/4]')
      push('weight', text.slice(at + 1, close).trim(), at)
      at = close + 1
    } else if (c === "'" || c === '"') {
      const end = text.indexOf(c, at + 1)
      if (end < 0 || end > endOfLine(at))
        fail(at, `this ${c} is not closed on its line`, `Put the terminal between two ${c}, as in ${c}t7${c}`)
      push('quoted', text.slice(at + 1, end), at)
      at = end + 1
    } else if (FIRST.test(String.fromCodePoint(text.codePointAt(at) as number))) {
      const end = nameEnd(text, at)
      push('name', text.slice(at, end), at)
      at = end
    } else if (OPERATORS.includes(c))
      fail(at, `the operator ${c} is not part of plain rules`, 'Write the rule out as alternatives without operators')
    else
      fail(
        at,
        `unexpected character ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) as number))}`,
        "A symbol is letters, digits, _ / ^ < > . - ; a terminal stands in quotes: 't7'",
      )
  }
  push('end', 'end of text', at)
  return tokens
}

function nameEnd(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) as number)
    if (!NAME.test(character) || text.startsWith('->', at)) break
    at += character.length
  }
  return at
}

/** How a token is called in an error message. */
export function described(token: Token): string {
  if (token.kind === 'newline') return 'the end of the line'
  if (token.kind === 'end') return 'the end of the text'
  if (token.kind === 'quoted') return `the terminal '${token.text}'`
  if (token.kind === 'weight') return `the weight [${token.text}]`
  return JSON.stringify(token.text)
}
