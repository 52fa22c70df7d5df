import type { Extracted } from '../core/task.ts'
import { firstClause, labelled, lastLine, type Piece, statedOn, visiblePieces } from './lines.ts'
import { ordinary } from './ordinary.ts'

/** Readers of a closed answer: the answer comes back spelled as in `choices`. Total and linear in the text. */
export interface ClosedReader {
  /**
   * The last line with content outside reasoning blocks says one choice and nothing else; quotes, Markdown, end
   * punctuation, letter case and a leading label ("Answer:", "The answer is") are tolerated. An unclosed reasoning
   * block is unparsed.
   */
  readonly strict: (text: string) => Extracted<string>
  /**
   * What strict reads; else the choice on the last labelled line that names one; else the last whole-word occurrence of
   * any choice outside reasoning blocks. At one place the longest choice wins, and an occurrence that reads as an
   * {@link ordinary} word counts only where there is no other.
   */
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

  const strict = (text: string): Extracted<string> => {
    const last = lastLine(text)
    if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
    const stated = statedOn(last.line)
    const choice = byFold.get(fold(stated.text))
    if (choice === undefined) return { kind: 'unparsed', reason: 'last line is not one of the choices' }
    return { kind: 'extracted', answer: choice, rule: 'final-line', span: [stated.start, stated.end] }
  }

  /** The last choice in the first of `pieces` that has one; ordinary words count only where there is nothing else. */
  const lastOf = (pieces: Iterable<Piece>, rule: string): Extracted<string> | null => {
    let fallback: Extracted<string> | null = null
    for (const { text, start } of pieces) {
      let clear: readonly [number, number] | null = null
      let faint: readonly [number, number] | null = null
      anywhere.lastIndex = 0
      for (let hit = anywhere.exec(text); hit !== null; hit = anywhere.exec(text)) {
        const place = [hit.index, anywhere.lastIndex] as const
        if (!wholeWord(text, ...place)) anywhere.lastIndex = hit.index + 1
        else if (ordinary(text, ...place)) faint = place
        else clear = place
      }
      const [from, to] = clear ?? faint ?? [0, 0]
      if (to === 0) continue
      const answer = byFold.get(fold(text.slice(from, to))) as string
      const found = { kind: 'extracted', answer, rule, span: [start + from, start + to] } as const
      if (clear !== null) return found
      fallback ??= found
    }
    return fallback
  }

  return {
    strict,
    lenient(text) {
      const found = strict(text)
      if (found.kind === 'extracted') return found
      for (const line of labelled(text)) {
        const stated = lastOf([firstClause(line), line], 'labelled-line')
        if (stated !== null) return stated
      }
      return (
        lastOf(visiblePieces(text), 'last-occurrence') ?? {
          kind: 'unparsed',
          reason: 'no choice occurs outside reasoning',
        }
      )
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
