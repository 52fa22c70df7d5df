import type { Extraction } from '../../../core/task.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { relations } from './question.ts'

const MORE = ['great', 'step', 'half', 'god', 'foster', 'ex']

/**
 * How relations are written, and which of the eighteen each is: `mother in law` is one of them, `step-mother` and
 * `brother-in-law` are none (null), and no mother or brother either.
 */
const relationPhrases: ReadonlyMap<string, string | null> = new Map<string, string | null>(
  relations.flatMap((relation): (readonly [string, string | null])[] => {
    const others = [
      ...MORE.flatMap((more) => [`${more}-${relation}`, `${more} ${relation}`]),
      ...(relation.endsWith('-in-law') ? [] : [`${relation}-in-law`, `${relation} in law`]),
    ].filter((other) => !relations.some((one) => one === other.replaceAll(' ', '-')))
    const spelt = relation.replaceAll('-', ' ')
    return [
      [relation, relation],
      ...(spelt === relation ? [] : [[spelt, relation] as const]),
      ...others.map((other) => [other, null] as const),
    ]
  }),
)

const reader = choiceParser([...relationPhrases.keys()])

const reading =
  (read: (text: string) => Extraction<string>) =>
  (text: string): Extraction<string> => {
    const found = read(text)
    if (found.kind === 'unparsed') return found
    const relation = relationPhrases.get(found.answer) ?? null
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
  if (answer === '') return { kind: 'unparsed', reason: 'empty response' }
  const start = from + rest.indexOf(answer)
  return { kind: 'extracted', answer, rule: 'published', span: [start, start + answer.length] }
}

export const parsers = { strict: reading(reader.strict), lenient: reading(reader.lenient), published }
