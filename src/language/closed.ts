import type { Extracted } from '../core/task.ts'
import { lastLine, statedOn } from './lines.ts'
import { locateReasoning, visibleSpans } from './reasoning.ts'

/** Readers of a closed answer: the answer comes back spelled as in `choices`. Total and linear in the text. */
export interface ClosedReader {
  /**
   * The last line with content outside reasoning blocks says one choice and nothing else; quotes, Markdown, end
   * punctuation, letter case and a leading label ("Answer:", "The answer is") are tolerated. An unclosed reasoning
   * block is unparsed.
   */
  readonly strict: (text: string) => Extracted<string>
  /** The last whole-word occurrence of any choice outside reasoning blocks; at one place the longest choice wins. */
  readonly lenient: (text: string) => Extracted<string>
}

/** Compiles readers for a list of distinct, non-empty choices (compared without letter case). */
export function closedReader(choices: readonly string[]): ClosedReader {
  const byFold = new Map<string, string>()
  for (const choice of choices) byFold.set(fold(choice), choice)
  if (byFold.size !== choices.length || byFold.has('')) {
    throw new RangeError(`choices must be distinct and non-empty without letter case, got ${JSON.stringify(choices)}`)
  }
  const sorted = [...byFold.values()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const pattern = sorted.map((choice) => escaped(choice.trim()).replace(/\s+/g, '\\s{1,8}')).join('|')
  const anywhere = new RegExp(pattern, 'gi')

  return {
    strict(text) {
      const last = lastLine(text)
      if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
      const stated = statedOn(last.line)
      const choice = byFold.get(fold(stated.text))
      if (choice === undefined) return { kind: 'unparsed', reason: 'last line is not one of the choices' }
      return { kind: 'extracted', answer: choice, rule: 'final-line', span: [stated.start, stated.end] }
    },
    lenient(text) {
      const spans = visibleSpans(text, locateReasoning(text))
      for (let i = spans.length - 1; i >= 0; i--) {
        const [from, to] = spans[i] as readonly [number, number]
        const part = text.slice(from, to)
        let found: RegExpExecArray | null = null
        anywhere.lastIndex = 0
        for (let hit = anywhere.exec(part); hit !== null; hit = anywhere.exec(part)) {
          if (wholeWord(part, hit.index, anywhere.lastIndex)) found = hit
          else anywhere.lastIndex = hit.index + 1
        }
        if (found !== null) {
          const answer = byFold.get(fold(found[0])) as string
          const start = from + found.index
          return { kind: 'extracted', answer, rule: 'last-occurrence', span: [start, start + found[0].length] }
        }
      }
      return { kind: 'unparsed', reason: 'no choice occurs outside reasoning' }
    },
  }
}

const readers = new Map<string, ClosedReader>()

/** `closedReader(choices)`, compiled once for each of the last few lists. */
function readerOf(choices: readonly string[]): ClosedReader {
  const key = choices.join('\n')
  let reader = readers.get(key)
  if (reader === undefined) {
    if (readers.size >= 64) readers.clear()
    reader = closedReader(choices)
    readers.set(key, reader)
  }
  return reader
}

export const strictChoice = (text: string, choices: readonly string[]): Extracted<string> =>
  readerOf(choices).strict(text)
export const lenientChoice = (text: string, choices: readonly string[]): Extracted<string> =>
  readerOf(choices).lenient(text)

const fold = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const WORD = /[\p{L}\p{N}_]/u
/** Are both ends of [start, end) at word boundaries, by Unicode letters and digits? */
export function wholeWord(text: string, start: number, end: number): boolean {
  if (start > 0 && WORD.test(text[start] as string) && WORD.test(codePointBefore(text, start))) return false
  if (end < text.length && WORD.test(text[end - 1] as string) && WORD.test(codePointAt(text, end))) return false
  return true
}
const codePointAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) as number)
function codePointBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && at >= 2
  return pair ? codePointAt(text, at - 2) : text.slice(at - 1, at)
}
