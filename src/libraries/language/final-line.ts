import type { Extraction } from '../../core/task.ts'
import { programs } from './fences.ts'
import { LABEL, lastLine, lineAbove, type Piece, statedOn } from './lines.ts'
import { isNegatedBefore } from './negation-context.ts'

/**
 * Parses the last line with content outside reasoning blocks as one answer and nothing else, by `parse`. Unparsed if the
 * line above has another answer in the same form (options, bullets), if the text above denies it, or if it is struck out or
 * an unticked box.
 */
export function parseFinalLine(
  text: string,
  parse: (stated: string, at: Piece) => string | null,
  otherwise: string,
): Extraction<string> {
  const last = lastLine(text)
  if (last.kind === 'none') return { kind: 'unparsed', reason: last.reason }
  const stated = statedOn(last.line)
  const answer = parse(stated.text, stated)
  if (answer === null) return { kind: 'unparsed', reason: otherwise }
  if (programs(text).some(([start, end]) => start <= stated.start && stated.end <= end))
    return { kind: 'unparsed', reason: 'the last line belongs to a program' }
  if (UNTICKED.test(last.line.text))
    return { kind: 'unparsed', reason: 'the last line is struck out or an unticked box' }
  if (isNegatedBefore(text, last.line.start)) return { kind: 'unparsed', reason: 'the line above denies the last one' }
  const above = lineAbove(text, last.line)
  if (above !== null && sameLabel(above.text, last.line.text)) {
    const before = statedOn(above)
    const other = parse(before.text, before)
    if (other !== null && other !== answer)
      return { kind: 'unparsed', reason: 'the last two lines give different answers' }
  }
  return { kind: 'extracted', answer, rule: 'final-line', span: [stated.start, stated.end] }
}

const UNTICKED = /~~|^\s*(?:[-*+]\s*)?[[(] [\])]|<(?:del|strike)>/i
/** True if both lines have a label or neither has; "Final answer" overrides the line above. */
const sameLabel = (above: string, last: string): boolean =>
  LABEL.test(above) === LABEL.test(last) && !/final|correct|revised|actual/i.test(LABEL.exec(last)?.[0] ?? '')
