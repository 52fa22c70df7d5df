import { branchOf } from '../../../libraries/language/taxonomy.ts'
import { goldLine } from '../common/answers.ts'
import { least } from '../common/fence.ts'
import type { AnswerForm } from '../common/styles.ts'
import { about, type Wording } from '../common/wording.ts'
import { choices, type Given, type Question, type Shared, sentence } from './question.ts'
import { shots } from './shots.ts'
import { shownPremises } from './shown.ts'

function questionLine(question: Question): string {
  const { ask, terms, existentialImport } = question.given
  const convention = existentialImport
    ? 'Take it that there is at least one of everything that is mentioned.'
    : '"All" and "No" may be true of things of which there are none; "Some" means at least one.'
  const rule = `Take the statements as true, whatever you know otherwise. ${convention}`
  if (ask.kind === 'judge') return `${rule}\nDoes it follow that ${lower(sentence(ask.conclusion, terms))}?`
  const which = existentialImport
    ? `Which is the strongest of these that must be true${ask.none ? ', if any' : ''}?`
    : `${ask.none ? 'At most' : 'Exactly'} one of these must be true. Which one${ask.none ? ', if any' : ''}?`
  return `${rule}\n${which}\n${choices(question)
    .map((option) => `- ${option}`)
    .join('\n')}`
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function formOf({ given }: Question): AnswerForm {
  const [instruction, final] =
    given.ask.kind === 'judge'
      ? ['Decide between Yes and No.', 'either Yes or No']
      : given.ask.none
        ? ['Give one of the five answers listed, word for word.', 'that answer']
        : ['Give one of the four statements, word for word.', 'that statement']
  return { instruction, final, role: 'You are a careful logician. Only what is stated counts, never what is usual.' }
}

export const wording: Wording<Shared, Given, string> = {
  lines: (question) => shownPremises(question).map((premise) => `${sentence(premise, question.given.terms)}.`),
  about: ({ terms }) => ({ ...about('kind', terms), home: branchOf(least(terms)) }),
  ask: questionLine,
  form: formOf,
  examples: shots,
  gold: goldLine,
}
