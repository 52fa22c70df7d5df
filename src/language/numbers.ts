import type { Extracted } from '../core/task.ts'
import { firstClause, labelled, lastLine, type Piece, statedOn, visiblePieces } from './lines.ts'

const names =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  )

/** A whole number as digits (with thousands separators or a zero fraction) or as a word up to twenty, or null. */
export function wholeNumber(text: string): number | null {
  const word = names.indexOf(text.toLowerCase())
  if (word !== -1) return word
  if (!/^\d{1,3}(?:,\d{3}){0,4}(?:\.0{1,6})?$|^\d{1,15}(?:\.0{1,6})?$/.test(text)) return null
  return Number(text.replaceAll(',', ''))
}

/**
 * The last line with content outside reasoning states one whole number, alone or before `unit` words ("5 hops");
 * a leading label is tolerated. The answer is the number in digits.
 */
export function strictNumber(text: string, units: readonly string[] = []): Extracted<string> {
  const last = lastLine(text)
  if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
  const stated = statedOn(last.line)
  const value = numberAlone(stated.text, units)
  // A dash right before the digits is a sign; before a blank it is a bullet.
  const negative = /[-–−]/.test(text[stated.start - 1] ?? '')
  if (value === null || negative) return { kind: 'unparsed', reason: 'last line is not one whole number' }
  return { kind: 'extracted', answer: String(value), rule: 'final-line', span: [stated.start, stated.end] }
}

/** A whole number with nothing after it but units. */
function numberAlone(text: string, units: readonly string[]): number | null {
  const [first = '', ...rest] = text.split(/\s+/)
  return rest.every((word) => units.includes(lettersOf(word))) ? wholeNumber(first) : null
}

const lettersOf = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '')

const NUMBER = new RegExp(
  `(?<![\\w.,])(?:\\d{1,3}(?:,\\d{3}){1,4}(?:\\.0{1,6})?|\\d{1,15}(?:\\.0{1,6})?|${names.join('|')})(?![\\w]|[.,]\\d)`,
  'gi',
)

/**
 * What strict reads; else the number on the last labelled line that has one; else the last whole number anywhere
 * outside reasoning, as digits. "one" counts only alone or before a unit: "no shorter one" is no number.
 */
export function lenientNumber(text: string, units: readonly string[] = []): Extracted<string> {
  const strict = strictNumber(text, units)
  if (strict.kind === 'extracted') return strict
  for (const line of labelled(text)) {
    const clause = firstClause(line)
    const value = numberAlone(clause.text, units)
    if (value !== null)
      return { kind: 'extracted', answer: String(value), rule: 'labelled-line', span: [clause.start, clause.end] }
    const found = lastIn(clause, units, 'labelled-line') ?? lastIn(line, units, 'labelled-line')
    if (found !== null) return found
  }
  for (const piece of visiblePieces(text)) {
    const found = lastIn(piece, units, 'last-number')
    if (found !== null) return found
  }
  return { kind: 'unparsed', reason: 'no whole number outside reasoning' }
}

function lastIn({ text, start }: Piece, units: readonly string[], rule: string): Extracted<string> | null {
  let found: Extracted<string> | null = null
  NUMBER.lastIndex = 0
  for (let hit = NUMBER.exec(text); hit !== null; hit = NUMBER.exec(text)) {
    const [said] = hit
    const end = NUMBER.lastIndex
    if (said.toLowerCase() === 'one' && !units.includes(nextWord(text, end))) continue
    const answer = String(wholeNumber(said) as number)
    found = { kind: 'extracted', answer, rule, span: [start + hit.index, start + end] }
  }
  return found
}

const nextWord = (text: string, at: number): string =>
  lettersOf(/^[\s-]{1,3}[a-z-]{1,20}/i.exec(text.slice(at, at + 24))?.[0] ?? '')
