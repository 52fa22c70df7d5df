import { memoize } from '../../../core/memo.ts'
import type { Extraction, Problem } from '../../../core/task.ts'
import { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { lenientList, strictList } from '../../../libraries/language/lists.ts'
import { lenientNumber, strictNumber } from '../../../libraries/language/numbers.ts'
import { mapAnswer, publishedCodeList, publishedFirstMatch, publishedLastLine } from '../common/answers.ts'
import { answerLine } from '../common/prompt.ts'
import { type Answer, asksFamily, type Given, type Question, type Shared } from './question.ts'

const units = ['hop', 'hops', 'handover', 'handovers', 'step', 'steps', 'hand', 'overs', 'exchanges']
const one = (extracted: Extraction<string>): Extraction<Answer> => mapAnswer(extracted, (name) => [name])

const names = memoize(({ people, ask }: Given) =>
  choiceParser(people, {
    named: true,
    ...(asksFamily(ask) ? { wins: [ask.kind === 'oldest' ? 'older' : 'younger'] } : {}),
  }),
)

/** The people in a list, spelled as in the question; null: an unknown name, or none. */
function peopleOf({ given }: Question): (list: readonly string[]) => string[] | null {
  const known = new Map(given.people.map((name) => [name.toLowerCase(), name]))
  return (list) => {
    const names = list.flatMap((name) => known.get(name.trim().toLowerCase()) ?? [])
    return names.length === 0 || names.length < list.length ? null : names
  }
}

/** A way is read only where all of its names are in the question. */
function pathOf(question: Question, read: 'strict' | 'lenient', text: string): Extraction<Answer> {
  const people = peopleOf(question)
  const found = read === 'strict' ? strictList(text) : lenientList(text, (list) => people(list) !== null)
  if (found.kind === 'unparsed') return found
  const answer = people(found.answer)
  return answer === null
    ? { kind: 'unparsed', reason: 'the list is not of people in the question' }
    : { ...found, answer }
}

export const parsers = {
  strict(text: string, question: Question): Extraction<Answer> {
    switch (question.given.ask.kind) {
      case 'hops':
        return one(strictNumber(text, units))
      case 'path':
        return pathOf(question, 'strict', text)
      default:
        return one(names(question.given).strict(text))
    }
  },
  lenient(text: string, question: Question): Extraction<Answer> {
    switch (question.given.ask.kind) {
      case 'hops':
        return one(lenientNumber(text, units))
      case 'path':
        return pathOf(question, 'lenient', text)
      default:
        return one(names(question.given).lenient(text))
    }
  },
  published(text: string, question: Question): Extraction<Answer> {
    if (question.given.ask.kind !== 'path') return one(publishedFirstMatch(text))
    return mapAnswer(publishedCodeList(text), (list) => literal(list))
  },
  'published-last-line': (text: string): Extraction<Answer> => one(publishedLastLine(text)),
}

/** The original evaluates the list as a Python literal; what is none is a wrong answer there. */
function literal(list: string): Answer {
  const names = [...list.matchAll(/'([^'\\\n]{0,200})'|"([^"\\\n]{0,200})"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  return names.length > 0 ? names : [list]
}

/** The response that is right under every parser. */
export function goldText(problem: Pick<Problem<Shared, Given, Answer>, 'given' | 'answer'>): string {
  if (problem.given.ask.kind !== 'path') return answerLine(problem.answer[0] as string)
  return `\`\`\`python\n[${problem.answer.map((name) => `'${name}'`).join(', ')}]\n\`\`\``
}
