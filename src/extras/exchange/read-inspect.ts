import { z } from 'zod'
import { type FinishReason, schemaErrorMap, UsageError } from '../../core/index.ts'
import { settingsFrom, settingValue } from '../../models/index.ts'
import type { ExternalResponse } from './external-response.ts'
import { unzip } from './zip.ts'

const header = z.looseObject({
  version: z.number().optional(),
  eval: z.looseObject({
    model: z.string(),
    metadata: z.looseObject({ settings: z.record(z.string(), settingValue).optional().catch(undefined) }).nullish(),
    model_generate_config: z.record(z.string(), z.unknown()).nullish(),
  }),
})

const part = z.looseObject({ type: z.string(), text: z.string().optional(), reasoning: z.string().optional() })
const sample = z.looseObject({
  id: z.union([z.string(), z.number()]),
  epoch: z.int().min(1),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  error: z.looseObject({ message: z.string().optional() }).nullish(),
  output: z
    .looseObject({
      choices: z
        .array(
          z.looseObject({
            stop_reason: z.string().nullish(),
            message: z.looseObject({ content: z.union([z.string(), z.array(part)]) }),
          }),
        )
        .optional(),
      usage: z
        .looseObject({
          input_tokens: z.number().optional(),
          output_tokens: z.number().optional(),
          reasoning_tokens: z.number().nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

const FINISH: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  max_tokens: 'truncated',
  model_length: 'truncated',
  content_filter: 'refused',
}

/** The responses of a log of Inspect: `.json`, or `.eval` by its bytes. @throws UsageError */
export function* inspectResponses(bytes: Uint8Array): Generator<ExternalResponse> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return yield* archived(bytes)
  const log = parsed(bytes)
  const head = headerOf(log)
  const { samples } = z.looseObject({ samples: z.array(z.unknown()).nullish() }).parse(log, { error: schemaErrorMap })
  for (const one of samples ?? []) yield responseOf(one, head)
}

type Header = z.infer<typeof header>

function* archived(bytes: Uint8Array): Generator<ExternalResponse> {
  const [found] = unzip(bytes, (path) => path === 'header.json')
  const [begun] = found === undefined ? unzip(bytes, (path) => path === '_journal/start.json') : [found]
  if (begun === undefined) throw new UsageError('this archive is no log of Inspect: it has no header.json')
  const head = headerOf(parsed(begun.bytes))
  for (const { bytes: content } of unzip(bytes, (path) => /^samples\/[^/]+\.json$/u.test(path)))
    yield responseOf(parsed(content), head)
}

function parsed(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    try {
      // Python writes NaN where a score is missing; where that is all that is wrong, it is read as null.
      return JSON.parse(withoutNaN(text))
    } catch {
      throw new UsageError(`this is no log of Inspect: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** What Python writes for numbers that JSON has not, as null; what stands in strings stays. Linear. */
function withoutNaN(text: string): string {
  let out = ''
  let quote = text.indexOf('"')
  for (let at = 0; at < text.length; ) {
    const end = quote === -1 ? text.length : quote
    out += text.slice(at, end).replaceAll(/-?\b(?:NaN|Infinity)\b/gu, 'null')
    at = quote === -1 ? end : endOfString(text, end)
    out += text.slice(end, at)
    quote = text.indexOf('"', at)
  }
  return out
}

/** Behind the closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(text.length, at + 1)
}

function headerOf(value: unknown): Header {
  const read = header.safeParse(value, { error: schemaErrorMap })
  if (!read.success) throw new UsageError('this is no log of Inspect: eval.model is missing')
  if ((read.data.version ?? 2) > 2)
    throw new UsageError(`this log has version ${read.data.version}; 2 and before are known`)
  return read.data
}

function responseOf(value: unknown, { eval: about }: Header): ExternalResponse {
  const { id, epoch, metadata, error, output } = sample.parse(value, { error: schemaErrorMap })
  const text = (name: string): string | undefined => {
    const found = metadata?.[name]
    return typeof found === 'string' ? found : undefined
  }
  const [choice] = output?.choices ?? []
  const named = { item: text('item'), style: text('style'), key: String(id), model: about.model, sample: epoch - 1 }
  if (choice === undefined) return { ...named, missing: error?.message ?? 'the sample has no output' }
  const { content } = choice.message
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const reasoning = parts.flatMap((one) => ('reasoning' in one ? (one.reasoning ?? []) : [])).join('\n')
  const reason = choice.stop_reason ?? ''
  return {
    ...named,
    text: parts.flatMap(({ type, text: said }) => (type === 'text' ? (said ?? []) : [])).join(''),
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

/** Our own, where we wrote the log; else what is asked of the model, in our names. */
const settingsOf = ({
  metadata,
  model_generate_config: config,
}: Header['eval']): NonNullable<ExternalResponse['settings']> =>
  metadata?.settings ?? settingsFrom('inspect', config ?? {})
