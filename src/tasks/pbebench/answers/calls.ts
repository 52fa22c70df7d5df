import type { Rule } from '../../../libraries/rewriting/index.ts'

/** A `replace(...)` call found in a text; `rule` is null where its arguments are no two texts. */
export interface Call {
  readonly start: number
  readonly end: number
  readonly rule: Rule | null
}

/** More calls than this in one answer are not read. */
export const MAX_CALLS = 1000
/** Longest argument that is read. */
const MAX = 200

const CLOSING: { readonly [open: string]: string } = {
  "'": "'",
  '"': '"',
  '`': '`',
  '“': '“”',
  '”': '“”',
  '„': '“”',
  '‘': '‘’',
  '’': '‘’',
  '«': '»',
}

/**
 * All calls between two offsets, in order. Linear: searches stay inside them, and arguments longer than {@link MAX} are
 * skipped.
 */
export function findCalls(text: string, from: number, to: number): Call[] {
  const calls: Call[] = []
  // As long as the text up to `to`, so that offsets stay those of the text.
  const before = text.slice(0, to)
  let at = before.indexOf('replace', from)
  while (at !== -1 && calls.length < MAX_CALLS) {
    const open = skipBlanks(text, at + 7)
    if (text[open] !== '(') {
      at = before.indexOf('replace', at + 7)
      continue
    }
    const call = readCall(text, at, open + 1, to)
    calls.push(call)
    at = before.indexOf('replace', call.end)
  }
  return calls
}

function readCall(text: string, start: number, inside: number, to: number): Call {
  const nested = text[start - 1] === '"' || text[start - 1] === "'"
  const left = readArgument(text, inside, nested)
  const comma = left === null ? -1 : skipBlanks(text, left.end)
  const right = left !== null && text[comma] === ',' ? readArgument(text, comma + 1, nested) : null
  if (left === null || right === null) return { start, end: inside, rule: null }
  let close = skipBlanks(text, right.end)
  // A trailing comma changes nothing; a third argument makes it another function.
  if (text[close] === ',') close = skipBlanks(text, close + 1)
  if (text[close] !== ')' || close >= to) {
    const end = text.slice(right.end, Math.min(to, right.end + 40)).indexOf(')')
    return { start, end: Math.min(right.end + end + 1, to), rule: null }
  }
  return { start, end: close + 1, rule: [left.text, right.text] }
}

function skipBlanks(text: string, at: number): number {
  let i = at
  while (i - at < MAX && /\s/.test(text[i] ?? '')) i++
  return i
}

interface Argument {
  readonly text: string
  readonly end: number
}

/**
 * A quoted text. Quotes may be typographic. A call may stand inside a string (`nested`): then its quotes may be escaped, and
 * a backslash is written twice.
 */
function readArgument(text: string, from: number, nested: boolean): Argument | null {
  let at = skipBlanks(text, from)
  let escapes = 0
  while (text[at] === '\\' && escapes < 3) {
    at++
    escapes++
  }
  if (escapes === 0 && /[rRuUbB]/.test(text[at] ?? '') && CLOSING[text[at + 1] ?? ''] !== undefined) at++
  const closing = CLOSING[text[at] ?? '']
  if (closing === undefined) return null
  const start = at + 1
  for (let i = start; i <= start + MAX && i < text.length; i++) {
    const letter = text[i] as string
    if (letter === '\n') return null
    if (escapes === 0 && letter === '\\') i += nested ? escapedLength(text, i) - 1 : 1
    else if (closing.includes(letter) && backslashes(text, start, i) >= escapes)
      return { text: plain(text.slice(start, i - escapes), nested), end: i + 1 }
  }
  return null
}

/** From a backslash on, inside a string: two are one of the call, which takes the next letter along, escaped or not. */
function escapedLength(text: string, at: number): number {
  if (text[at + 1] !== '\\') return 2
  return text[at + 2] === '\\' ? 4 : 3
}

const plain = (text: string, nested: boolean): string => (nested ? unescaped(unescaped(text)) : unescaped(text))

function backslashes(text: string, start: number, at: number): number {
  let count = 0
  while (at - 1 - count >= start && text[at - 1 - count] === '\\' && count < 3) count++
  return count
}

/** Letters for their escapes, as Python and JSON write them; other backslashes stay. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(
    /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|(['"`\\]))/g,
    (_, unit, byte, mark: string | undefined) =>
      mark === undefined ? String.fromCharCode(Number.parseInt(String(unit ?? byte), 16)) : mark,
  )
}
