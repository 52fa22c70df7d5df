import type { Extraction, Question } from '../../../core/index.ts'
import { locateReasoning, visibleSpans } from '../../../core/reasoning.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import type { Shared } from '../discriminate/types.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Asked } from './task.ts'

type Read = Extraction<readonly string[]>

/** A longer line is no string of any language here, and no response holds more lines. */
const maxLine = 8192
const maxLines = 4096

/** Outside reasoning every non-blank line is a string over the alphabet, and there are not far too many. */
export function strict(text: string, question: Question<Shared, Asked>): Read {
  const reasoning = locateReasoning(text)
  if (reasoning.unclosed) return { kind: 'unparsed', reason: 'reasoning block never closed' }
  const lines = linesOf(text)
  if (lines === null)
    return { kind: 'unparsed', reason: `more than ${maxLines} lines or a line above ${maxLine} characters` }
  const read = lines.map((line) => ({ ...line, tokens: tokensOfLine(line.text, question) }))
  const odd = read.find((line) => line.tokens === null)
  if (odd !== undefined) return { kind: 'unparsed', reason: `a line that is not a string over the alphabet` }
  return unlessNegated(text, extracted(read, 'lines'))
}

/** Takes the lines that are strings over the alphabet, list marks and code quotes cut off, and passes over prose; a listed line that is no string leaves all unparsed. */
export function lenient(text: string, question: Question<Shared, Asked>): Read {
  const lines = linesOf(text)
  if (lines === null)
    return { kind: 'unparsed', reason: `more than ${maxLines} lines or a line above ${maxLine} characters` }
  const read = lines.map((line) => {
    const tokens =
      tokensOfLine(line.text, question) ?? tokensOfLine(line.text.replace(mark, '').replaceAll('`', ''), question)
    return { ...line, tokens }
  })
  const strings = read.filter((line) => line.tokens !== null)
  const isListed = (line: Line): boolean => mark.test(line.text)
  if (strings.some(isListed) && read.some((line) => line.tokens === null && isListed(line)))
    return { kind: 'unparsed', reason: 'a line of the list is not a string over the alphabet' }
  return unlessNegated(text, extracted(strings, 'string-lines'))
}

/** A bullet or a number with its point or bracket at the start of a line. */
const mark = /^(?:[-*•]|\d{1,3}[.):])[ \t]+/u

interface Line {
  readonly text: string
  readonly start: number
  readonly end: number
}

function linesOf(text: string): Line[] | null {
  const out: Line[] = []
  for (const [from, to] of visibleSpans(text, locateReasoning(text))) {
    // Searches stay before `to`: one that leaves its span may go through the whole text, once a span.
    const before = text.slice(0, to)
    for (let start = from; start < to; ) {
      const newline = before.indexOf('\n', start)
      const end = newline === -1 ? to : newline
      if (end - start > maxLine || out.length > maxLines) return null
      const line = text.slice(start, end).trim()
      if (line !== '') out.push({ text: line, start, end })
      start = end + 1
    }
  }
  return out
}

function extracted(lines: readonly (Line & { readonly tokens: readonly string[] | null })[], rule: string): Read {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined)
    return { kind: 'unparsed', reason: 'no line is a string over the alphabet' }
  return {
    kind: 'extracted',
    answer: lines.map((line) => (line.tokens as readonly string[]).join(' ')),
    rule,
    span: [first.start, last.end],
  }
}

/** Tokens of a line with or without separators, each the longest that fits; null where something else stands there. */
function tokensOfLine(line: string, { shared }: Question<Shared, Asked>): string[] | null {
  const names = alphabetOf(shared.grammar)
  const { separator } = shared.format
  const out: string[] = []
  let at = 0
  while (at < line.length) {
    if (/\s/u.test(line[at] as string)) at++
    else if (separator !== '' && line.startsWith(separator, at)) at += separator.length
    else {
      const token = names.find((name) => line.startsWith(name, at))
      if (token === undefined) return null
      out.push(token)
      at += token.length
    }
  }
  return out.length === 0 ? null : out
}

const alphabetOf = (grammar: string): readonly string[] =>
  languageOf(grammar).grammar.terminals.toSorted((a, b) => b.length - a.length)
