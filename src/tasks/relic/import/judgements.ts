import { z } from 'zod'
import {
  type FileTree,
  type Imported,
  type Importer,
  importProblem,
  type JudgedResponse,
  type JudgeItem,
  type Judging,
  type Message,
  tooLong,
  wholeText,
} from '../../../core/index.ts'
import { checkedStrategy, type features, traced } from '../strategy/checker.ts'
import type { StrategyQuestion } from '../strategy/prompt.ts'
import { strategy } from '../strategy/task.ts'
import { fittingLines, messages, responsesTo } from './batches.ts'

const REQUESTS = '_classification.jsonl'
const ANSWERS = '_classification-preds.jsonl'

/** A request to the judge: metadata of the response, and the prompt that ends with it. */
const requestLine = z.object({
  custom_id: z.union([z.string(), z.number()]).transform(String),
  body: z.object({
    messages,
    metadata: z.object({
      response_model: z.string(),
      sample: z.string(),
      'sample.type.ground_truth': z.enum(['positive', 'negative']),
      correct: z.union([z.boolean(), z.enum(['true', 'false', 'True', 'False'])]).optional(),
    }),
  }),
})
type Request = z.infer<typeof requestLine>

/** What stands above the response in the released prompt (paper, appendix G). */
const ABOVE = "Here is the LLM's completion:"

/**
 * The released judgements: requests to o4-mini about responses of other models, and its labels. Joined by grammar and
 * number, since numbers restart in each grammar.
 */
export const judgements: Importer = {
  name: 'relic-judgements',
  task: 'relic/strategy',
  describe:
    'the released strategy judgements: folders with a .cfg, *_classification.jsonl and *_classification-preds.jsonl',
  async *read(files) {
    const folders = new Map<string, string[]>()
    for await (const { path } of files.list()) {
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      folders.set(folder, [...(folders.get(folder) ?? []), path])
    }
    let found = false
    for (const [folder, paths] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1)))
      for (const requests of paths.filter((path) => path.endsWith(REQUESTS)).sort()) {
        found = true
        yield* judged(files, folder, paths, requests)
      }
    if (!found) yield importProblem('missing-file', '.', null, `no folder holds a file that ends in ${REQUESTS}`)
  },
}

async function* judged(
  files: FileTree,
  folder: string,
  paths: readonly string[],
  requests: string,
): AsyncGenerator<Imported> {
  const cfg = paths.find((path) => path.endsWith('.cfg'))
  const grammar = cfg === undefined ? null : await wholeText(files.text(cfg))
  if (grammar === null)
    return yield cfg === undefined
      ? importProblem('missing-file', `${folder}*.cfg`, null, 'the grammar is missing, so its judgements are skipped')
      : tooLong(cfg, null)
  const shared = { grammar: grammar.trimEnd() }
  const group = requests.slice(0, -REQUESTS.length)
  yield { kind: 'group', key: group, shared }
  const prompts = new Map<string, readonly Message[]>()
  for await (const line of fittingLines(files, requests, requestLine, 'a request to judge a response')) {
    if (line.kind === 'problem') {
      yield line
      continue
    }
    const id = line.data.custom_id
    const item = prompts.has(id) ? { problem: `${id} is asked already` } : itemOf(line.data, shared)
    if ('problem' in item)
      yield importProblem(prompts.has(id) ? 'repeated-line' : 'unusable-row', requests, line.number, item.problem)
    else {
      prompts.set(id, line.data.body.messages)
      yield { kind: 'item', key: `${group}/${id}`, group, ...item }
    }
  }
  const answers = `${group}${ANSWERS}`
  if (paths.includes(answers))
    yield* responsesTo(files, answers, {
      ids: prompts.keys(),
      itemOf: (id) => (prompts.has(id) ? `${group}/${id}` : null),
      styleOf: () => 'zero-shot',
      promptOf: (id) => prompts.get(id),
    })
  else yield importProblem('missing-file', answers, null, 'the judge was asked, and what it said is not there')
}

function itemOf({ body }: Request, shared: { readonly grammar: string }) {
  const { response_model: respondent, sample, correct, ...more } = body.metadata
  const text = completionOf(body.messages.at(-1)?.content ?? '')
  if (text === null) return { problem: `the prompt has no line "${ABOVE}"` }
  const question = strategyQuestion({
    problem: { shared, given: { string: sample }, answer: more['sample.type.ground_truth'] === 'positive' },
    features: {},
    judgedModel: respondent,
    finish: 'unknown',
    text,
    value: correct === undefined ? null : Number(String(correct).toLowerCase() === 'true'),
  })
  if (question === null) return { problem: 'the response is empty' }
  return { given: question.given, answer: question.answer, features: question.features }
}

/** The response at the end of the prompt, without its fence. */
function completionOf(prompt: string): string | null {
  const at = prompt.indexOf(ABOVE)
  if (at === -1) return null
  const lines = prompt
    .slice(at + ABOVE.length)
    .trim()
    .split('\n')
  const isFence = (line: string | undefined): boolean => line !== undefined && /^`{3,}\w*$/u.test(line.trim())
  return lines.slice(isFence(lines[0]) ? 1 : 0, isFence(lines.at(-1)) ? -1 : undefined).join('\n')
}

/** Responses to relic/recognize, judged by their strategy: alike are those about strings of one length and class. */
export const judging: Judging = {
  of: 'relic/recognize',
  task: strategy,
  question: strategyQuestion,
  strata: ['length', 'label'],
  importers: [judgements],
}

/** A longer chain of thought is cut in the middle: it would cost more than it tells. */
const MAX = 60_000

/** A response to `relic/recognize` as a question to a judge; null: no text. */
function strategyQuestion({ problem, judgedModel: respondent, finish, text, value }: JudgedResponse): JudgeItem | null {
  const { shared, given, answer } = problem as {
    readonly shared: StrategyQuestion['shared']
    readonly given: { readonly string: string }
    readonly answer: boolean
  }
  const response = cut(text)
  if (response.trim() === '') return null
  const question: StrategyQuestion = { shared, given: { string: given.string, response } }
  const found: z.infer<typeof features> = {
    respondent,
    length: given.string.split(' ').length,
    label: answer,
    right: value === null ? null : value >= 1,
    finish,
    ...traced(question),
  }
  return { shared, given: question.given, answer: checkedStrategy(question), features: found }
}

const cut = (text: string): string =>
  text.length <= MAX ? text : `${text.slice(0, MAX / 2)}\n[...]\n${text.slice(-MAX / 2)}`
