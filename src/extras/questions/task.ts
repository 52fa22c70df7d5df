import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { z } from 'zod'
import {
  defineTask,
  type Features,
  type Grade,
  isArray,
  type Json,
  type JsonObject,
  type Parser,
  type Question,
  sortedJson,
  type Task,
  UsageError,
} from '../../core/index.ts'
import {
  columnNames,
  type FIELDS,
  fieldColumns,
  type QuestionRow,
  questionRows,
  rowFeatures,
} from '../../datasets/index.ts'
import type { QuestionFiles } from './files.ts'
import { type Given, type GraderName, graderOf, graders } from './graders.ts'
import { gradeJudged, type Judgements, readJudged } from './judge.ts'
import { type Config, guessOf, isChoice, type ReadyRow, readyRows } from './rows.ts'

/** Most rows of a set, which are in memory together. */
const MAX_ROWS = 1_000_000

/**
 * A task whose items are the rows of files. Its version is a number of their content: a run on other rows has other items.
 *
 * @param judgements - what judges and people said of the responses of a run
 * @throws UsageError for files that are no tables, or have no rows
 */
export async function questionTask(
  { task: name, paths }: QuestionFiles,
  judgements: Judgements = new Map(),
): Promise<Task> {
  const rows: QuestionRow[] = []
  const hash = createHash('sha256')
  for (const path of paths)
    for await (const batch of questionRows(path))
      for (const row of batch) {
        rows.push(row)
        hash.update(`${JSON.stringify(row)}\n`)
        if (rows.length > MAX_ROWS) throw new UsageError(`${path}: expected at most ${MAX_ROWS} rows`)
      }
  if (rows.length === 0) throw new UsageError(`expected rows, ${paths.join(', ')} has none`)
  const [path = '', ...others] = paths
  const place = others.length === 0 ? basename(path) : `${paths.length} files`
  return taskOf({ name, place, rows, version: 1 + (hash.digest().readUInt32BE() >>> 1), judgements })
}

/** Most reasons that are listed; further rows are only counted. */
const MAX_REASONS = 3

function skippedRows(rows: readonly ReadyRow[], place: string): ReturnType<NonNullable<Task['skipped']>> {
  const found = rows.flatMap((row, index) => (row.kind === 'unreachable' ? [{ index, reason: row.reason }] : []))
  if (found.length === 0) return null
  const reasons = found.slice(0, MAX_REASONS).map(({ reason }) => reason)
  const more = found.length > MAX_REASONS ? `; and ${found.length - MAX_REASONS} more` : ''
  return {
    indices: new Set(found.map(({ index }) => index)),
    text: `skipped ${found.length} of ${rows.length} rows of ${place}: ${reasons.join('; ')}${more}`,
  }
}

interface QuestionSet {
  readonly name: string
  readonly place: string
  readonly rows: readonly QuestionRow[]
  readonly version: number
  readonly judgements: Judgements
}

function taskOf({ name, place, rows, version, judgements }: QuestionSet): Task {
  const names = columnNames(rows)
  const usual = fieldColumns(names, {})
  const features = rowFeatures(
    rows,
    names.filter((column) => !Object.values(usual).flat().includes(column)),
  )
  const config = configSchema(usual)
  const known = new Map<string, readonly ReadyRow[]>()
  const ready = (given: Config): readonly ReadyRow[] => {
    const key = sortedJson(given as unknown as Json)
    const found = known.get(key) ?? readyRows(rows, given, features)
    known.set(key, found)
    return found
  }
  const closed = isClosed(() => ready(config.parse({}) as Config))
  return defineTask<Config & JsonObject, null, null, Given, string | string[], Features>({
    name: name as `questions/${string}`,
    summary: `${rows.length} rows of a file, graded as ${guessOf(rows, usual)}; answers as given there`,
    asGiven: 'answers',
    skipped: (given) => skippedRows(ready(given), place),
    version,
    scorerVersion: 3,
    promptVersion: 1,
    config: config as unknown as z.ZodType<Config & JsonObject>,
    presets: { file: { summary: 'columns as guessed', config: {} } },
    features: z.object(Object.fromEntries([...features].map(([key, { schema }]) => [key, schema]))),
    layout(given) {
      const list = ready(given)
      return {
        size: list.length,
        strata: [{}],
        layout: 'interleaved',
        at(index) {
          const one = list[index]
          if (one === undefined)
            return { kind: 'unreachable', proved: true, reason: `the file has ${list.length} rows` }
          return { stratum: 0, unit: 0, group: one.group, ordinal: index }
        },
      }
    },
    draw: (given, _, { ordinal }) => ready(given)[ordinal] as ReadyRow,
    styles: ['instructed', 'as-given'],
    request: ({ given }, style) => ({ kind: 'chat', messages: messagesOf(given, style) }),
    parts: {
      texts: {
        question: ({ given }) => given.messages.map(({ content }) => content).join('\n\n'),
        options: ({ given }) => (given.options === null ? null : optionsOf(given.options).join('\n')),
      },
      needs: closed ? ['question', 'options'] : ['question'],
    },
    parsers: {
      strict: parserOf('strict', judgements),
      lenient: parserOf('lenient', judgements),
    },
    grade: ({ given, answer }, prediction): Grade =>
      given.grader === 'judge'
        ? gradeJudged(prediction)
        : {
            value: [answer].flat().some((target) => graderOf(given).same(target, prediction as string, given)) ? 1 : 0,
          },
    gold: ({ answer }) => (isArray(answer) ? (answer[0] ?? '') : answer),
    ...(closed ? { choices: ({ given }: Question<null, Given>) => given.options?.labels ?? [] } : {}),
    canonical: ({ given }) => sortedJson([given.messages, given.options] as Json),
    oracle: () => true,
    witness: () => null,
    check: () => true,
    analyses: [],
  })
}

function configSchema(usual: ReturnType<typeof fieldColumns>) {
  const column = (field: (typeof FIELDS)[number], what: string) =>
    z
      .string()
      .default(usual[field]?.join(', ') ?? '')
      .describe(what)
  const described = Object.entries(graders).map(([name, { describe }]) => `${name}: ${describe}`)
  return z.strictObject({
    question: column('question', 'column with the question, or with messages'),
    answer: column('answer', 'column with the correct answer'),
    choices: column('choices', 'column with the choices, or several columns separated by commas'),
    group: column('group', 'column with the group: rows of one group are not independent'),
    context: column('context', 'column with a text before the question; also the group'),
    rubric: column('rubric', "column with the judge's rubric"),
    grader: z
      .enum(['guess', ...(Object.keys(graders) as GraderName[])])
      .default('guess')
      .describe(described.join('; ')),
    tolerance: z
      .union([z.number().min(0), z.string().regex(/^\d{1,9}(?:\.\d{1,9})?%$/u)])
      .default(0)
      .describe('for numbers: a distance, or a share of the answer such as 1%'),
  })
}

const parserOf =
  (name: 'strict' | 'lenient', judgements: Judgements): Parser<null, Given, string | string[]> =>
  (text, question) =>
    question.given.grader === 'judge'
      ? readJudged(judgements, text, question.given)
      : graderOf(question.given)[name](text, question)

/** Do all questions that can be asked have options? Not where the columns must be named first. */
function isClosed(ready: () => readonly ReadyRow[]): boolean {
  try {
    return ready().every((row) => row.kind === 'unreachable' || row.given.options !== null)
  } catch {
    return false
  }
}

const optionsOf = ({ texts, labels }: NonNullable<Given['options']>): readonly string[] =>
  texts.map((text, i) => `${labels[i]}) ${text}`)

/** What a model is sent: choices are listed in every style, the form of the answer only where it is instructed. */
function messagesOf(given: Given, style: string): Given['messages'] {
  const { messages, options, grader } = given
  const listed = isChoice(grader) && options !== null ? optionsOf(options) : []
  const instruction = style === 'instructed' ? graderOf(given).instruction(given) : ''
  const added = [listed.join('\n'), instruction].filter((part) => part !== '')
  const last = messages.at(-1)
  if (last === undefined || added.length === 0) return messages
  return [...messages.slice(0, -1), { ...last, content: [last.content, ...added].join('\n\n') }]
}
