import type { Extraction } from '../../../core/task.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { relations } from './question.ts'

const MORE = ['great', 'step', 'half', 'god', 'foster', 'ex', 'adoptive', 'adopted']

/**
 * How relations are written, and which of the eighteen each is: `mother in law` and `grand-daughter` are some of them,
 * `step-mother` and `brother-in-law` are none (null), and no mother or brother either.
 */
const relationPhrases: ReadonlyMap<string, string | null> = new Map<string, string | null>([
  ...relations.flatMap((relation): (readonly [string, null])[] => {
    const others = [
      ...MORE.flatMap((more) => [`${more}-${relation}`, `${more} ${relation}`, `${more}${relation}`]),
      ...(relation.endsWith('-in-law')
        ? []
        : [
            `${relation}inlaw`,
            `grand-${relation}`,
            `grand ${relation}`,
            `great-grand${relation}`,
            `great grand${relation}`,
          ]),
    ]
    return others.map((other) => [other, null] as const)
  }),
  // These win over the phrases above.
  ...relations.flatMap((relation): (readonly [string, string])[] => [
    [relation, relation],
    [relation.replaceAll('-', ' '), relation],
    [relation.replaceAll('-', ''), relation],
    [relation.replace(/^grand/, 'grand-'), relation],
    [relation.replace(/^grand/, 'grand '), relation],
  ]),
])

const RELATION = `(?:${[...relationPhrases.keys()].join('|')}|husband|wife|spouse|partner|parent|child|sibling|cousin)`
const POSSESSED = new RegExp(`^['’]s? +(?:\\w+ +)?${RELATION}\\b|^ +of +(?:\\w+ +){0,2}?${RELATION}\\b`, 'i')
const POSSESSOR = new RegExp(`\\b${RELATION}(?:['’]s? +(?:\\w+ +)?| +of +(?:\\w+ +){0,2}?)$`, 'i')

const IN_LAW = /^[\s()_-]{1,4}in[\s_-]{1,4}law\b/i
/** "her mother's brother", "the brother of her mother", "brother (in law)": neither is the answer. */
const longer = (text: string, start: number, end: number): boolean =>
  IN_LAW.test(text.slice(end, end + 12)) ||
  POSSESSED.test(text.slice(end, end + 60)) ||
  POSSESSOR.test(text.slice(Math.max(0, start - 60), start))

const reader = choiceParser([...relationPhrases.keys()], { longer })

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
