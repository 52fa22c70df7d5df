import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import {
  type FinishReason,
  isObject,
  type Json,
  type Message,
  schemaErrorMap,
  schemaErrors,
  sortedJson,
  UsageError,
  withoutNaN,
} from '../../core/index.ts'
import { settingsFrom, settingValue } from '../../models/index.ts'
import type { ExternalResponse } from './external-response.ts'
import { type LogRecord, scoreOf } from './logs/record.ts'
import { type Entry, unzip } from './zip.ts'

/** Versions of logs differ in what is not read here. */
const header = z.looseObject({
  eval: z.looseObject({
    model: z.string(),
    task: z.string().catch('inspect'),
    scorers: z
      .array(z.looseObject({ name: z.string() }))
      .nullish()
      .catch(null),
    metadata: z.looseObject({ settings: z.record(z.string(), settingValue).optional().catch(undefined) }).nullish(),
    model_generate_config: z.record(z.string(), z.unknown()).nullish(),
  }),
})

const text = z.string().nullish()
const part = z.looseObject({ type: z.string(), text, reasoning: text, summary: text, redacted: z.boolean().nullish() })
const content = z.union([z.string(), z.array(part)])
/** `reasoning` stood beside the content before it became a part of it. */
const message = z.looseObject({ role: z.string().optional(), content, reasoning: text })
const score = z.looseObject({ value: z.unknown(), answer: z.unknown().optional() })
const sample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z.int().min(1),
  input: z
    .union([z.string(), z.array(message)])
    .optional()
    .catch(undefined),
  messages: z.array(message).optional().catch(undefined),
  /** Long texts, which stand elsewhere as `attachment://` with their hash. */
  attachments: z.record(z.string(), z.string()).optional().catch(undefined),
  metadata: z.record(z.string(), z.json()).nullish().catch(null),
  target: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .catch(undefined),
  choices: z.array(z.string()).nullish().catch(null),
  /** `score` before 2024. */
  score: score.nullish().catch(null),
  scores: z.record(z.string(), score).nullish().catch(null),
  error: z.looseObject({ message: z.string().optional() }).nullish(),
  output: z
    .looseObject({
      choices: z.array(z.looseObject({ stop_reason: z.string().nullish(), message })).optional(),
      usage: z
        .looseObject({
          input_tokens: z.number().optional(),
          output_tokens: z.number().optional(),
          reasoning_tokens: z.number().nullish(),
        })
        .nullish(),
      error: text,
    })
    .nullish(),
})
type Sample = z.infer<typeof sample>
type Content = z.infer<typeof content>

const FINISH: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  max_tokens: 'truncated',
  model_length: 'truncated',
  // Before 2025.
  length: 'truncated',
  content_filter: 'refused',
}

/** The responses of a log of Inspect: `.json`, or `.eval` by its bytes. @throws UsageError */
export async function* inspectResponses(bytes: Uint8Array): AsyncGenerator<ExternalResponse> {
  for await (const { value, about } of samplesOf(bytes)) {
    const read = sample.safeParse(value, { error: schemaErrorMap })
    yield read.success
      ? responseOf(read.data, about)
      : { missing: `this sample is none of Inspect: ${schemaErrors(read.error, z.unknown())[0] ?? ''}` }
  }
}

/** The samples of a log of any task, with their scores. @throws UsageError */
export async function inspectRecords(bytes: Uint8Array): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  for await (const { value, about } of samplesOf(bytes))
    records.push(recordOf(sample.parse(value, { error: schemaErrorMap }), about))
  return records
}

type Header = z.infer<typeof header>

async function* samplesOf(bytes: Uint8Array): AsyncGenerator<{ value: unknown; about: Header['eval'] }> {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b
  const log = isArchive ? null : parsed(bytes)
  // A log that is being written has no header yet.
  const begun = isArchive
    ? ((await fileOf(bytes, 'header.json')) ?? (await fileOf(bytes, '_journal/start.json')))
    : null
  if (isArchive && begun === null) throw new UsageError('this archive is not a log of Inspect: it has no header.json')
  const { eval: about } = headerOf(begun === null ? log : parsed(begun.bytes))
  if (isArchive)
    for await (const { bytes: file } of unzip(bytes, (path) => /^samples\/.+\.json$/u.test(path)))
      yield { value: parsed(file), about }
  const { samples } = z
    .looseObject({ samples: z.array(z.unknown()).nullish() })
    .parse(log ?? {}, { error: schemaErrorMap })
  for (const value of samples ?? []) yield { value, about }
}

async function fileOf(bytes: Uint8Array, name: string): Promise<Entry | null> {
  for await (const entry of unzip(bytes, (path) => path === name)) return entry
  return null
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(withoutNaN(new TextDecoder().decode(bytes)))
  } catch (error) {
    throw new UsageError(`this is not a log of Inspect: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function headerOf(value: unknown): Header {
  const read = header.safeParse(value, { error: schemaErrorMap })
  if (!read.success) throw new UsageError('this is not a log of Inspect: eval.model is missing')
  return read.data
}

/** A sample with its scores: the scorer that the log names first counts first. */
function recordOf(read: Sample, about: Header['eval']): LogRecord {
  const { text, missing, reasoning = null, finish = 'unknown', usage = {}, settings = {} } = responseOf(read, about)
  const all = read.scores ?? (read.score == null ? {} : { score: read.score })
  const first = about.scorers?.[0]?.name
  const scores = Object.entries(
    first === undefined || Object.keys(all).length === 0 ? all : { [first]: { value: null }, ...all },
  )
  const input = read.input ?? ''
  const question =
    typeof input === 'string' ? [{ role: 'user' as const, content: whole(input, read) }] : messagesIn(input, read)
  const targets = [read.target ?? []].flat()
  const answer = scores[0]?.[1].answer
  return {
    task: about.task,
    id: String(read.id),
    // Choices may stand in another order, and targets are their letters then.
    content: sortedJson([question, read.choices == null ? targets : null] as unknown as Json),
    question,
    choices: read.choices ?? null,
    targets,
    facts: read.metadata ?? {},
    model: about.model,
    style: 'as-logged',
    sample: read.epoch - 1,
    settings,
    text: text ?? '',
    reasoning,
    finish,
    usage: defined(usage),
    scores: scores.flatMap(([name, { value }]) =>
      isObject((value ?? null) as Json)
        ? Object.entries(value as object).map(([part, one]) => [`${name}.${part}`, scoreOf(one)] as const)
        : [[name, scoreOf(value)] as const],
    ),
    answer: typeof answer === 'string' ? answer : null,
    // What was scored although there is no output counts as it was scored.
    error: missing === undefined || scores.length > 0 ? null : missing,
  }
}

function responseOf(read: Sample, about: Header['eval']): ExternalResponse {
  const { id, epoch, metadata, error, output } = read
  const named = (name: string): string | undefined => {
    const found = metadata?.[name]
    return typeof found === 'string' ? found : undefined
  }
  const [choice] = output?.choices ?? []
  const item = { item: named('item'), style: named('style'), key: String(id), model: about.model, sample: epoch - 1 }
  const failed = error?.message ?? output?.error
  if (choice === undefined) return { ...item, missing: failed ?? 'the sample has no output' }
  const reply = choice.message
  const reasoning = reasoningOf(reply.content, read) || whole(reply.reasoning ?? '', read)
  // Where the model failed, its output is an empty message beside the error.
  const words = wordsOf(reply.content, read)
  if (words === '' && reasoning === '' && failed != null) return { ...item, missing: failed }
  const reason = choice.stop_reason ?? ''
  return {
    ...item,
    text: words,
    prompt: promptOf(read),
    finish: Object.hasOwn(FINISH, reason) ? FINISH[reason] : 'unknown',
    reasoning: reasoning === '' ? null : reasoning,
    usage: {
      inputTokens: output?.usage?.input_tokens,
      outputTokens: output?.usage?.output_tokens,
      reasoningTokens: output?.usage?.reasoning_tokens ?? undefined,
    },
    settings: settingsOf(about),
  }
}

/** A text that may stand elsewhere. */
const whole = (found: string, { attachments }: Sample): string => {
  const hash = /^attachment:\/\/(\w+)$/u.exec(found)?.[1]
  return hash === undefined ? found : (attachments?.[hash] ?? found)
}

const wordsOf = (found: Content, one: Sample): string =>
  typeof found === 'string'
    ? whole(found, one)
    : found.flatMap(({ type, text }) => (type === 'text' && text != null ? whole(text, one) : [])).join('')

/** What is encrypted says nothing: its summary does. */
const reasoningOf = (found: Content, one: Sample): string =>
  typeof found === 'string'
    ? ''
    : found
        .flatMap(({ reasoning, summary, redacted }) => (redacted === true ? summary : reasoning) ?? [])
        .map((thought) => whole(thought, one))
        .join('\n')

/** What the model saw: the messages up to its own, or else the input of the sample. */
function promptOf(read: Sample): readonly Message[] | undefined {
  const { input, messages = [] } = read
  const own = messages.findLastIndex(({ role }) => role === 'assistant')
  const seen = own > 0 ? messages.slice(0, own) : typeof input === 'string' ? [{ role: 'user', content: input }] : input
  return seen === undefined ? undefined : messagesIn(seen, read)
}

const messagesIn = (messages: readonly z.infer<typeof message>[], read: Sample): readonly Message[] =>
  messages.flatMap(({ role, content }) =>
    role === 'system' || role === 'user' || role === 'assistant' ? [{ role, content: wordsOf(content, read) }] : [],
  )

/** Our own, where we wrote the log; else what is asked of the model, in our names. */
const settingsOf = ({
  metadata,
  model_generate_config: config,
}: Header['eval']): NonNullable<ExternalResponse['settings']> =>
  metadata?.settings ?? settingsFrom('inspect', config ?? {})
