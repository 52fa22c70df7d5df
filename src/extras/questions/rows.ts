import { type Features, type Json, sortedJson, UsageError } from '../../core/index.ts'
import {
  type AnswerBase,
  answerBase,
  chosen,
  columnNames,
  type Feature,
  FIELDS,
  type FieldColumns,
  fieldColumns,
  type QuestionRow,
  type ReadQuestion,
  readQuestion,
  textOf,
} from '../../datasets/index.ts'
import { canonical, type Given, type GraderName, graderOf, guessGrader, labelList, severalLabels } from './graders.ts'

/** How questions are read and graded: a column, or several between commas, for each field. */
export type Config = { readonly [field in (typeof FIELDS)[number]]: string } & {
  readonly grader: GraderName | 'guess'
  readonly tolerance: number | string
}

/** A row that is asked, or why it cannot be; its group. */
export type ReadyRow = { readonly group: number } & (
  | {
      readonly kind: 'drawn'
      readonly given: Given
      readonly answer: string | string[]
      readonly features: Features
    }
  | { readonly kind: 'unreachable'; readonly proved: true; readonly reason: string }
)

/** @throws UsageError where no column is the question, or none holds answers */
export function readyRows(
  rows: readonly QuestionRow[],
  config: Config,
  features: ReadonlyMap<string, Feature>,
): readonly ReadyRow[] {
  const names = columnNames(rows)
  const asked = FIELDS.filter((field) => config[field] !== '').map((field) => [field, config[field]])
  const columns = fieldColumns(names, Object.fromEntries(asked))
  const read = readAll(rows, columns)
  const grader = config.grader === 'guess' ? guessOf(rows, columns) : config.grader
  const noAnswers = grader !== 'judge' && read.every(({ answers }) => answers.length === 0)
  const missing = columns.question === undefined ? 'question' : noAnswers ? 'answer' : null
  if (missing !== null)
    throw new UsageError(
      `no column looks like the ${missing}. Name it with --set ${missing}=COLUMN. Columns: ${names.join(', ')}`,
    )
  const targets = targetsOf(grader, columns, rows, read)
  const closed = grader === 'exact' ? closedAnswers(targets) : null
  const groups = new Map<string, number>()
  const ready = read.map(({ messages, choices, group, rubric }, at): ReadyRow => {
    // The same question again is not independent of the first.
    const key = group ?? sortedJson(messages as unknown as Json)
    const number = groups.get(key) ?? groups.size
    groups.set(key, number)
    const options = isChoice(grader) ? choices : closed
    const given: Given = {
      messages: [...messages],
      options: options === null ? null : { texts: [...options.texts], labels: [...options.labels] },
      grader,
      tolerance: String(config.tolerance),
      ...(grader === 'judge' ? { rubric } : {}),
    }
    const wrong = whyNot(given, targets[at] ?? [])
    if (wrong !== null) return { kind: 'unreachable', proved: true, reason: `row ${at + 1} ${wrong}`, group: number }
    const right = [...new Set(targets[at] as string[])]
    const row = rows[at] as QuestionRow
    return {
      kind: 'drawn',
      given,
      answer: right.length === 1 ? (right[0] as string) : right,
      features: Object.fromEntries([...features].map(([name, { value }]) => [name, value(row)])),
      group: number,
    }
  })
  const [first] = ready
  if (first?.kind === 'unreachable' && ready.every(({ kind }) => kind === 'unreachable'))
    throw new UsageError(`no row can be graded as ${grader}: ${first.reason}. Change it with --set grader=NAME`)
  return ready
}

/** The grader that fits the answers of a file. */
export const guessOf = (rows: readonly QuestionRow[], columns: FieldColumns): GraderName =>
  guessGrader(
    readAll(rows, columns).filter(({ answers }) => answers.length > 0),
    columns,
  )

const readAll = (rows: readonly QuestionRow[], columns: FieldColumns): readonly ReadQuestion[] =>
  withFinalAnswers(rows.map((row) => readQuestion(row, columns)))

/** Where published solutions say their answer: behind `####`, or in the last box. */
const FINAL_ANSWERS = [
  /####\s*(?<final>\S[^\n]*)\s*$/u,
  /\\boxed\{(?<final>[^{}]{1,200}(?:\{[^{}]{0,200}\}[^{}]{0,200}){0,8})\}[^\n]*$/u,
]

/** Where all answers are solutions that say their final answer, that is the answer. */
function withFinalAnswers(rows: readonly ReadQuestion[]): readonly ReadQuestion[] {
  for (const ending of FINAL_ANSWERS) {
    const finals = rows.map(({ answers }) =>
      answers.map((answer) => ending.exec(textOf(answer).trimEnd().slice(-2000))?.groups?.['final']?.trim()),
    )
    const all = finals.flat()
    if (all.length > 0 && !all.includes(undefined))
      return rows.map((row, i) => ({ ...row, answers: finals[i] as readonly string[] }))
  }
  return rows
}

/** The right answers of each row as their grader compares them; null: one that cannot be compared. */
function targetsOf(
  grader: GraderName,
  columns: FieldColumns,
  rows: readonly QuestionRow[],
  read: readonly ReadQuestion[],
): readonly (readonly (string | null)[])[] {
  if (grader === 'choice') {
    const base = answerBase(read)
    return read.map(({ answers, choices }) => answers.map((answer) => labelOf(choices, answer, base)))
  }
  if (grader === 'all-choices')
    return read.map(({ answers, choices }) => {
      const labels = severalLabels(answers, choices)
      return answers.length === 0 ? [] : [labels === null ? null : labelList(labels)]
    })
  if (grader === 'json')
    return rows.map((row) => {
      const cell = row[columns.answer?.[0] ?? ''] ?? null
      return cell === null || cell === '' ? [] : [canonical(textOf(cell))]
    })
  return read.map(({ answers }) =>
    answers.flatMap((one) =>
      typeof one === 'boolean' ? (one ? ['True', 'Yes'] : ['False', 'No']) : [textOf(one).trim()],
    ),
  )
}

const labelOf = (choices: ReadQuestion['choices'], answer: Json, base: AnswerBase): string | null =>
  choices === null ? null : (choices.labels[chosen(choices, answer, base) ?? -1] ?? null)

/** Most different answers of a closed question, and least rows for each of them. */
const MAX_CLOSED = 10
const MIN_ROWS_EACH = 4

export const isChoice = (grader: string): boolean => grader === 'choice' || grader === 'all-choices'

/** Where a file repeats a few short answers, its questions are closed: the prompt lists the answers. */
function closedAnswers(targets: readonly (readonly (string | null)[])[]): Given['options'] {
  const answers = [...new Set(targets.flatMap(([first]) => first ?? []))].sort()
  if (answers.length < 2 || answers.length > MAX_CLOSED || targets.length < MIN_ROWS_EACH * answers.length) return null
  return answers.some((text) => text.length > 40 || text.includes('\n')) ? null : { texts: answers, labels: answers }
}

/** Why a row cannot be asked; null: it can. */
function whyNot(given: Given, targets: readonly (string | null)[]): string | null {
  const { grader, options, messages } = given
  if (messages.length === 0) return 'has no question'
  if (targets.length === 0 && grader !== 'judge') return 'has no answer'
  if (isChoice(grader) && options === null) return 'has no choices'
  if (targets.includes(null))
    return isChoice(grader) ? 'has an answer that is none of its choices' : 'has an answer that is no JSON'
  for (const target of targets as readonly string[]) {
    const wrong = graderOf(given).wrong?.(target)
    if (wrong != null) return `has the answer ${JSON.stringify(target).slice(0, 100)}, which ${wrong}`
  }
  return null
}
