import type { Extraction } from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { CascadeAnswer } from '../types.ts'
import { unescaped } from './calls.ts'

/**
 * The released extraction, behaviour for behaviour: a lower-case python block followed by one blank character, its
 * text read as a Python literal after unquoted calls were put in quotes. What fails is an empty cascade, never
 * "unparsed"; an empty response is one rule that does nothing.
 */
export function publishedAnswer(text: string, which: 'first' | 'last'): Extraction<CascadeAnswer> {
  if (text === '') return { kind: 'extracted', answer: [['x', 'x']], rule: 'null', span: [0, 0] }
  const block = pythonBlock(text, which)
  if (block === null) return { kind: 'extracted', answer: [], rule: 'no-block', span: [text.length, text.length] }
  const source = quoteCalls(text.slice(...block).trim())
  const literal = pythonLiteral(source)
  const items = literal?.kind === 'text' ? [literal] : literal?.kind === 'list' ? literal.items : []
  const answer = items.slice(0, 1000).map((item) => (item.kind === 'text' ? publishedRule(item.text) : null))
  return { kind: 'extracted', answer, rule: `${which}-block`, span: block }
}

const OPEN = '```python'

/** The first or last text between "```python" plus a blank and the next fence. */
function pythonBlock(text: string, which: 'first' | 'last'): [number, number] | null {
  let found: [number, number] | null = null
  for (let at = text.indexOf(OPEN); at !== -1; ) {
    const start = at + OPEN.length + 1
    if (!/\s/.test(text[start - 1] ?? '')) {
      at = text.indexOf(OPEN, at + 1)
      continue
    }
    const end = text.indexOf('```', start)
    if (end === -1) break
    found = [start, end]
    if (which === 'first') break
    at = text.indexOf(OPEN, end + 3)
  }
  return found
}

const isQuote = (letter: string | undefined): boolean => letter === '"' || letter === "'"

/** Puts double quotes around every `replace(...)` that has no quote on either side. Linear in the text. */
function quoteCalls(source: string): string {
  let out = ''
  let done = 0
  let close = -1
  for (let at = source.indexOf('replace('); at !== -1; at = source.indexOf('replace(', at)) {
    if (close < at + 8) close = source.indexOf(')', at + 8)
    if (close === -1) break
    if (isQuote(source[at - 1]) || isQuote(source[close + 1])) {
      at++
      continue
    }
    out += `${source.slice(done, at)}"${source.slice(at, close + 1)}"`
    done = close + 1
    at = done
  }
  return out + source.slice(done)
}

/**
 * A program text as the released code takes it apart: after the last `replace(`, up to the first comma, and from there
 * to the second comma or closing parenthesis; outer blanks and all quotes are dropped. null: no comma.
 */
export function publishedRule(program: string): Rule | null {
  const body = program.slice(program.lastIndexOf('replace(') === -1 ? 0 : program.lastIndexOf('replace(') + 8)
  const parts = body.split(',', 2)
  if (parts[1] === undefined) return null
  const clean = (part: string): string => part.trim().replace(/['"]/g, '')
  return [clean(parts[0] as string), clean(parts[1].split(')', 1)[0] as string)]
}

/** What Python's `ast.literal_eval` makes of a text, as far as lists of strings go. Nothing is evaluated. */
type Literal =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Literal[] }
  /** A number, tuple, dictionary, None: something else that is a literal. */
  | { readonly kind: 'other' }

/** Deeper nesting is refused, as a literal or not. */
const MAX_DEPTH = 64

const BLANK = /(?:\s|\\\r?\n|#[^\n]*)*/y
const INLINE = /[ \t\f]*/y
const STRING =
  /([rRuU]?)(?:"""((?:[^\\]|\\.)*?)"""|'''((?:[^\\]|\\.)*?)'''|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/sy
const OTHER = /[-+]?(?:\d[\w.]{0,40}|\.\d\w{0,40})|(?:None|True|False)\b/y

/** null: a syntax error, or an expression that is no literal. Linear in the text. */
export function pythonLiteral(source: string): Literal | null {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    at += found?.[0].length ?? 0
    return found
  }
  /** Neighbouring strings are one string; a line ends the value outside of brackets. */
  const value = (depth: number): Literal | null => {
    const close = { '[': ']', '(': ')', '{': '}' }[source[at] ?? '']
    if (close !== undefined) return bracketed(close, depth + 1)
    let text: string | null = null
    for (let found = take(STRING); found !== null; found = take(STRING)) {
      const body = found.slice(2).find((part) => part !== undefined) ?? ''
      text = (text ?? '') + (/r/i.test(found[1] ?? '') ? body : unescaped(body))
      take(depth === 0 ? INLINE : BLANK)
    }
    if (text !== null) return { kind: 'text', text }
    return take(OTHER) === null ? null : { kind: 'other' }
  }
  const bracketed = (close: string, depth: number): Literal | null => {
    if (depth > MAX_DEPTH) return null
    at++
    const items: Literal[] = []
    let commas = 0
    for (take(BLANK); source[at] !== close; take(BLANK)) {
      const item = value(depth)
      if (item === null) return null
      items.push(item)
      take(BLANK)
      if (source[at] === ',' || (source[at] === ':' && close === '}')) {
        at++
        commas++
      } else if (source[at] !== close) return null
    }
    at++
    if (close === ']') return { kind: 'list', items }
    return close === ')' && commas === 0 ? (items[0] ?? { kind: 'other' }) : { kind: 'other' }
  }
  take(BLANK)
  const found = value(0)
  take(BLANK)
  return at === source.length ? found : null
}
