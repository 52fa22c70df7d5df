import type { Extracted } from '../core/task.ts'
import { lastLine, statedOn } from './lines.ts'
import { visibleSpans } from './reasoning.ts'

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
  const [first = '', ...rest] = stated.text.split(/\s+/)
  const value = wholeNumber(first)
  const unitsOnly = rest.every((word) => units.includes(word.toLowerCase().replace(/[^a-z]/g, '')))
  // A dash right before the digits is a sign; before a blank it is a bullet.
  const negative = /[-–−]/.test(text[stated.start - 1] ?? '')
  if (value === null || !unitsOnly || negative) return { kind: 'unparsed', reason: 'last line is not one whole number' }
  return { kind: 'extracted', answer: String(value), rule: 'final-line', span: [stated.start, stated.end] }
}

const NUMBER = new RegExp(`(?<![\\w.,])(?:\\d{1,15}|${names.join('|')})(?![\\w]|[.,]\\d)`, 'gi')

/** The last whole number anywhere outside reasoning, as digits. */
export function lenientNumber(text: string): Extracted<string> {
  const spans = visibleSpans(text)
  for (let i = spans.length - 1; i >= 0; i--) {
    const [from, to] = spans[i] as readonly [number, number]
    const part = text.slice(from, to)
    let found: RegExpExecArray | null = null
    NUMBER.lastIndex = 0
    for (let hit = NUMBER.exec(part); hit !== null; hit = NUMBER.exec(part)) found = hit
    if (found !== null) {
      const start = from + found.index
      const answer = String(wholeNumber(found[0]) as number)
      return { kind: 'extracted', answer, rule: 'last-number', span: [start, start + found[0].length] }
    }
  }
  return { kind: 'unparsed', reason: 'no whole number outside reasoning' }
}
