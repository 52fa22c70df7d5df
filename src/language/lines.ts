import { locateReasoning, type Reasoning, visibleSpans } from './reasoning.ts'

/** A line longer than this cannot be a stated answer. */
export const LONGEST_LINE = 2000

/** A piece of the raw text with its offsets. */
export interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Characters that frame an answer without changing it: white space, quotes, brackets, Markdown, end punctuation. */
const FRAME = /[\s*_`~#>"'“”‘’«»()[\]{}$\\|.,;:!?–—。，、；：！？…「」『』（）-]/

/** `piece` without frame characters at both ends. */
export function unframed(piece: Piece, frame: RegExp = FRAME): Piece {
  let from = 0
  let to = piece.text.length
  while (from < to && frame.test(piece.text[from] as string)) from++
  while (to > from && frame.test(piece.text[to - 1] as string)) to--
  return { text: piece.text.slice(from, to), start: piece.start + from, end: piece.start + to }
}

export type LastLine =
  | { readonly kind: 'line'; readonly line: Piece }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * The last line outside reasoning blocks that holds more than frame characters (so a closing fence or a rule is
 * passed over). None where a block was left open, or where the line is too long to be an answer.
 */
export function lastLine(text: string, reasoning: Reasoning = locateReasoning(text)): LastLine {
  if (reasoning.unclosed) return { kind: 'none', reason: 'reasoning block never closed' }
  const spans = visibleSpans(text, reasoning)
  for (let i = spans.length - 1; i >= 0; i--) {
    const [from, to] = spans[i] as readonly [number, number]
    let end = to
    while (end > from) {
      const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
      if (end > start) {
        if (end - start > LONGEST_LINE) {
          if (/\S/.test(text.slice(start, end))) return { kind: 'none', reason: 'last line too long' }
        } else {
          const line = { text: text.slice(start, end), start, end }
          if (unframed(line).text !== '') return { kind: 'line', line }
        }
      }
      end = start - 1
    }
  }
  return { kind: 'none', reason: 'no visible text' }
}

/** "Answer:", "**Final answer**:", "So the answer is" and kin at the start of a line; bounded, hence linear. */
const LABEL =
  /^[\s*_#>`"'-]{0,12}(?:(?:so|thus|hence|therefore),?\s{1,4})?(?:(?:my|the|your)\s{1,4})?(?:(?:final|correct|short)\s{1,4})?(?:answer|conclusion|verdict|response|result|output)[*_`"']{0,4}\s{0,4}(?::|=|is\b|would be\b)[*_`]{0,4}:?/i

/** The line after an answer label, or the whole line; then without its frame. `\boxed{x}` counts as a frame. */
export function statedOn(line: Piece): Piece {
  const label = LABEL.exec(line.text)
  let rest = label === null ? line : after(line, label[0].length)
  rest = unframed(rest)
  const boxed = /^(?:boxed|text)\s?\{/.exec(rest.text)
  if (boxed !== null) rest = unframed(after(rest, boxed[0].length))
  const inner = /^text\s?\{/.exec(rest.text)
  return inner === null ? rest : unframed(after(rest, inner[0].length))
}

const after = (piece: Piece, skip: number): Piece => ({
  text: piece.text.slice(skip),
  start: piece.start + skip,
  end: piece.end,
})
