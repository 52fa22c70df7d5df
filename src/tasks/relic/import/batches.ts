import { z } from 'zod'
import {
  type FileTree,
  type FinishReason,
  type ImportedResponse,
  type ImportProblem,
  importProblem,
  jsonOrNull,
  linesOf,
  type Message,
  tooLong,
} from '../../../core/index.ts'
import type { Batch, GrammarFolder } from './folders.ts'

export const messages = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })).min(1)

/** A request line: its prompt, and how many solved examples that has. */
const requestLine = z.object({
  custom_id: z.string(),
  body: z.object({
    messages: messages.optional(),
    metadata: z.object({ n_shots: z.coerce.number() }).partial().optional(),
  }),
})

/** A result line, as OpenAI batches write it and as the release's local runner does (no usage, no finish reason). */
const resultLine = z.object({
  custom_id: z.union([z.string(), z.number()]).transform(String),
  response: z.object({
    body: z.object({
      model: z.string(),
      choices: z
        .array(
          z.object({
            message: z.object({ content: z.string().nullable(), refusal: z.string().nullish() }),
            finish_reason: z.string().nullish(),
          }),
        )
        .min(1),
      usage: z
        .object({
          prompt_tokens: z.number(),
          completion_tokens: z.number(),
          completion_tokens_details: z.object({ reasoning_tokens: z.number() }).partial().nullish(),
        })
        .partial()
        .nullish(),
    }),
  }),
})

type Choice = z.infer<typeof resultLine>['response']['body']['choices'][number]

/**
 * How a response ended. Local results have no reason: in a batch with reasoning, a response that has not closed its
 * reasoning was truncated.
 */
const finishOf = ({ finish_reason: reason, message }: Choice, reasons: boolean): FinishReason => {
  const { refusal, content } = message
  if (typeof refusal === 'string' && refusal !== '') return 'refused'
  if (reason === 'stop') return 'stop'
  if (reason === 'length') return 'truncated'
  if (reason === 'content_filter') return 'refused'
  if (typeof reason === 'string' || !reasons) return 'unknown'
  return content?.includes(END_OF_REASONING) === true ? 'stop' : 'truncated'
}

/** The beginning is often the template's, and not in the response. */
const END_OF_REASONING = '</think>'

/** The lines of a file that fit a schema, and problems for the others. */
export async function* fittingLines<T>(
  files: FileTree,
  path: string,
  schema: z.ZodType<T>,
  expected: string,
): AsyncGenerator<{ readonly kind: 'line'; readonly number: number; readonly data: T } | ImportProblem> {
  for await (const { number, text, end } of linesOf(files.text(path))) {
    const value = end === 'limit' ? null : jsonOrNull(text)
    const line = schema.safeParse(value)
    if (end === 'limit') yield tooLong(path, number)
    else if (line.success) yield { kind: 'line', number, data: line.data }
    else {
      const message = value === null ? 'not JSON: truncated or damaged' : `not ${expected}`
      yield importProblem('bad-line', path, number, message)
    }
  }
}

/** Whether a batch without reasons has reasoning: at least one response closed it. */
async function reasonsAloud(files: FileTree, results: string): Promise<boolean> {
  for await (const line of fittingLines(files, results, resultLine, 'a result line')) {
    if (line.kind === 'problem') continue
    const [choice] = line.data.response.body.choices
    if (typeof choice?.finish_reason === 'string') return false
    if (choice?.message.content?.includes(END_OF_REASONING) === true) return true
  }
  return false
}

/** What requests ask, by custom id: the item of each, null where it has none, and the prompt style. */
interface Requests {
  readonly ids: Iterable<string>
  itemOf(id: string): string | null
  styleOf(id: string): string
  promptOf?(id: string): readonly Message[] | undefined
}

/** The responses of a file of results, joined with their requests by custom id. */
export async function* responsesTo(
  files: FileTree,
  results: string,
  { ids, itemOf, styleOf, promptOf }: Requests,
): AsyncGenerator<ImportedResponse | ImportProblem> {
  const reasons = await reasonsAloud(files, results)
  const answered = new Set<string>()
  let unreadable = 0
  for await (const line of fittingLines(files, results, resultLine, 'a result line')) {
    if (line.kind === 'problem') {
      unreadable++
      yield line
      continue
    }
    const { custom_id: id, response } = line.data
    const { usage, model, choices } = response.body
    const choice = choices[0] as Choice
    const text = choice.message.content ?? choice.message.refusal ?? null
    const item = itemOf(id)
    const prompt = promptOf?.(id)
    const problem = (kind: string, message: string) => importProblem(kind, results, line.number, message)
    if (item === null) yield problem('unknown-item', `nothing was asked with the id ${id}`)
    else if (answered.has(id)) yield problem('repeated-line', `${id} is answered already`)
    else if (text === null) yield problem('unusable-row', `${id} has no content`)
    else
      yield {
        kind: 'response',
        item,
        model,
        style: styleOf(id),
        settings: {},
        sample: 0,
        text,
        ...(prompt === undefined ? {} : { prompt }),
        finish: finishOf(choice, reasons),
        usage: usage === null || usage === undefined ? { steps: piecesOf(text) } : usageOf(usage),
      }
    answered.add(id)
  }
  // A line that cannot be read has lost its id: it stands for one of the requests without a result.
  const asked = [...ids]
  const lost = asked.filter((id) => !answered.has(id)).length - unreadable
  if (lost > 0)
    yield importProblem('lost-line', results, null, `${lost} of ${asked.length} requests have no result`, lost)
}

/** The responses of one batch; `itemOf` gives the item of a row. */
export async function* batchResponses(
  files: FileTree,
  folder: GrammarFolder,
  { inputs, results, id }: Batch,
  itemOf: (row: number) => string | null,
): AsyncGenerator<ImportedResponse | ImportProblem> {
  const missing = (which: 'inputs' | 'results', message: string) =>
    importProblem('missing-file', `${folder.path}batch_${id}_${which}.jsonl`, null, message)
  if (results === null) return yield missing('results', 'the batch has requests but no results')
  const requests = new Map<string, z.infer<typeof requestLine>['body']>()
  if (inputs === null) yield missing('inputs', 'the batch has results but no requests; taken as zero-shot')
  else
    for await (const line of fittingLines(files, inputs, requestLine, 'a request line'))
      if (line.kind === 'problem') yield line
      else requests.set(line.data.custom_id, line.data.body)
  yield* responsesTo(files, results, {
    ids: requests.keys(),
    itemOf: (id) => itemOf(Number(/^request-(\d+)$/.exec(id)?.[1] ?? Number.NaN)),
    styleOf: (id) => {
      const shots = requests.get(id)?.metadata?.n_shots ?? 0
      return shots === 0 ? 'zero-shot' : `few-shot-${shots}`
    },
    promptOf: (id) => requests.get(id)?.messages,
  })
}

/**
 * Tokens of a response that nobody counted: words, digits one by one, and signs. The released responses that were cut off at 2,048
 * tokens have 2,068 in the median, those at 4,096 at most 4,095.
 */
const piecesOf = (text: string): number => text.match(/\p{L}+|\p{N}|[^\s\p{L}\p{N}_]+|_|\n+/gu)?.length ?? 0

function usageOf(usage: NonNullable<z.infer<typeof resultLine>['response']['body']['usage']>) {
  const reasoning = usage.completion_tokens_details?.reasoning_tokens
  return {
    ...(usage.prompt_tokens === undefined ? {} : { inputTokens: usage.prompt_tokens }),
    ...(usage.completion_tokens === undefined ? {} : { outputTokens: usage.completion_tokens }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}
