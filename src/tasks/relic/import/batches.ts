import { z } from 'zod'
import {
  type FileTree,
  type FinishReason,
  type ImportedResponse,
  type ImportProblem,
  importProblem,
  linesOf,
  tooLong,
} from '../../../core/index.ts'
import { type Batch, expectedPath, type GrammarFolder, parseJson } from './folders.ts'

/** A request line: only the fields that identify the prompt. */
const requestLine = z.object({
  custom_id: z.string(),
  body: z.object({ metadata: z.object({ n_shots: z.coerce.number() }).partial().optional() }),
})

/** A result line, as OpenAI batches write it and as the release's local runner does (no usage, no finish reason). */
export const resultLine = z.object({
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

/** Whether a batch without reasons has reasoning: at least one response closed it. */
async function reasonsAloud(files: FileTree, results: string): Promise<boolean> {
  for await (const { text, end } of linesOf(files.text(results))) {
    const line = end === 'limit' ? null : resultLine.safeParse(parseJson(text))
    if (line?.success !== true) continue
    const [choice] = line.data.response.body.choices
    if (typeof choice?.finish_reason === 'string') return false
    if (choice?.message.content?.includes(END_OF_REASONING) === true) return true
  }
  return false
}

/** The responses of one batch, joined with their requests by custom id; `itemOf` gives the item of a row. */
export async function* batchResponses(
  files: FileTree,
  folder: GrammarFolder,
  batch: Batch,
  itemOf: (row: number) => string | null,
): AsyncGenerator<ImportedResponse | ImportProblem> {
  if (batch.results === null) {
    yield importProblem(
      'missing-file',
      expectedPath.results(folder, batch),
      null,
      'the batch has requests but no results',
    )
    return
  }
  const asked = new Map<string, number>()
  if (batch.inputs === null)
    yield importProblem(
      'missing-file',
      expectedPath.inputs(folder, batch),
      null,
      'the batch has results but no requests; taken as zero-shot',
    )
  else
    for await (const { number, text, end } of linesOf(files.text(batch.inputs))) {
      if (end === 'limit') {
        yield tooLong(batch.inputs, number)
        continue
      }
      const line = requestLine.safeParse(parseJson(text))
      if (line.success) asked.set(line.data.custom_id, line.data.body.metadata?.n_shots ?? 0)
      else yield importProblem('bad-line', batch.inputs, number, 'not a request line')
    }
  const reasons = await reasonsAloud(files, batch.results)
  const answered = new Set<string>()
  let unreadable = 0
  for await (const { number, text, end } of linesOf(files.text(batch.results))) {
    if (end === 'limit') {
      unreadable++
      yield tooLong(batch.results, number)
      continue
    }
    const value = parseJson(text)
    const line = resultLine.safeParse(value)
    if (!line.success) {
      unreadable++
      yield importProblem(
        'bad-line',
        batch.results,
        number,
        value === undefined ? 'not JSON: truncated or damaged' : 'not a result line',
      )
      continue
    }
    const { custom_id: id, response } = line.data
    const item = itemOf(Number(/^request-(\d+)$/.exec(id)?.[1] ?? Number.NaN))
    const [choice] = response.body.choices
    const text_ = choice?.message.content ?? choice?.message.refusal ?? null
    if (item === null) yield importProblem('unknown-item', batch.results, number, `no string has the id ${id}`)
    else if (answered.has(id)) yield importProblem('repeated-line', batch.results, number, `${id} is answered already`)
    else if (text_ === null) yield importProblem('unusable-row', batch.results, number, `${id} has no content`)
    else {
      const shots = asked.get(id) ?? 0
      const { usage } = response.body
      yield {
        kind: 'response',
        item,
        model: response.body.model,
        style: shots === 0 ? 'zero-shot' : `few-shot-${shots}`,
        settings: {},
        sample: 0,
        text: text_,
        finish: choice === undefined ? 'unknown' : finishOf(choice, reasons),
        usage: usage === null || usage === undefined ? { steps: piecesOf(text_) } : usageOf(usage),
      }
    }
    answered.add(id)
  }
  // A line that cannot be read has lost its id: it stands for one of the requests without a result.
  const lost = [...asked.keys()].filter((id) => !answered.has(id)).length - unreadable
  if (lost > 0)
    yield importProblem('lost-line', batch.results, null, `${lost} of ${asked.size} requests have no result`, lost)
}

/**
 * Tokens of a response that nobody counted: words, digits one by one, and signs. The released responses that were cut off at 2,048
 * tokens have 2,068 in the median, those at 4,096 at most 4,095.
 */
const piecesOf = (text: string): number => text.match(/\p{L}+|\p{N}|[^\s\p{L}\p{N}_]+|_|\n+/gu)?.length ?? 0

function usageOf(usage: {
  readonly prompt_tokens?: number | undefined
  readonly completion_tokens?: number | undefined
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | undefined } | null | undefined
}): NonNullable<ImportedResponse['usage']> {
  const reasoning = usage.completion_tokens_details?.reasoning_tokens
  return {
    ...(usage.prompt_tokens === undefined ? {} : { inputTokens: usage.prompt_tokens }),
    ...(usage.completion_tokens === undefined ? {} : { outputTokens: usage.completion_tokens }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  }
}
