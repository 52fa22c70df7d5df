import type { FinishReason, Message } from '../../core/index.ts'
import type { TokenUsage } from '../model.ts'
import { safeStringify } from '../safe-stringify.ts'
import type { Settings } from '../settings.ts'

/** What a model is asked. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly settings: Settings
}

export interface EncodedRequest {
  /** Below the base URL of the server. */
  readonly path: string
  readonly body: JsonObject
  /** Settings that are not sent, or not as they were asked for, with the reason in brackets where it is not plain. */
  readonly ignored: readonly string[]
  /** How an effort is sent where the format has no efforts. It counts as ignored unless the model reasoned. Default: as it is. */
  readonly effortSent?: string
}

/** The model's part of a response. */
export interface DecodedAnswer {
  readonly text: string
  readonly reasoning: string | null
  /** Why the response ended; null: the body does not say. */
  readonly finish: FinishReason | null
  /** Why the provider refused, in its words. Default: it did not refuse, or gives no reason. */
  readonly refusal?: string
  /** The effort that the server says it worked with. Default: it does not say. */
  readonly effort?: string
}

/** Share of the maximum output that an effort becomes as a budget of tokens, for models that think by one. */
export const EFFORT_SHARE = { minimal: 0.02, low: 0.1, medium: 0.3, high: 0.6, xhigh: 0.9 } as const

/** One wire format: how a request becomes a body and a body a response. Pure. */
export interface Codec {
  encode(request: ChatRequest): EncodedRequest
  /** Is this the body of a response in this format? */
  matches(body: JsonObject): boolean
  /** The response in a body, read leniently: servers deviate. A string: why there is none. */
  decode(body: JsonObject): DecodedAnswer | string
}

export type JsonObject = { readonly [key: string]: unknown }

/** A value as an object whose fields may be read; of anything else an empty one. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Ends that are none of the model's: its server stopped in the middle. */
const FAILED =
  /^(?:abort(?:ed)?|cancell?ed|error|(?:internal|network|server)_error|insufficient_system_resource|timeout)$/iu

/** Why a response that ended for this reason is none; null: it is one. */
export const failedEnd = (reason: unknown): string | null =>
  typeof reason === 'string' && FAILED.test(reason) ? `a response that ended in "${reason}"` : null

/** Why content is none: it is a text, a list of parts with texts, or absent. null: it is content. */
export function contentFault(content: unknown): string | null {
  if (content == null || typeof content === 'string') return null
  if (!Array.isArray(content))
    return `content that is ${typeof content === 'object' ? 'an object' : `a ${typeof content}`}`
  const other = content.find((part) => typeof part !== 'string' && !isTextOrNone(objectOf(part)['text'], part))
  return other === undefined ? null : `content with a part that holds no text: ${safeStringify(other).slice(0, 100)}`
}

const isTextOrNone = (text: unknown, part: unknown): boolean =>
  typeof part === 'object' && part !== null && (text == null || typeof text === 'string')

/** Texts one after another; null where there is none. */
export const joined = (texts: readonly (string | null)[], between = ''): string | null => {
  const found = texts.filter((text) => text !== null)
  return found.length === 0 ? null : found.join(between)
}

/** The words of all formats for why a response ended, in lower case: some servers speak one format with words of another. */
const FINISH: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  pause_turn: 'stop',
  completed: 'stop',
  length: 'truncated',
  max_tokens: 'truncated',
  max_length: 'truncated',
  model_length: 'truncated',
  max_output_tokens: 'truncated',
  model_context_window_exceeded: 'truncated',
  continuation: 'truncated',
  content_filter: 'refused',
  refusal: 'refused',
  safety: 'refused',
  image_safety: 'refused',
  recitation: 'refused',
  blocklist: 'refused',
  prohibited_content: 'refused',
  spii: 'refused',
}

/** Why a response ended, by the reason in its body; null: it gives none. */
export function finishOf(reason: unknown): FinishReason | null {
  if (typeof reason !== 'string') return null
  const known = reason.toLowerCase()
  return Object.hasOwn(FINISH, known) ? (FINISH[known] as FinishReason) : 'unknown'
}

/** Why a provider refused, from the parts of a body that give a reason. */
export function refusalOf(...parts: readonly unknown[]): Pick<DecodedAnswer, 'refusal'> {
  const words = parts.filter((part) => typeof part === 'string' && part !== '')
  return words.length === 0 ? {} : { refusal: words.join(': ').slice(0, 300) }
}

/** The text and the reasoning of content that is a text, or a list of parts. */
export function partsOf(content: unknown): { readonly text: string | null; readonly reasoning: string | null } {
  if (typeof content === 'string') return { text: content, reasoning: null }
  const parts = listOf(content).map((part) => (typeof part === 'string' ? { text: part } : objectOf(part)))
  const isReasoning = ({ type, thought }: JsonObject): boolean =>
    thought === true || /^(?:thinking|thought|reasoning)/u.test(stringOf(type) ?? '')
  return {
    text: joined(parts.filter((part) => !isReasoning(part)).map(({ text }) => stringOf(text))),
    reasoning: joined(
      parts
        .filter(isReasoning)
        .map(
          ({ text, thinking, reasoning }) =>
            stringOf(text) ?? stringOf(reasoning) ?? stringOf(thinking) ?? partsOf(thinking).text,
        ),
    ),
  }
}

/** A count, which some servers write as a text. */
function countOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\s{0,4}\d{1,16}\s{0,4}$/u.test(value) ? Number(value) : undefined
}

/** The sum of the counts that are given; undefined: none is. */
function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  const given = counts.filter((count) => count !== undefined)
  return given.length === 0 ? undefined : given.reduce((a, b) => a + b)
}

/** The counts of tokens in a body of any format, as its server gives them: a count that it does not give is absent. */
export function readUsage(body: JsonObject): TokenUsage {
  const google = objectOf(body['usageMetadata'])
  const usage = objectOf(body['usage'])
  const [input, output] = [
    objectOf(usage['prompt_tokens_details'] ?? usage['input_tokens_details']),
    objectOf(usage['completion_tokens_details'] ?? usage['output_tokens_details']),
  ]
  const cacheRead = countOf(usage['cache_read_input_tokens'])
  const prompt = countOf(usage['prompt_tokens']) ?? countOf(usage['input_tokens'])
  const written = countOf(usage['completion_tokens']) ?? countOf(usage['output_tokens'])
  const googlePrompt = countOf(google['promptTokenCount'])
  // Google leaves out counts that are 0.
  const zero = googlePrompt === undefined ? undefined : 0
  const counts = {
    inputTokens:
      // Anthropic counts what is read from and written to its cache apart.
      sumOf(googlePrompt, countOf(google['toolUsePromptTokenCount'])) ??
      (prompt === undefined ? undefined : sumOf(prompt, cacheRead, countOf(usage['cache_creation_input_tokens']))),
    outputTokens:
      sumOf(countOf(google['candidatesTokenCount']), countOf(google['thoughtsTokenCount'])) ??
      zero ??
      wholeOutput(prompt, written, countOf(usage['total_tokens'])),
    reasoningTokens:
      countOf(google['thoughtsTokenCount']) ??
      zero ??
      countOf(output['reasoning_tokens']) ??
      countOf(output['thinking_tokens']),
    cachedTokens: countOf(google['cachedContentTokenCount']) ?? zero ?? countOf(input['cached_tokens']) ?? cacheRead,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined))
}

/** Some servers count hidden reasoning beside the output, in the total only: it is paid for all the same. */
function wholeOutput(prompt?: number, written?: number, total?: number): number | undefined {
  if (prompt === undefined || written === undefined || total === undefined) return written
  return total > prompt + written ? total - prompt : written
}
