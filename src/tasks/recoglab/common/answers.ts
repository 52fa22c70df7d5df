import type { Extraction, Grade, Parser, Question } from '../../../core/task.ts'
import type { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { publishedFirstMatch, publishedLastLine } from './published-parsers.ts'
import { answerLine } from './styles.ts'

/** The original's parsers for answers that are one line of text. */
export const publishedParsers = {
  published: (text: string): Extraction<string> => publishedFirstMatch(text),
  'published-last-line': (text: string): Extraction<string> => publishedLastLine(text),
}

/** Parsers of questions with a closed list of answers. */
export const closedParsers = <S, G>(readerOf: (question: Question<S, G>) => ReturnType<typeof choiceParser>) => {
  const strict: Parser<S, G, string> = (text, question) => readerOf(question).strict(text)
  const lenient: Parser<S, G, string> = (text, question) => readerOf(question).lenient(text)
  return { strict, lenient, ...publishedParsers }
}

/** One answer is right, to the letter. */
export const exactGrade = (problem: { readonly answer: string }, answer: string): Grade => ({
  value: answer === problem.answer ? 1 : 0,
})

export const goldLine = ({ answer }: { readonly answer: string }): string => answerLine(answer)
