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

/** Kinds of tokens with how they are written; null: blanks and comments. */
const WRITTEN: readonly (readonly [TokenKind | null, RegExp])[] = [
  [null, /[ \t\r]+|#[^\n]*|^\ufeff/y],
  ['name', /[\p{L}\p{N}_/^<.](?:(?!->)[\p{L}\p{N}_/^<>.-])*/uy],
  ['quoted', /'[^'\n]*'|"[^"\n]*"/y],
  ['arrow', /->|→|::=/y],
  ['bar', /\|/y],
  ['newline', /\n/y],
  ['weight', /\[[^\]\n]*\]/y],
  ['directive', /%[^\n]*/y],
]

/** Cuts a grammar text in NLTK's notation into tokens, in one pass; `#` begins a comment. */
export function grammarTokens(text: string): Token[] {
  if (text.length > MAX_GRAMMAR_CHARACTERS)
    throw new GrammarSyntaxError(
      { line: 1, column: 1 },
      `the text has ${text.length} characters, at most ${MAX_GRAMMAR_CHARACTERS} are read`,
      'Check that this is a grammar file',
    )
  const tokens: Token[] = []
  let [line, lineStart, at] = [1, 0, 0]
  while (at < text.length) {
    const place = { line, column: at - lineStart + 1 }
    const found = WRITTEN.find(([, pattern]) => {
      pattern.lastIndex = at
      return pattern.test(text)
    })
    if (found === undefined) throw new GrammarSyntaxError(place, ...problemAt(text, at))
    const [kind, { lastIndex: end }] = found
    if (kind !== null) tokens.push({ kind, text: contentOf(kind, text.slice(at, end)), ...place })
    at = end
    if (kind === 'newline') {
      line++
      lineStart = at
    }
  }
  tokens.push({ kind: 'end', text: 'end of text', line, column: at - lineStart + 1 })
  return tokens
}

function contentOf(kind: TokenKind, written: string): string {
  if (kind === 'newline') return '\\n'
  if (kind === 'quoted') return written.slice(1, -1)
  return kind === 'weight' ? written.slice(1, -1).trim() : written.trimEnd()
}

/** What is wrong with a character that begins no token, and what to do about it. */
function problemAt(text: string, at: number): readonly [problem: string, remedy: string] {
  const c = String.fromCodePoint(text.codePointAt(at) as number)
  if (c === '[') return ['this [ is not closed on its line', 'Write a weight as [0.25] or [1/4]']
  if (c === "'" || c === '"')
    return [`this ${c} is not closed on its line`, `Put the terminal between two ${c}, as in ${c}t7${c}`]
  if ('()*+?~{},;=!@&\\'.includes(c))
    return [`the operator ${c} is not part of plain rules`, 'Write the rule out as alternatives without operators']
  const remedy = "A symbol is letters, digits, _ / ^ < > . - ; a terminal stands in quotes: 't7'"
  return [`unexpected character ${JSON.stringify(c)}`, remedy]
}

/** How a token is called in an error message. */
export function described(token: Token): string {
  if (token.kind === 'newline') return 'the end of the line'
  if (token.kind === 'end') return 'the end of the text'
  if (token.kind === 'quoted') return `the terminal '${token.text}'`
  if (token.kind === 'weight') return `the weight [${token.text}]`
  return JSON.stringify(token.text)
}
