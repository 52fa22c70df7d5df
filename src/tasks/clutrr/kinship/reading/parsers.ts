import type { Extraction } from '../../../../core/task.ts'
import { choiceParser } from '../../../../libraries/language/choice-parser.ts'
import { said } from './said.ts'

const reader = choiceParser([...said.keys()])

const reading =
  (read: (text: string) => Extraction<string>) =>
  (text: string): Extraction<string> => {
    const found = read(text)
    if (found.kind === 'unparsed') return found
    const relation = said.get(found.answer) ?? null
    return relation === null
      ? { kind: 'unparsed', reason: `"${found.answer}" is none of the eighteen relations` }
      : { ...found, answer: relation }
  }

/**
 * The paper's match: what comes after the last reasoning block, blanks at its ends apart, compared to the letter. A full
 * stop or a capital letter makes it wrong. Nothing at all is its null, and so is reasoning that never ends.
 */
function published(text: string): Extraction<string> {
  const mark = '</think>'
  const closed = text.lastIndexOf(mark)
  if (text.lastIndexOf('<think>') > closed) return { kind: 'unparsed', reason: 'the reasoning was never closed' }
  const from = closed === -1 ? 0 : closed + mark.length
  const rest = text.slice(from)
  const answer = rest.trim()
  if (answer === '') return { kind: 'unparsed', reason: 'nothing was said' }
  const start = from + rest.indexOf(answer)
  return { kind: 'extracted', answer, rule: 'published', span: [start, start + answer.length] }
}

export const parsers = { strict: reading(reader.strict), lenient: reading(reader.lenient), published }
