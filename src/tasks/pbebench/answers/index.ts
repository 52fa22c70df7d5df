import type { Extraction, Json, Parser } from '../../../core/index.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { CascadeAnswer, Examples } from '../types.ts'
import { pythonLiteral } from './python-literal.ts'
import { lenientAnswer, strictAnswer } from './strict.ts'

type CascadeParser = Parser<Json, Examples, CascadeAnswer>

/** How responses that should hold a cascade are read; shared by all tasks that ask for one. */
export const cascadeParsers: {
  readonly strict: CascadeParser
  readonly lenient: CascadeParser
  readonly [name: string]: CascadeParser
} = {
  strict: (text) => unlessNegated(text, strictAnswer(text)),
  lenient: (text, { given }) => unlessNegated(text, lenientAnswer(text, given)),
  published: (text) => publishedAnswer(text, 'last'),
  'published-first': (text) => publishedAnswer(text, 'first'),
}

/**
 * The released extraction, behaviour for behaviour: a lower-case python block followed by one blank character, its
 * text read as a Python literal after unquoted calls were put in quotes. What fails is an empty cascade, never
 * "unparsed"; an empty response is one rule that does nothing.
 */
function publishedAnswer(text: string, which: 'first' | 'last'): Extraction<CascadeAnswer> {
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
