import {
  below,
  type Item,
  namedStream,
  pick,
  type Stream,
  solutionDetails,
  solutionText,
  summarizeTrace,
  type Task,
} from '../core/index.ts'
import { assertThat, ContractError, type ContractTest, shorten } from './contract-test.ts'
import { mutants } from './fuzz-inputs.ts'
import { gradedBy, problemOf, questionOf } from './subject.ts'

type Answered = Task & Required<Pick<Task, 'parsers' | 'grade'>>

const isAnswered = (task: Task): task is Answered => task.parsers !== undefined && task.grade !== undefined
const skips = (task: Task) => (isAnswered(task) ? null : 'it is a log-likelihood task')

/** @throws ContractError for a task without parsers, which these tests skip. */
function requireAnswered(task: Task): Answered {
  if (isAnswered(task)) return task
  throw new ContractError('it has no parsers and grade')
}

/** Tests of parsers, grades, gold responses and solutions. */
export const answerTests: readonly ContractTest[] = [
  {
    id: 'loglikelihood',
    description: 'has metrics, and a gold response or a reason for none',
    skips: (task) => (isAnswered(task) ? 'it is no log-likelihood task' : null),
    run({ task }) {
      assertThat(task.metrics !== undefined, 'it needs `parsers` and `grade`, or `metrics`')
      assertThat((task.noGold ?? task.gold) !== undefined, 'it needs `gold` or `noGold`')
    },
  },
  {
    id: 'improve',
    description: 'improves responses without the target: correct ones stay correct',
    skips: (task) => skips(task) ?? (task.improve === undefined ? 'it has no `improve`' : null),
    run({ task, test, some, junk }) {
      const { parsers } = requireAnswered(task)
      for (const item of some(5)) {
        const improved = (text: string) =>
          task.improve?.(questionOf(item), text, test.baselineDraws(item.index, 'hybrid')) ?? ''
        const right = task.gold?.(problemOf(item)) ?? ''
        const [once, again] = [improved(right), improved(right)]
        const graded = gradedBy(task, item, parsers.lenient(once, questionOf(item)))
        assertThat(graded === 1, `improve turned a correct response into one with score ${graded}`, item)
        assertThat(once === again, 'improve is not deterministic', item)
      }
      const [item] = some(1)
      for (const [name, text] of junk.slice(0, 3))
        if (item !== undefined) {
          const improved = task.improve?.(questionOf(item), text, test.baselineDraws(item.index, 'hybrid'))
          assertThat(typeof improved === 'string', `improve returns no text for ${name}`, item)
        }
    },
  },
  {
    id: 'gold',
    description: 'scores its gold response 1 under strict and lenient',
    skips,
    run({ task, some }) {
      const { parsers, gold } = requireAnswered(task)
      if (gold === undefined) return assertThat(typeof task.noGold === 'string', 'it needs `gold` or `noGold`')
      for (const item of some(20))
        for (const text of variants(gold(problemOf(item))))
          for (const name of ['strict', 'lenient'] as const) {
            const found = parsers[name](text, questionOf(item))
            const value = gradedBy(task, item, found)
            const why = found.kind === 'unparsed' ? `unparsed (${found.reason})` : `scored ${value}`
            assertThat(value === 1, `under ${name} the gold response ${shorten(JSON.stringify(text))} is ${why}`, item)
          }
    },
  },
  {
    id: 'solution',
    description: 'has solutions whose steps are true, give the answer and parse as it, at every level of detail',
    skips: (task) => skips(task) ?? (task.solution === undefined ? 'it has no worked solutions' : null),
    run({ task, some, junk }) {
      const { parsers } = requireAnswered(task)
      for (const item of some(10)) {
        const lines = task.solution?.(problemOf(item)) ?? []
        const answer = task.gold?.(problemOf(item)).replace(/^Answer: /u, '') ?? null
        let before = 1
        for (const detail of solutionDetails) {
          const text = solutionText(lines, detail)
          const found = task.checkSteps?.(questionOf(item), text)
          assertThat(found !== undefined, 'it has solutions, but no `checkSteps`', item)
          const { steps, trueSteps, unknown, supportsAnswer } = summarizeTrace(
            found ?? { steps: [], unknown: [] },
            answer,
          )
          const own = `its solution (${detail})`
          assertThat(steps >= before, `${own} has ${steps} steps, fewer than ${before}`, item)
          assertThat(trueSteps === steps, `${trueSteps} of ${steps} steps of ${own} are true`, item)
          assertThat(unknown.length === 0, `${own} has names that are not in the question: ${shorten(unknown)}`, item)
          assertThat(supportsAnswer === true, `the steps of ${own} do not give the answer`, item)
          assertThat(
            gradedBy(task, item, parsers.strict(text, questionOf(item))) === 1,
            `${own} parses as incorrect`,
            item,
          )
          before = steps
        }
      }
      const [item] = some(1)
      for (const [name, text] of junk)
        if (item !== undefined) {
          const found = task.checkSteps?.(questionOf(item), text)
          const inside = found?.steps.every(({ span: [from, to] }) => 0 <= from && from <= to && to <= text.length)
          assertThat(inside !== false, `checkSteps finds a step outside of the text ${name}`, item)
        }
    },
  },
  {
    id: 'oracle',
    description: 'scores an answer 1 exactly when the oracle accepts it',
    skips,
    run({ task, some }) {
      const { parsers, grade } = requireAnswered(task)
      for (const item of some(20)) {
        const question = questionOf(item)
        const choices = task.choices?.(question) ?? []
        const answers =
          choices.length > 0
            ? choices.flatMap((choice) => {
                const found = parsers.strict(choice, question)
                return found.kind === 'extracted' ? [found.answer] : []
              })
            : mutants(item.answer, 20)
        for (const answer of answers) {
          const { value } = grade(problemOf(item), answer)
          assertThat(
            value >= 0 && value <= 1,
            `the score of the answer ${shorten(answer)} is ${value}, outside 0..1`,
            item,
          )
          const full = value === 1
          const verdicts = {
            oracle: task.oracle(question, answer),
            right: task.right?.(problemOf(item), answer) ?? full,
          }
          const word = (correct: boolean): string => (correct ? 'correct' : 'incorrect')
          for (const [name, correct] of Object.entries(verdicts))
            assertThat(
              full === correct,
              `the answer ${shorten(answer)} is ${word(full)} by its grade, ${word(correct)} by ${name}`,
              item,
            )
        }
      }
    },
  },
  {
    id: 'choices',
    description: 'parses each of its choices; some are correct, some are not',
    skips: (task) => skips(task) ?? (task.choices === undefined ? 'its answers are open' : null),
    run({ task, some }) {
      const { parsers } = requireAnswered(task)
      for (const item of some(10)) {
        const question = questionOf(item)
        const choices = task.choices?.(question) ?? []
        // No choices: an open answer.
        if (choices.length === 0) continue
        const structure = task.anonymize?.(question)
        // The audit and the locality baselines match terms with choices by position.
        if (structure?.kind === 'statements' && structure.candidates !== undefined)
          assertThat(
            structure.candidates.length === choices.length,
            `anonymize has ${structure.candidates.length} candidates for ${choices.length} choices`,
            item,
          )
        const values = choices.map((choice) => gradedBy(task, item, parsers.strict(choice, question)))
        const unparsed = choices.filter((_, i) => values[i] === null)
        assertThat(
          unparsed.length === 0,
          `strict does not parse the choice ${shorten(JSON.stringify(unparsed[0]))}`,
          item,
        )
        const correct = values.filter((value) => value === 1).length
        assertThat(correct > 0 && correct < values.length, `${correct} of ${values.length} choices are correct`, item)
      }
    },
  },
  {
    id: 'junk',
    description: 'never throws on junk, and leaves it unparsed under strict',
    skips,
    run({ task, some, junk }) {
      const { parsers } = requireAnswered(task)
      const item = some(1)[0] as Item
      for (const [name, text] of junk)
        for (const [parser, parse] of Object.entries(parsers)) {
          const found = named(() => parse(text, questionOf(item)), `${parser} on junk "${name}"`, item)
          if (parser === 'strict')
            assertThat(found.kind === 'unparsed', `strict parses ${JSON.stringify(found)} from junk "${name}"`, item)
          if (found.kind === 'extracted') {
            const [from, to] = found.span
            assertThat(
              from >= 0 && from <= to && to <= text.length,
              `${parser} on junk "${name}" gives the span ${from}-${to} of ${text.length} characters`,
              item,
            )
          }
        }
    },
  },
  {
    id: 'lenient',
    description: 'parses the same answer under lenient wherever strict parses one',
    skips,
    run({ task, some }) {
      const { parsers, gold } = requireAnswered(task)
      const items = some(3)
      const golds = items.flatMap((item) => gold?.(problemOf(item)) ?? [])
      let parsed = 0
      for (const item of items) {
        const question = questionOf(item)
        const choices = task.choices?.(question).slice(0, 6) ?? []
        const answers = [...golds, ...choices, ...choices.map((choice) => choice.toLowerCase())]
        const pieces = [...answers, ...answers.map((text) => `Answer: ${text}`), ...remarks]
        const stream = namedStream(`touchstone/laws/lenient/${item.id}`)
        for (let run = 0; run < RESPONSES && answers.length > 0; run++) {
          const text = response(stream, answers, pieces)
          const strict = parsers.strict(text, question)
          if (strict.kind === 'unparsed') continue
          parsed++
          const lenient = parsers.lenient(text, question)
          assertThat(
            lenient.kind === 'extracted' && JSON.stringify(lenient.answer) === JSON.stringify(strict.answer),
            `from ${shorten(JSON.stringify(text))} strict parses ${shorten(strict.answer)}, lenient ${shorten(lenient)}`,
            item,
          )
        }
      }
      assertThat(
        parsed > 20,
        `strict parses ${parsed} of ${RESPONSES * items.length} responses made of its gold response and choices`,
      )
    },
  },
]

const RESPONSES = 200
const breaks = ['\n', '\n\n', ' ', ''] as const

/** Up to six pieces, then an answer or a piece. */
function response(stream: Stream, answers: readonly string[], pieces: readonly string[]): string {
  const before = Array.from({ length: below(stream, 7) }, () => pick(stream, pieces) + pick(stream, breaks))
  return before.join('') + pick(stream, below(stream, 2) === 0 ? answers : pieces)
}

/** Adds the name of the parser and the input to an error. */
function named<T>(act: () => T, what: string, item: Item): T {
  try {
    return act()
  } catch (error) {
    throw new ContractError(
      `${what}: ${error instanceof ContractError ? error.message : `it throws ${error}`}`,
      item.id,
    )
  }
}

/** The same answer with other line ends, space or reasoning around it. */
const variants = (text: string): string[] => [
  text,
  `${text}\n\n`,
  `  \n${text}`,
  text.replaceAll('\n', '\r\n'),
  `<think>\nFirst I will consider the opposite.\n</think>\n\n${text}`,
]

/** Text around answers, and text that looks like one. */
const remarks = [
  '',
  ...'_ ** ` ( - > } ``` [ ] -> , # \\boxed{ <think> </think>'.split(' '),
  ...'-5 5.0 1,000 one N/A chess [] [x] Answer:'.split(' '),
  ...'```\n|\n```| and |[0, 1]|a -> b|3 hops|no shorter one|rowing, chess|mark this|the answer is|Hope this helps!'.split(
    '|',
  ),
]
