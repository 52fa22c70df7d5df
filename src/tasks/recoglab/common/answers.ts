import type { Baseline, Extraction, Grade, Parser, Problem, Question, RandomStreams } from '../../../core/task.ts'
import type { choiceParser } from '../../../libraries/language/choice-parser.ts'
import { answerLine } from './prompt.ts'

/** The original's parsers for answers that are one line of text. */
export const publishedParsers = {
  published: publishedFirstMatch,
  'published-last-line': publishedLastLine,
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

export type Chat<S, G> = Baseline<S, G> & { readonly kind: 'chat' }

/** Makes baselines of a task from rules that give answers; `gold` writes an answer as a response. */
export const chatBy =
  <S, G, A>(gold: (problem: Problem<S, G, A>) => string) =>
  (note: string, answer: (question: Question<S, G>, draws: RandomStreams) => A): Chat<S, G> => ({
    kind: 'chat',
    note,
    answer: (question, draws) => gold({ ...question, answer: answer(question, draws) }),
  })

/** What the original's parsers return when they find nothing; it counts as an answer there, and as a wrong one. */
const publishedDefault = 'UNKNOWN_ANSWER_DEFAULT_STRING'

/**
 * The original's first-match parser (appendix A of the paper, `REGEX_NAIVE1`): the first "Answer:" followed by a line
 * break and a line, else the first bold one, else the rest of the first "Answer:" line; newlines and asterisks are
 * removed, blanks are kept, so "Answer: Yes" reads " Yes" and is scored wrong there. Never unparsed.
 */
export function publishedFirstMatch(text: string): Extraction<string> {
  const found = firstMatch(text)
  const answer = found === null ? publishedDefault : text.slice(found[0], found[1]).replace(/[\n*]/g, '')
  return { kind: 'extracted', answer, rule: 'published-first-match', span: found ?? [0, 0] }
}

function firstMatch(text: string): readonly [number, number] | null {
  for (const [marker, nextLine] of [
    ['Answer:', true],
    ['**Answer:**', true],
    ['Answer:', false],
  ] as const) {
    const whole = nextLine ? `${marker}\n` : marker
    const at = text.indexOf(whole)
    if (at === -1) continue
    const start = at + whole.length
    const newline = text.indexOf('\n', start)
    return [start, newline === -1 ? text.length : newline]
  }
  return null
}

/**
 * The original's last-line parser (`CLEAN_MODEL_RESPONSE`): the last line, after an answer marker if any, without
 * asterisks and full stops, trimmed.
 */
export function publishedLastLine(text: string): Extraction<string> {
  const trimmed = text.trimEnd()
  const start = trimmed.lastIndexOf('\n') + 1
  const line = trimmed.slice(start)
  const marker = line.lastIndexOf('Answer:')
  const from = marker === -1 ? 0 : marker + 'Answer:'.length
  const answer = line.slice(from).replace(/[*.]/g, '').trim()
  return { kind: 'extracted', answer, rule: 'published-last-line', span: [start + from, trimmed.length] }
}

/** The original's list parser: the first fenced block, from its first [ to the first ] after it, as it stands. */
export function publishedCodeList(text: string): Extraction<string> {
  const open = text.indexOf('```')
  const close = open === -1 ? -1 : text.indexOf('```', open + 3)
  const left = close === -1 ? -1 : text.indexOf('[', open)
  const right = left === -1 ? -1 : text.indexOf(']', left)
  if (right === -1 || right > close)
    return { kind: 'extracted', answer: publishedDefault, rule: 'published-code-list', span: [0, 0] }
  return {
    kind: 'extracted',
    answer: text.slice(left, right + 1),
    rule: 'published-code-list',
    span: [left, right + 1],
  }
}

/** Maps the answer of an extraction. */
export function mapAnswer<A, B>(extracted: Extraction<A>, change: (answer: A) => B): Extraction<B> {
  return extracted.kind === 'unparsed' ? extracted : { ...extracted, answer: change(extracted.answer) }
}
