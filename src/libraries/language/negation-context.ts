import type { Extraction } from '../../core/task.ts'
import { sentencesOf } from './lines.ts'
import { leadsToDenial, prepared, sentenceRetracts, stanceOf } from './polarity.ts'

/** Characters examined before and after an answer. */
const BEFORE = 600
const AFTER = 1000

/** True if the text right above `start`, or before it on its line, denies what follows. */
export function isNegatedBefore(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start)
  const lines = before.split('\n')
  for (const line of lines.reverse()) {
    const plain = prepared(line).trim()
    if (!/[\p{L}\p{N}≠¬✗✘❌]/u.test(plain)) continue
    const sentence = plain.slice(Math.max(plain.lastIndexOf('. ') + 1, plain.lastIndexOf('! ') + 1)).trim()
    return !/[.!?]$/.test(sentence) && leadsToDenial(sentence.slice(-200))
  }
  return false
}

/** True if one of the next two sentences after `end` retracts the answer. */
export function isRetractedAfter(text: string, end: number): boolean {
  const after = { text: text.slice(end, end + AFTER), start: 0, end: 0 }
  const sentences = sentencesOf(after).map(({ text: sentence }) =>
    prepared(sentence.replace(/^[\s"'`)\]}*_,–—-]+/, ''))
      .trim()
      .replace(/[.!]+$/, ''),
  )
  return sentences
    .filter((sentence) => /\p{L}/u.test(sentence))
    .slice(0, 2)
    .some((sentence) => sentenceRetracts(sentence) !== 'no')
}

/**
 * A parsed list or block, unless its sentence, the text before it or the text after it denies it ("The way is not A -> B",
 * "This is wrong:" before a block, "That does not work." after it).
 */
export function unlessNegated<A>(text: string, found: Extraction<A>): Extraction<A> {
  if (found.kind === 'unparsed') return found
  const [start, end] = found.span
  const open = blockStart(text, start)
  const denied =
    isNegatedBefore(text, open) || deniedOnLine(text, open, end) || isRetractedAfter(text, blockEnd(text, end))
  return denied ? { kind: 'unparsed', reason: 'the answer is denied or taken back' } : found
}

/** Before the fence of a block that begins at `start`. */
function blockStart(text: string, start: number): number {
  const before = text.slice(Math.max(0, start - 120), start)
  const fence = /(?:^|\n)[ \t>]{0,16}(?:```|~~~)[^\n]{0,80}\n$/.exec(before)
  return fence === null ? start : start - before.length + fence.index + (fence[0].startsWith('\n') ? 1 : 0)
}

/** After the fence of a block that ends at `end`. */
const blockEnd = (text: string, end: number): number =>
  end + (/^\s{0,4}(?:```|~~~)[`~]{0,20}/.exec(text.slice(end, end + 40))?.[0].length ?? 0)

/** The sentence with the answer in it. */
function deniedOnLine(text: string, start: number, end: number): boolean {
  const before = prepared(
    text
      .slice(Math.max(0, start - 300), start)
      .split('\n')
      .at(-1) ?? '',
  )
  const after = prepared(text.slice(end, end + 300).split('\n')[0] ?? '')
  const head = before.slice(
    Math.max(
      ...['. ', '! ', '? ', '; ', ': ', ', ', ' but ', ' so ', ' then '].map((mark) => before.lastIndexOf(mark)),
    ) + 1,
  )
  const tail = after.split(/[.!?;,](?:\s|$)| but |[(]/)[0] ?? ''
  return stanceOf(`${head} \ue000${tail}`) === 'denied' || /~~\s*$/.test(before)
}
