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
import { assertThat, ContractError, type ContractTest, shown } from './contract-test.ts'
import { mutants } from './fuzz-inputs.ts'
import { gradedBy, problemOf, questionOf } from './subject.ts'

type Answered = Task & Required<Pick<Task, 'parsers' | 'grade'>>

const isAnswered = (task: Task): task is Answered => task.parsers !== undefined && task.grade !== undefined
const skips = (task: Task) => (isAnswered(task) ? null : 'its requests are scored, not answered')

/** @throws Broken where the task has no parsers: a law that skips it is not asked. */
function answered(task: Task): Answered {
  if (isAnswered(task)) return task
  throw new ContractError('it has no parsers and grade')
}

/** Laws of answers: read, graded, never guessed. */
export const answerTests: readonly ContractTest[] = [
  {
    id: 'measure',
    description: 'measures scored requests, and says why there is no gold',
    skips: (task) => (isAnswered(task) ? 'its requests are answered, not scored' : null),
    run({ task }) {
      assertThat(task.metrics !== undefined, 'it has neither parsers and grade nor measure')
      assertThat((task.noGold ?? task.gold) !== undefined, 'it has neither gold nor noGold')
    },
  },
  {
    id: 'improve',
    description: 'improves responses without looking: right ones stay right',
    skips: (task) => skips(task) ?? (task.improve === undefined ? 'it improves no responses' : null),
    run({ task, test, some, junk }) {
      const { parsers } = answered(task)
      for (const item of some(5)) {
        const improved = (text: string) =>
          task.improve?.(questionOf(item), text, test.baselineDraws(item.index, 'hybrid')) ?? ''
        const right = task.gold?.(problemOf(item)) ?? ''
        const [once, again] = [improved(right), improved(right)]
        const graded = gradedBy(task, item, parsers.lenient(once, questionOf(item)))
        assertThat(graded === 1, `improve made a right response worth ${graded}`, item)
        assertThat(once === again, 'improve gives two texts for one response', item)
      }
      const [item] = some(1)
      for (const [name, text] of junk.slice(0, 3))
        if (item !== undefined) {
          const made = task.improve?.(questionOf(item), text, test.baselineDraws(item.index, 'hybrid'))
          assertThat(typeof made === 'string', `improve gave no text for ${name}`, item)
        }
    },
  },
  {
    id: 'gold',
    description: 'gives its gold full marks under strict and lenient',
    skips,
    run({ task, some }) {
      const { parsers, gold } = answered(task)
      if (gold === undefined) return assertThat(typeof task.noGold === 'string', 'it has neither gold nor noGold')
      for (const item of some(20))
        for (const text of variants(gold(problemOf(item))))
          for (const name of ['strict', 'lenient'] as const) {
            const found = parsers[name](text, questionOf(item))
            const value = gradedBy(task, item, found)
            const why = found.kind === 'unparsed' ? `unparsed (${found.reason})` : `worth ${value}`
            assertThat(value === 1, `under ${name} the gold response ${shown(JSON.stringify(text))} is ${why}`, item)
          }
    },
  },
  {
    id: 'solution',
    description: 'works its items out, in every detail, in steps that all hold, give the answer and read as it',
    skips: (task) => skips(task) ?? (task.solution === undefined ? 'it has no worked solutions' : null),
    run({ task, some, junk }) {
      const { parsers } = answered(task)
      for (const item of some(10)) {
        const lines = task.solution?.(problemOf(item)) ?? []
        const answer = task.gold?.(problemOf(item)).replace(/^Answer: /u, '') ?? null
        let before = 1
        for (const detail of solutionDetails) {
          const text = solutionText(lines, detail)
          const found = task.checkSteps?.(questionOf(item), text)
          assertThat(found !== undefined, 'it has solutions and no checker of steps (stated)', item)
          const {
            steps,
            trueSteps: holding,
            unknown,
            supportsAnswer: follows,
          } = summarizeTrace(found ?? { steps: [], unknown: [] }, answer)
          const own = `its own solution (${detail})`
          assertThat(steps >= before, `${own} has ${steps} steps, fewer than ${before}`, item)
          assertThat(holding === steps, `${holding} of ${steps} steps of ${own} hold`, item)
          assertThat(unknown.length === 0, `${own} has names that the question has not: ${shown(unknown)}`, item)
          assertThat(follows === true, `the steps of ${own} do not give the answer`, item)
          assertThat(gradedBy(task, item, parsers.strict(text, questionOf(item))) === 1, `${own} reads as wrong`, item)
          before = steps
        }
      }
      const [item] = some(1)
      for (const [name, text] of junk)
        if (item !== undefined) {
          const found = task.checkSteps?.(questionOf(item), text)
          const inside = found?.steps.every(({ span: [from, to] }) => 0 <= from && from <= to && to <= text.length)
          assertThat(inside !== false, `stated finds a step outside of the text ${name}`, item)
        }
    },
  },
  {
    id: 'oracle',
    description: 'marks an answer full exactly when the oracle calls it right',
    skips,
    run({ task, some }) {
      const { parsers, grade } = answered(task)
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
            `of the answer ${shown(answer)} the grade is ${value}, which is not 0..1`,
            item,
          )
          const [full, right] = [value === 1, task.oracle(question, answer)]
          const quick = task.right?.(problemOf(item), answer) ?? full
          const word = (is: boolean): string => (is ? 'right' : 'wrong')
          assertThat(
            full === right,
            `of the answer ${shown(answer)} the grade says ${word(full)}, the oracle ${word(right)}`,
            item,
          )
          assertThat(
            full === quick,
            `of the answer ${shown(answer)} the grade says ${word(full)}, right ${word(quick)}`,
            item,
          )
        }
      }
    },
  },
  {
    id: 'choices',
    description: 'reads every one of its choices, and has right ones and wrong ones among them',
    skips: (task) => skips(task) ?? (task.choices === undefined ? 'its answers are open' : null),
    run({ task, some }) {
      const { parsers } = answered(task)
      for (const item of some(10)) {
        const question = questionOf(item)
        const choices = task.choices?.(question) ?? []
        // No choices: this question's answer is open.
        if (choices.length === 0) continue
        const structure = task.anonymize?.(question)
        // The attacker and the baselines of short range take the terms for these choices, in this order.
        if (structure?.kind === 'statements' && structure.candidates !== undefined)
          assertThat(
            structure.candidates.length === choices.length,
            `structure names ${structure.candidates.length} candidates for ${choices.length} choices`,
            item,
          )
        const values = choices.map((choice) => gradedBy(task, item, parsers.strict(choice, question)))
        const unread = choices.filter((_, i) => values[i] === null)
        assertThat(unread.length === 0, `strict does not read the choice ${shown(JSON.stringify(unread[0]))}`, item)
        const right = values.filter((value) => value === 1).length
        assertThat(right > 0 && right < values.length, `${right} of ${values.length} choices are right`, item)
      }
    },
  },
  {
    id: 'junk',
    description: 'never throws on junk, and calls it unparsed under strict',
    skips,
    run({ task, some, junk }) {
      const { parsers } = answered(task)
      const item = some(1)[0] as Item
      for (const [name, text] of junk)
        for (const [parser, parse] of Object.entries(parsers)) {
          const found = tried(() => parse(text, questionOf(item)), `${parser} on junk "${name}"`, item)
          if (parser === 'strict')
            assertThat(found.kind === 'unparsed', `strict reads ${JSON.stringify(found)} in junk "${name}"`, item)
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
    description: 'reads under lenient what strict reads',
    skips,
    run({ task, some }) {
      const { parsers, gold } = answered(task)
      const items = some(3)
      const golds = items.flatMap((item) => gold?.(problemOf(item)) ?? [])
      let read = 0
      for (const item of items) {
        const question = questionOf(item)
        const choices = task.choices?.(question).slice(0, 6) ?? []
        const said = [...golds, ...choices, ...choices.map((choice) => choice.toLowerCase())]
        const pieces = [...said, ...said.map((text) => `Answer: ${text}`), ...remarks]
        const stream = namedStream(`touchstone/laws/lenient/${item.id}`)
        for (let run = 0; run < RESPONSES && said.length > 0; run++) {
          const text = response(stream, said, pieces)
          const strict = parsers.strict(text, question)
          if (strict.kind === 'unparsed') continue
          read++
          const lenient = parsers.lenient(text, question)
          assertThat(
            lenient.kind === 'extracted' && JSON.stringify(lenient.answer) === JSON.stringify(strict.answer),
            `in ${shown(JSON.stringify(text))} strict reads ${shown(strict.answer)}, lenient ${shown(lenient)}`,
            item,
          )
        }
      }
      assertThat(
        read > 20,
        `strict read ${read} of ${RESPONSES * items.length} responses made of its own gold and choices`,
      )
    },
  },
]

const RESPONSES = 200
const breaks = ['\n', '\n\n', ' ', ''] as const

/** Up to six pieces of responses, and an answer or a piece at the end. */
function response(stream: Stream, said: readonly string[], pieces: readonly string[]): string {
  const before = Array.from({ length: below(stream, 7) }, () => pick(stream, pieces) + pick(stream, breaks))
  return before.join('') + pick(stream, below(stream, 2) === 0 ? said : pieces)
}

function tried<T>(act: () => T, what: string, item: Item): T {
  try {
    return act()
  } catch (error) {
    throw new ContractError(
      `${what}: ${error instanceof ContractError ? error.message : `it throws ${error}`}`,
      item.id,
    )
  }
}

/** The same answer as other machines and habits write it. */
const variants = (text: string): string[] => [
  text,
  `${text}\n\n`,
  `  \n${text}`,
  text.replaceAll('\n', '\r\n'),
  `<think>\nFirst I will consider the opposite.\n</think>\n\n${text}`,
]

/** What stands around answers, and what may be taken for one. */
const remarks = [
  '',
  ...'_ ** ` ( - > } ``` [ ] -> , # \\boxed{ <think> </think>'.split(' '),
  ...'-5 5.0 1,000 one N/A chess [] [x] Answer:'.split(' '),
  ...'```\n|\n```| and |[0, 1]|a -> b|3 hops|no shorter one|rowing, chess|mark this|the answer is|Hope this helps!'.split(
    '|',
  ),
]
