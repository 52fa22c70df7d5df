import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider'
import type { FinishReason, Message } from '../core/index.ts'
import type { Batching } from './batching/batching.ts'
import { otherEffort } from './effort.ts'
import { allowanceOf, bodyStart, type HeaderMap, httpFailure, thrownFailure } from './failures.ts'
import { filteredAnswer, reasonOf } from './filtered.ts'
import {
  type Answer,
  type Call,
  type Failure,
  failure,
  type Model,
  REMOTE,
  type Settings,
  type TokenUsage,
} from './model.ts'
import { readBody } from './read-body.ts'
import { type Received, received } from './transport.ts'
import { unanswered } from './unanswered.ts'
import { written } from './written.ts'

/** How one route is asked for what the SDK's common options do not hold. */
export interface SdkRoute {
  readonly name: string
  readonly route: string
  readonly model: LanguageModelV4
  readonly mostOutput?: Model['mostOutput']
  readonly batching?: Batching
  /**
   * Options of this provider for these settings; `ignored` names settings it cannot carry, `maxOutputTokens` is where it
   * counts them in another way.
   */
  special?(settings: Settings): {
    readonly maxOutputTokens?: number
    readonly options?: LanguageModelV4CallOptions['providerOptions']
    readonly ignored?: readonly string[]
  }
}

/** A chat model on one of the AI SDK's provider packages; retries are the runner's. */
export function sdkModel({ name, route, model, special, mostOutput, batching }: SdkRoute): Model {
  return {
    name,
    kind: 'chat',
    route,
    concurrency: REMOTE,
    remote: true,
    byContext: false,
    ...(mostOutput === undefined ? {} : { mostOutput }),
    ...(batching === undefined ? {} : { batching }),
    async ask(call, signal) {
      if (call.request.kind !== 'chat')
        return failure('not-supported', `${name} chats; it cannot score given strings`, 'never', {
          boundary: 'runner',
          free: true,
        })
      const { options, ignored } = callOptions(call, call.request.messages, signal, special)
      const seen = received(signal)
      try {
        const answer = toAnswer(await model.doGenerate(options), call.settings, ignored)
        return answer.kind === 'failure' ? { ...answer, body: seen.body } : { ...answer, raw: seen.body ?? answer.raw }
      } catch (error) {
        return toFailure(error, seen, ignored)
      }
    },
  }
}

function callOptions(
  call: Call,
  messages: readonly Message[],
  signal: AbortSignal,
  special: SdkRoute['special'],
): { readonly options: LanguageModelV4CallOptions; readonly ignored: readonly string[] } {
  const { settings } = call
  const extra = special?.(settings) ?? {}
  const maxOutputTokens = extra.maxOutputTokens ?? settings.maxTokens
  const options: LanguageModelV4CallOptions = {
    prompt: messages.map(toPrompt),
    abortSignal: signal,
    headers: { 'x-client-request-id': call.attemptId },
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.topP === undefined ? {} : { topP: settings.topP }),
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
    ...(settings.effort === undefined ? {} : { reasoning: settings.effort }),
    ...(extra.options === undefined ? {} : { providerOptions: extra.options }),
  }
  return { options, ignored: extra.ignored ?? [] }
}

function toPrompt(message: Message): LanguageModelV4Prompt[number] {
  if (message.role === 'system') return { role: 'system', content: message.content }
  return { role: message.role, content: [{ type: 'text', text: message.content }] }
}

function toAnswer(
  result: LanguageModelV4GenerateResult,
  settings: Settings,
  ignored: readonly string[],
): Answer | Failure {
  const headers = (result.response?.headers ?? {}) as HeaderMap
  const nothing = withoutAnswer(result.response?.body, headers)
  if (nothing !== null) return nothing
  let text = ''
  let reasoning = ''
  for (const part of result.content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') reasoning += part.text
  }
  const finish = finishOf(result)
  // Where an end is told an empty answer is the model's own.
  if (finish === 'unknown' && text + reasoning === '' && result.finishReason.raw == null)
    return failure(
      'bad-body',
      `HTTP 200 with neither a text nor an end: ${bodyStart(written(result.response?.body))}`,
      'again',
      { http: 200 },
    )
  const warned = result.warnings.flatMap((warning) =>
    warning.type === 'unsupported'
      ? [settingName(warning.feature)]
      : warning.type === 'compatibility' && warning.feature === 'reasoning'
        ? [`effort (${warning.details?.replace(/\.$/u, '') ?? 'asked in another way'})`]
        : [],
  )
  const allowance = allowanceOf(headers)
  const refusal = finish === 'refused' ? reasonOf(result.response?.body) : undefined
  return {
    kind: 'answer',
    finish,
    ...(refusal === undefined ? {} : { refusal }),
    text,
    reasoning: reasoning === '' ? null : reasoning,
    logprobs: null,
    usage: usageOf(result.usage, text + reasoning !== ''),
    raw: result.response?.body === undefined ? null : written(result.response.body),
    http: 200,
    requestId: headers['x-request-id'] ?? headers['request-id'] ?? result.response?.id ?? null,
    ignored: [...new Set([...ignored, ...warned, ...otherEffort(settings, result)])],
    ...(allowance === null ? {} : { allowance }),
  }
}

/** The SDK's names for settings that differ from ours. */
const SDK_SETTING: { readonly [feature: string]: string } = { maxOutputTokens: 'maxTokens', reasoning: 'effort' }
const settingName = (feature: string): string => SDK_SETTING[feature] ?? feature

function finishOf(result: LanguageModelV4GenerateResult): FinishReason {
  if (hasRefusal(result.response?.body)) return 'refused'
  switch (result.finishReason.unified) {
    case 'stop':
      return 'stop'
    case 'length':
      return 'truncated'
    case 'content-filter':
      return 'refused'
    default:
      return 'unknown'
  }
}

/** OpenAI puts a refusal beside the content, with an ordinary finish reason. */
function hasRefusal(body: unknown): boolean {
  const choices = (body as { readonly choices?: unknown } | null | undefined)?.choices
  const first = Array.isArray(choices)
    ? (choices[0] as { readonly message?: { readonly refusal?: unknown } } | undefined)
    : undefined
  const refusal = first?.message?.refusal
  return typeof refusal === 'string' && refusal !== ''
}

/** No question has no token, nor has what was written: 0 is what the SDK makes of a count that was not given. */
function usageOf(usage: LanguageModelV4GenerateResult['usage'], wrote: boolean): TokenUsage {
  const output = wholeOutput(usage)
  const counts = {
    inputTokens: usage.inputTokens.total === 0 ? undefined : usage.inputTokens.total,
    outputTokens: wrote && output === 0 ? undefined : output,
    reasoningTokens: counted(usage.outputTokens.reasoning, usage.raw, SAYS_REASONING),
    cachedTokens: counted(usage.inputTokens.cacheRead, usage.raw, SAYS_CACHED),
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'))
}

/** Where servers count what was thought and what was cached; Google leaves out what is 0. */
const SAYS_REASONING = /"(?:reasoning_tokens|thinking_tokens|promptTokenCount)":\d/u
const SAYS_CACHED = /"(?:cached_tokens|cache_read_input_tokens|promptTokenCount)":\d/u

/** The SDK says 0 where a server does not count, and a model that thinks aloud there would be one that does not think. */
const counted = (count: number | undefined, raw: unknown, says: RegExp): number | undefined =>
  count === 0 && !says.test(written(raw ?? null)) ? undefined : count

/** Some servers count hidden reasoning beside the output, in the total only: it is paid for all the same. */
function wholeOutput({ inputTokens, outputTokens, raw }: LanguageModelV4GenerateResult['usage']): number | undefined {
  const all = raw?.['total_tokens']
  const [read, written] = [inputTokens.total, outputTokens.total]
  if (typeof all !== 'number' || read === undefined || written === undefined) return written
  return all > read + written ? all - read : written
}

/** Marks of the SDK's errors: read as data, since another copy of the package may have thrown them. */
function toFailure(error: unknown, seen: Received, ignored: readonly string[]): Answer | Failure {
  const { responseHeaders = {} } = error as { readonly responseHeaders?: HeaderMap }
  // The SDK gives some errors a status that they did not come with.
  if (seen.status === 200) {
    const nothing = withoutAnswer(parsed(seen.body), responseHeaders)
    if (nothing !== null) return nothing.kind === 'answer' ? nothing : { ...nothing, body: seen.body }
  } else if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    const { statusCode, responseBody } = error as { readonly statusCode: number; readonly responseBody?: string }
    return (
      filteredAnswer(parsed(responseBody ?? null), statusCode, responseHeaders) ??
      httpFailure(statusCode, responseBody ?? error.message, responseHeaders)
    )
  }
  const found = thrownFailure(error)
  if (found.code !== 'bad-body' || seen.body === null) return { ...found, http: seen.status, body: seen.body }
  // It was paid for: what its own reader refuses may still hold an answer.
  const answer = readBody(seen.body)
  if (answer !== null) return { ...answer, ignored }
  return {
    ...found,
    message: `${found.message}; what came: ${bodyStart(seen.body)}`,
    retry: seen.status === 200 ? 'once' : found.retry,
    http: seen.status,
    body: seen.body,
  }
}

/** A prompt that was kept from the model, or why there is no answer in a body of success. */
const withoutAnswer = (body: unknown, headers: HeaderMap): Answer | Failure | null =>
  filteredAnswer(body, 200, headers) ?? unanswered(body, headers)

function parsed(body: string | null): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return null
  }
}
