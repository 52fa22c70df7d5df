import { locateReasoning, type Reasoning, visibleSpans } from '../../core/reasoning.ts'

/** A line longer than this cannot be a stated answer. */
export const MAX_LINE = 2000

/** A piece of the raw text with its offsets. */
export interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
}

/**
 * Characters that frame an answer without changing it: white space, quotes, brackets, Markdown, end punctuation, and what
 * is not seen (zero-width spaces, marks of direction).
 */
const FRAME =
  /[\s*_`~#>"'“”‘’«»()[\]{}$\\|.,;:!?–—。，、；：！？…「」『』（）\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff-]/

/** `piece` without frame characters at its start (`left`) and end (`right`). */
export function unframed(piece: Piece, left: RegExp = FRAME, right: RegExp = left): Piece {
  let from = 0
  let to = piece.text.length
  while (from < to && left.test(piece.text[from] as string)) from++
  while (to > from && right.test(piece.text[to - 1] as string)) to--
  return { text: piece.text.slice(from, to), start: piece.start + from, end: piece.start + to }
}

/** The text outside reasoning blocks, last piece first. */
export const visiblePieces = (text: string, reasoning: Reasoning = locateReasoning(text)): Piece[] =>
  visibleSpans(text, reasoning)
    .map(([start, end]) => ({ text: text.slice(start, end), start, end }))
    .reverse()

/** The lines of a piece, last first. */
export function* linesOf(piece: Piece): Generator<Piece> {
  for (let end = piece.text.length; end >= 0; ) {
    const start = end === 0 ? 0 : piece.text.lastIndexOf('\n', end - 1) + 1
    yield cut(piece, start, end)
    end = start - 1
  }
}

/** The lines outside reasoning blocks, last first; a block ends a line. */
function* linesUp(text: string, reasoning: Reasoning = locateReasoning(text)): Generator<Piece> {
  for (const piece of visiblePieces(text, reasoning)) yield* linesOf(piece)
}

/** A tag around an answer at the end of a line. */
const ANSWER_TAG = /(?:<\/?answer>[\s*_`.]{0,8}){1,8}$/

/** The last line with content, or why there is none. */
export type LastLine =
  | { readonly kind: 'line'; readonly line: Piece }
  | { readonly kind: 'none'; readonly reason: string }

/**
 * The last line outside reasoning blocks with more than frame characters (a closing fence or a rule is skipped). None if a
 * block is unclosed, or if the line is too long for an answer.
 *
 * @example
 * import { lastLine } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(lastLine('First I count.\n\n**Answer: 7**\n```'))
 */
export function lastLine(text: string, reasoning: Reasoning = locateReasoning(text)): LastLine {
  if (reasoning.unclosed) return { kind: 'none', reason: 'reasoning block never closed' }
  for (const line of linesUp(text, reasoning)) {
    if (line.text.length > MAX_LINE) {
      if (/\S/.test(line.text)) return { kind: 'none', reason: 'last line too long' }
    } else {
      const tag = ANSWER_TAG.exec(line.text)
      const ended = tag === null ? line : cut(line, 0, tag.index)
      if (unframed(ended).text !== '') return { kind: 'line', line: ended }
    }
  }
  return { kind: 'none', reason: 'no visible text' }
}

/** The next visible line above `line` with more than frame characters, at most `MAX_LINE` characters back; else null. */
export function lineAbove(text: string, line: Piece): Piece | null {
  const from = Math.max(0, line.start - MAX_LINE)
  for (const [start, end] of visibleSpans(text).reverse()) {
    const [first, last] = [Math.max(start, from), Math.min(end, line.start)]
    if (last <= from) return null
    if (first >= last) continue
    for (const above of linesOf({ text: text.slice(first, last), start: first, end: last }))
      if (unframed(above).text !== '') return above
  }
  return null
}

/** "Answer:", "**Final answer**:", "So the answer is" and kin at the start of a line; bounded, hence linear. */
export const LABEL =
  /^[\s*_#>`"'-]{0,12}(?:(?:so|thus|hence|therefore),?\s{1,4})?(?:(?:my|the|your)\s{1,4})?(?:(?:final|correct|short)\s{1,4})?(?:answer|conclusion|verdict|response|result|output)[*_`"']{0,4}\s{0,4}(?::|=|is\b|would be\b)[*_`]{0,4}:?/i

/** "Final Answer: The final answer is" is common: some models are trained on it. */
const MAX_LABELS = 2

/** The line after its answer labels, or the whole line; then without its frame. `\boxed{x}` counts as a frame. */
export function statedOn(line: Piece): Piece {
  let rest = line
  for (let k = 0; k < MAX_LABELS; k++) rest = cut(rest, LABEL.exec(rest.text)?.[0].length ?? 0)
  rest = unframed(rest)
  const boxed = /^(?:boxed|text)\s?\{/.exec(rest.text)
  if (boxed !== null) rest = unframed(cut(rest, boxed[0].length))
  const inner = /^text\s?\{/.exec(rest.text)
  return inner === null ? rest : unframed(cut(rest, inner[0].length))
}

const WORD = /[\p{L}\p{N}]/u

/**
 * The text after each answer label outside reasoning blocks, last first: the rest of its line, or the next line with a word
 * if that has none. At most `MAX_LINE` characters of a line.
 *
 * @example
 * import { labelled } from '@touchstone-eval/touchstone/parsers'
 *
 * for (const { text } of labelled('Answer: 3\nNo, wait.\nAnswer: 4')) console.log(text) // 4, then 3
 */
export function* labelled(text: string): Generator<Piece> {
  let below: Piece | null = null
  for (const line of linesUp(text)) {
    const head = cut(line, 0, MAX_LINE)
    const label = LABEL.exec(head.text)
    const rest = label === null ? head : cut(head, label[0].length)
    if (WORD.test(rest.text)) below = rest
    if (label === null || below === null) continue
    yield below
    below = null
  }
}

const CLAUSE = /[,.;:!?](?=\s)|[()–—]|\s(?:because|since|as)\s/i

/** The statement of a line, up to the punctuation or word that begins reasons and remarks. */
export function firstClause(line: Piece): Piece {
  const stated = statedOn(line)
  const end = CLAUSE.exec(stated.text)
  return end === null ? stated : unframed(cut(stated, 0, end.index))
}

export const cut = (piece: Piece, from: number, to: number = piece.text.length): Piece => ({
  text: piece.text.slice(from, to),
  start: piece.start + from,
  end: piece.start + Math.min(to, piece.text.length),
})

/** The sentences of a piece in order; line ends end them. */
export function sentencesOf({ text, start }: Piece): Piece[] {
  const out: Piece[] = []
  const END = /\n|;|；|[.!?。！？…]+(?=[\s"'”’)\]*_`}$<]|$)/g
  let from = 0
  const add = (to: number, next: number): void => {
    if (/\S/.test(text.slice(from, Math.min(to, from + 200))) || to - from > 200)
      out.push({ text: text.slice(from, to), start: start + from, end: start + to })
    from = next
  }
  for (let hit = END.exec(text); hit !== null; hit = END.exec(text)) {
    if (
      hit[0] === '.' &&
      /(?:^|\W)(?:vs|no|e\.g|i\.e|cf|approx)$/i.test(text.slice(Math.max(from, hit.index - 7), hit.index))
    )
      if (!/^\s*(?:$|\n|\p{Lu})/u.test(text.slice(hit.index + 1, hit.index + 8))) continue
    const end = hit[0] === '\n' ? hit.index : END.lastIndex
    add(end, END.lastIndex)
  }
  add(text.length, text.length)
  return out
}
