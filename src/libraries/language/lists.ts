import { locateReasoning } from '../../core/reasoning.ts'
import type { Extraction } from '../../core/task.ts'
import { lastFence } from './fences.ts'
import {
  cut,
  firstClause,
  labelled,
  lastLine,
  linesOf,
  MAX_LINE,
  type Piece,
  statedOn,
  unframed,
  visiblePieces,
} from './lines.ts'
import { unlessNegated } from './negation-context.ts'

/** Longer lists are not parsed. */
const MAX_LENGTH = 200_000

/**
 * Parses `[...]` of strings, quoted as in JSON or Python or bare. The text must be the list alone, with optional white space
 * or an assignment `name = [...]`; else null. Linear.
 *
 * @example
 * import { parseList } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(parseList("answer = ['a', 'b']"))
 */
export function parseList(text: string): string[] | null {
  if (text.length > MAX_LENGTH) return null
  const open = text.indexOf('[')
  const close = text.lastIndexOf(']')
  if (open === -1 || close < open || text.slice(close + 1).trim() !== '') return null
  if (!/^\s*(?:[A-Za-z_]\w{0,40}\s{0,4}=\s{0,4})?$/.test(text.slice(0, open).slice(-60))) return null
  if (open > 60 && text.slice(0, open - 60).trim() !== '') return null
  return items(text.slice(open + 1, close))
}

function items(body: string): string[] | null {
  const out: string[] = []
  let at = skipBlank(body, 0)
  if (at === body.length) return out
  for (;;) {
    const quote = body[at]
    let end: number
    if (quote === '"' || quote === "'") {
      end = at + 1
      let text = ''
      while (end < body.length && body[end] !== quote) {
        if (body[end] === '\\') end++
        text += body[end] ?? ''
        end++
      }
      if (end >= body.length) return null
      out.push(text)
      end++
    } else {
      end = at
      while (end < body.length && body[end] !== ',') end++
      const bare = body.slice(at, end).trim()
      if (bare === '' || /["'[\]]/.test(bare)) return null
      out.push(bare)
    }
    at = skipBlank(body, end)
    if (at === body.length) return out
    if (body[at] !== ',') return null
    at = skipBlank(body, at + 1)
    if (at === body.length) return out
  }
}

function skipBlank(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] as string)) at++
  return at
}

/** Characters around a name between arrows. */
const BEFORE = /[\s*_`"'([]/
const AFTER = /[\s*_`"').,\]]/
/** Characters after a list that ends its line. */
const TAIL = /[\s.*_`]/
const NOTHING = /(?!)/

const trimmed = (text: string, left: RegExp, right: RegExp): string =>
  unframed({ text, start: 0, end: text.length }, left, right).text

const ARROW = /\s{0,4}(?:-{1,2}>|→|={1,2}>|⟶|⟹|⇒|➔|➜|➝|➡)\s{0,4}/

/**
 * `A -> B -> C` on one line as its parts, or null.
 *
 * @example
 * import { parseArrows } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(parseArrows('Ann -> Bob -> Cid'))
 */
export function parseArrows(line: string): string[] | null {
  if (line.length > MAX_LENGTH || !ARROW.test(line)) return null
  const parts = line.split(ARROW).map((part) => trimmed(part, BEFORE, AFTER))
  return parts.every((part) => part !== '') ? parts : null
}

/**
 * The last fenced block outside reasoning blocks as a list; without a block, a list or arrows on the last line. An unclosed
 * reasoning block or fence is unparsed, and so is a block with more than a list.
 *
 * @example
 * import { strictList } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(strictList('```python\n["a", "b"]\n```'))
 */
export const strictList = (text: string): Extraction<string[]> => unlessNegated(text, blockOrLine(text))

function blockOrLine(text: string): Extraction<string[]> {
  if (locateReasoning(text).unclosed) return { kind: 'unparsed', reason: 'reasoning block never closed' }
  const fence = lastFence(text)
  if (fence !== null) {
    if (!fence.closed) return { kind: 'unparsed', reason: 'fenced block never closed' }
    const body = text.slice(fence.start, fence.end)
    const list = parseList(body) ?? parseArrows(body.trim())
    return list === null
      ? { kind: 'unparsed', reason: 'the last fenced block is not one list' }
      : { kind: 'extracted', answer: list, rule: 'fenced-list', span: [fence.start, fence.end] }
  }
  const last = lastLine(text)
  if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
  const { line } = last
  const label = line.text.indexOf('[')
  const list = label === -1 ? null : parseList(trimmed(line.text.slice(label), NOTHING, TAIL))
  if (list !== null)
    return { kind: 'extracted', answer: list, rule: 'final-line-list', span: [line.start + label, line.end] }
  const stated = statedOn(line)
  const arrows = parseArrows(stated.text)
  return arrows === null
    ? { kind: 'unparsed', reason: 'no fenced block, and the last line is not a list' }
    : { kind: 'extracted', answer: arrows, rule: 'final-line-arrows', span: [stated.start, stated.end] }
}

type Accepts = (list: readonly string[]) => boolean

/**
 * As strict, else the first list or arrows on the last labelled line with any; else the last `[...]` without inner brackets
 * that parses as a list, or the last line with arrows, outside reasoning blocks. Only lists that `accepts` accepts.
 *
 * @example
 * import { lenientList } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(lenientList('The order is Ann -> Bob -> Cid, I think.'))
 */
export function lenientList(text: string, accepts: Accepts = () => true): Extraction<string[]> {
  const strict = strictList(text)
  if (strict.kind === 'extracted' && accepts(strict.answer)) return strict
  const found = lastList(text, accepts)
  return found === null ? { kind: 'unparsed', reason: 'no list outside reasoning' } : unlessNegated(text, found)
}

function lastList(text: string, accepts: Accepts): Extraction<string[]> | null {
  for (const line of labelled(text)) {
    const found = bracketsIn(line, accepts)[0] ?? lastArrows(line, accepts) ?? commas(line, accepts)
    if (found !== null) return found
  }
  for (const piece of visiblePieces(text)) {
    const found = bracketsIn(piece, accepts).at(-1) ?? lastArrows(piece, accepts)
    if (found !== null) return found
  }
  for (const piece of visiblePieces(text)) {
    const found = numbered(piece, accepts) ?? lastCommas(piece, accepts)
    if (found !== null) return found
  }
  return null
}

function lastCommas(piece: Piece, accepts: Accepts): Extraction<string[]> | null {
  for (const line of linesOf(piece)) {
    const found = commas(line, accepts)
    if (found !== null) return found
  }
  return null
}

/** "A, B, C", "(A, B and C)", "the way is A, B, C" if all parts are accepted. */
function commas(line: Piece, accepts: Accepts): Extraction<string[]> | null {
  if (line.text.length > MAX_LINE) return null
  const inner = /\(([^()]{3,1000})\)[\s.*_`]*$/.exec(line.text)
  const stated =
    inner === null ? statedOn(line) : cut(line, inner.index + 1, inner.index + 1 + (inner[1] as string).length)
  const colon = stated.text.lastIndexOf(': ')
  const rest = colon === -1 ? stated : unframed(cut(stated, colon + 1))
  const parts = rest.text
    .split(/\s{0,4},\s{0,4}(?:and\s|then\s)?\s{0,4}|\s(?:and|then|to)\s/)
    .map((part) => trimmed(part, BEFORE, AFTER))
  if (parts.length < 2 || parts.some((part) => part === '') || !accepts(parts)) return null
  return { kind: 'extracted', answer: parts, rule: 'comma-list', span: [rest.start, rest.end] }
}

const NUMBERED = /^\s{0,8}(?:\d{1,3}[.)]|[-*•])\s{1,8}/

/** The last numbered or bulleted lines, if all are accepted. */
function numbered(piece: Piece, accepts: Accepts): Extraction<string[]> | null {
  let end = -1
  let start = -1
  const parts: string[] = []
  for (const line of linesOf(piece)) {
    const mark = line.text.length > MAX_LINE ? null : NUMBERED.exec(line.text)
    if (mark === null) {
      if (parts.length > 0) break
      continue
    }
    if (end === -1) end = line.end
    start = line.start
    parts.push(trimmed(line.text.slice(mark[0].length), BEFORE, AFTER))
  }
  parts.reverse()
  if (parts.length < 2 || parts.some((part) => part === '') || !accepts(parts)) return null
  return { kind: 'extracted', answer: parts, rule: 'listed-lines', span: [start, end] }
}

const bracketsIn = ({ text, start }: Piece, accepts: Accepts): Extraction<string[]>[] =>
  [...text.matchAll(/\[[^[\]]*\]/g)].flatMap(({ 0: brackets, index }) => {
    const list = parseList(brackets)
    if (list === null || list.length === 0 || !accepts(list)) return []
    const from = start + index
    return [{ kind: 'extracted', answer: list, rule: 'last-list', span: [from, from + brackets.length] }]
  })

function lastArrows(piece: Piece, accepts: Accepts): Extraction<string[]> | null {
  for (const line of linesOf(piece))
    for (const { text, start, end } of [firstClause(line), statedOn(line)]) {
      const list = parseArrows(text)
      if (list !== null && accepts(list))
        return { kind: 'extracted', answer: list, rule: 'last-arrows', span: [start, end] }
    }
  return null
}
