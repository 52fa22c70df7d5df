import type { Extracted } from '../../../core/task.ts'
import { closedReader } from '../../../language/closed.ts'
import { relations } from './question.ts'

const reader = closedReader(relations)

/**
 * The paper's match: what comes after the last reasoning block, blanks at its ends apart, compared to the letter. A full
 * stop or a capital letter makes it wrong. Nothing at all is its null.
 */
function published(text: string): Extracted<string> {
  const mark = '</think>'
  const closed = text.lastIndexOf(mark)
  const from = closed === -1 ? 0 : closed + mark.length
  const rest = text.slice(from)
  const answer = rest.trim()
  if (answer === '') return { kind: 'unparsed', reason: 'nothing was said' }
  const start = from + rest.indexOf(answer)
  return { kind: 'extracted', answer, rule: 'published', span: [start, start + answer.length] }
}

export const parsers = { strict: reader.strict, lenient: reader.lenient, published }
