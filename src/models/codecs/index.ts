import { isObject, jsonOrNull, withoutNaN } from '../../core/index.ts'
import { type ErrorBody, errorOf } from '../error-body.ts'
import { mergedBody } from '../extra-body.ts'
import type { TokenUsage } from '../model.ts'
import { anthropicMessages } from './anthropic.ts'
import {
  type ChatRequest,
  type Codec,
  type DecodedAnswer,
  type EncodedRequest,
  type JsonObject,
  listOf,
  objectOf,
  readUsage,
  stringOf,
} from './codec.ts'
import { googleGenerateContent } from './google.ts'
import { openAiChat, openAiCompatible } from './openai-chat.ts'
import { openAiResponses } from './openai-responses.ts'

export type { ChatRequest, Codec, EncodedRequest } from './codec.ts'
export { readUsage } from './codec.ts'
export { anthropicMessages, googleGenerateContent, openAiChat, openAiCompatible, openAiResponses }

/** A request in a wire format, with the further fields of its body that its settings give. */
export function encodeRequest(codec: Codec, request: ChatRequest): EncodedRequest {
  const encoded = codec.encode(request)
  return { ...encoded, body: mergedBody(encoded.body, request.settings.body ?? {}) }
}

/** In the order in which a body is tried. */
const codecs: readonly Codec[] = [openAiChat, openAiResponses, googleGenerateContent, anthropicMessages]

/** The error in the place of a response, or beside it; null: there is none. */
export const faultOf = (body: JsonObject): ErrorBody | null => errorOf(body) ?? errorOf(listOf(body['choices'])[0])

/** All that a body says of a response. */
export interface DecodedResponse extends DecodedAnswer {
  readonly usage: TokenUsage
  /** The model by its server's name; null: it does not say. */
  readonly model: string | null
  readonly id: string | null
}

/**
 * The response in a body of whatever format: servers that speak one answer in another now and then, and files of batches do not say
 * theirs. A string: why there is none.
 */
export function decodeResponse(body: JsonObject): DecodedResponse | string {
  const error = faultOf(body)
  if (error !== null) return error.words
  const codec = codecs.find((one) => one.matches(body))
  if (codec === undefined) return 'nothing where a response would be'
  const answer = codec.decode(body)
  if (typeof answer === 'string') return answer
  const reasoning = answer.reasoning === '' ? null : answer.reasoning
  return {
    ...answer,
    reasoning,
    usage: possibleUsage(readUsage(body), answer.text !== '' || reasoning !== null),
    model: stringOf(body['model']) ?? stringOf(body['modelVersion']),
    id: stringOf(body['id']) ?? stringOf(body['responseId']),
  }
}

/** A question has tokens, and so has what was written: a count of 0 there was not counted. */
function possibleUsage({ inputTokens, outputTokens, ...usage }: TokenUsage, wrote: boolean): TokenUsage {
  return {
    ...(inputTokens === undefined || inputTokens === 0 ? {} : { inputTokens }),
    ...(outputTokens === undefined || (wrote && outputTokens === 0) ? {} : { outputTokens }),
    ...usage,
  }
}

/**
 * The JSON object of a body; null: it is none.
 *
 * @param mend - also of bodies that are not quite JSON: with a byte order mark, with text around the object, or streamed as events
 *   though no stream was asked for.
 */
export function parseBody(body: string, mend = false): JsonObject | null {
  const found = jsonObject(body)
  return found !== null || !mend ? found : (jsonObject(fromFirstToLastBrace(body)) ?? joinedEvents(body))
}

/** The tokens that a body says were used, though it may hold no response. Empty where it does not say. */
export function usageIn(body: string): TokenUsage {
  const value = parseBody(body, true)
  return value === null ? {} : readUsage(value)
}

function jsonObject(text: string): JsonObject | null {
  const value = jsonOrNull(withoutNaN(text))
  return isObject(value) ? value : null
}

const fromFirstToLastBrace = (body: string): string =>
  body.slice(Math.max(0, body.indexOf('{')), body.lastIndexOf('}') + 1)

/** A stream of events as the one chat completion that they are parts of; null: it broke off, or holds none. */
function joinedEvents(body: string): JsonObject | null {
  let content = ''
  let finish: string | null = null
  let usage: unknown
  for (const line of body.split('\n')) {
    if (/^event:\s{0,9}error\b/u.test(line)) return null
    const event = line.startsWith('data:') ? jsonObject(line.slice(5)) : null
    if (event === null) continue
    if (event['error'] != null || event['type'] === 'error') return null
    const choice = objectOf(listOf(event['choices'])[0])
    const { delta, finish_reason } = choice
    const own = objectOf(event['delta'])
    const piece = objectOf(delta)['content'] ?? own['text'] ?? ''
    if (choice['error'] != null || typeof piece !== 'string') return null
    content += piece
    finish = stringOf(finish_reason) ?? stringOf(own['stop_reason']) ?? finish
    usage = event['usage'] ?? usage
  }
  if (finish === null) return null
  return { choices: [{ message: { content }, finish_reason: finish }], usage }
}
