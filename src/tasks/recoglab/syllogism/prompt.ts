import type { Request } from '../../../core/task.ts'
import { wordRegion } from '../../../language/partition.ts'
import { least } from '../common/fence.ts'
import { moduleLines } from '../common/modules.ts'
import { ordered, withFiller } from '../common/presentation.ts'
import { type AnswerForm, answerLine, type Shot, shotsOf, wrapped } from '../common/styles.ts'
import { choices, type Proposition, type Question, sentence } from './question.ts'
import { shots } from './shots.ts'

/** The premises in the order shown. */
export const shownPremises = ({ shared, given }: Question): readonly Proposition[] => ordered(shared, given.premises)

export function contextLines(question: Question): readonly string[] {
  const { shared, given } = question
  const lines = shownPremises(question).map((premise) => `${sentence(premise, given.terms)}.`)
  const mask = 1 << wordRegion(least(given.terms))
  return [...moduleLines(shared, mask, given.terms), ...withFiller(shared, lines, { kind: 'kind', names: given.terms })]
}

export function questionLine(question: Question): string {
  const { ask, terms, existentialImport } = question.given
  const convention = existentialImport
    ? 'Take it that there is at least one of everything that is mentioned.'
    : '"All" and "No" may be true of things of which there are none; "Some" means at least one.'
  const rule = `Take the statements as true, whatever you know otherwise. ${convention}`
  if (ask.kind === 'judge') return `${rule}\nDoes it follow that ${lower(sentence(ask.conclusion, terms))}?`
  const which = existentialImport
    ? 'Which is the strongest of these that must be true?'
    : 'Exactly one of these must be true. Which one?'
  return `${rule}\n${which}\n${choices(question)
    .map((option) => `- ${option}`)
    .join('\n')}`
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

export const questionText = (question: Question): string =>
  `${contextLines(question).join('\n')}\n${questionLine(question)}`

function formOf({ given }: Question): AnswerForm {
  const [instruction, final] =
    given.ask.kind === 'judge'
      ? ['Decide between Yes and No.', 'either Yes or No']
      : ['Give one of the four statements, word for word.', 'that statement']
  return { instruction, final, role: 'You are a careful logician. Only what is stated counts, never what is usual.' }
}

export function request(question: Question, style: string): Request {
  const solved = shots(question.shared, shotsOf(style)).map(
    (problem): Shot => ({ question: questionText(problem), answer: answerLine(problem.answer) }),
  )
  return wrapped(style, questionText(question), formOf(question), solved)
}
