import { GrammarSyntaxError, type Place } from '../grammar/cfg.ts'

/**
 * name: a bare symbol. quoted: a terminal, quotes and escapes removed. arrow: `->`, `→` or `::=`. colon, bar, newline:
 * themselves. weight: the text inside `[...]`. directive: a `%...` line. end: after the last character.
 */
export type TokenKind = 'name' | 'quoted' | 'arrow' | 'colon' | 'bar' | 'weight' | 'newline' | 'directive' | 'end'

export interface Token extends Place {
  readonly kind: TokenKind
  readonly text: string
}

/** Readers refuse longer texts; the largest published grammar is 20 kB. */
export const MAX_GRAMMAR_CHARACTERS = 4_000_000

const NAME = /[\p{L}\p{N}_/^<>.-]/u
const FIRST = /[\p{L}\p{N}_/^<.]/u
const OPERATORS = '()*+?~{},;=!@&\\'

/**
 * Cuts a grammar text into tokens, in one pass. `comment` opens a comment that runs to the end of the line (`#` in the
 * NLTK notation, `//` in Lark's; null: none). `escapes` reads Python's backslash escapes inside quotes: \n \t \r \f,
 * \xhh, \uhhhh and \Uhhhhhhhh; before any other character the backslash is dropped.
 */
export function grammarTokens(text: string, options: { comment: string | null; escapes: boolean }): Token[] {
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
    else if (options.comment !== null && text.startsWith(options.comment, at)) at = endOfLine(at)
    else if (text.startsWith('->', at)) {
      push('arrow', '->', at)
      at += 2
    } else if (c === '→') {
      push('arrow', c, at)
      at++
    } else if (text.startsWith('::=', at)) {
      push('arrow', '::=', at)
      at += 3
    } else if (c === ':') {
      push('colon', c, at)
      at++
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
      const read = quoted(text, at, options.escapes)
      if (read === null)
        return fail(at, `this ${c} is not closed on its line`, `Put the terminal between two ${c}, as in ${c}t7${c}`)
      if (read.bad !== null)
        return fail(read.bad, 'this escape names no character', 'Write the code in full, as in \\x41 or \\u0041')
      push('quoted', read.value, at)
      at = read.end
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

/** `bad` is where an escape stands that names no character. */
interface Quoted {
  readonly value: string
  readonly end: number
  readonly bad: number | null
}

function quoted(text: string, from: number, escapes: boolean): Quoted | null {
  const mark = text[from] as string
  let value = ''
  let bad: number | null = null
  for (let at = from + 1; at < text.length; ) {
    const c = text[at] as string
    if (c === '\n') return null
    if (c === mark) return { value, end: at + 1, bad }
    if (escapes && c === '\\' && at + 1 < text.length && text[at + 1] !== '\n') {
      const { character, length } = escaped(text, at + 1)
      if (character === null) bad ??= at
      value += character ?? ''
      at += 1 + length
    } else {
      value += c
      at++
    }
  }
  return null
}

const CONTROLS: { readonly [letter: string]: string } = { n: '\n', t: '\t', r: '\r', f: '\f' }
const DIGITS: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 }

/** What an escape says whose letter stands at `at`, and how many code units it takes; null where it names no character. */
function escaped(text: string, at: number): { readonly character: string | null; readonly length: number } {
  const letter = text[at] as string
  const digits = Object.hasOwn(DIGITS, letter) ? DIGITS[letter]! : 0
  if (digits === 0)
    return { character: Object.hasOwn(CONTROLS, letter) ? (CONTROLS[letter] as string) : letter, length: 1 }
  const code = text.slice(at + 1, at + 1 + digits)
  const number = code.length === digits && /^[\da-f]+$/i.test(code) ? Number.parseInt(code, 16) : null
  if (number === null || number > 0x10ffff) return { character: null, length: 1 }
  return { character: String.fromCodePoint(number), length: 1 + digits }
}

/** How a token is called in an error message. */
export function described(token: Token): string {
  if (token.kind === 'newline') return 'the end of the line'
  if (token.kind === 'end') return 'the end of the text'
  if (token.kind === 'quoted') return `the terminal '${token.text}'`
  if (token.kind === 'weight') return `the weight [${token.text}]`
  return JSON.stringify(token.text)
}
