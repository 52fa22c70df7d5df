import type { Message } from '../core/index.ts'
import { type ChatRequest, decodeResponse, type EncodedRequest, faultOf, parseBody } from './codecs/index.ts'
import { filterRefusal } from './content-filter.ts'
import { allowanceOf, bodyStart, httpFailure, requestIdOf } from './failures.ts'
import { type HttpResponse, keptPart } from './http.ts'
import { type Failure, failure, type ModelReply, type ModelResponse, plainAnswer } from './model.ts'
import { promptCut } from './prompt-cut.ts'

/**
 * What a response of HTTP says: an answer, or why there is none. What comes with a status of success and holds no response (an error in
 * its place, work that failed or goes on) is a failure: as an empty answer it would count as the model's own. Total.
 */
export function readReply(request: ChatRequest, sent: EncodedRequest, response: HttpResponse): ModelReply {
  const { status, headers, body } = response
  const value = parseBody(body)
  const filtered = filterRefusal(value, response)
  if (filtered !== null) return filtered
  if (status < 200 || status > 299) return httpFailure(status, body, headers)
  const found = value === null ? notJson(body) : readSuccess(value, response)
  if (found.kind === 'failure') return { ...found, http: status, body: keptPart(body) }
  const allowance = allowanceOf(headers)
  const cut = value === null || found.finish === 'refused' ? null : promptCut(request.messages, value)
  if (cut !== null)
    return failure('prompt-cut', cut, 'never', { http: status, requestId: requestIdOf(headers), body: keptPart(body) })
  const { effort: _, ...answer } = found
  return {
    ...answer,
    raw: body,
    http: status,
    requestId: requestIdOf(headers) ?? answer.requestId,
    ignored: [...sent.ignored, ...ignoredEffort(request, sent, found)],
    ...(allowance === null ? {} : { allowance }),
  }
}

/** What became of the effort that was asked for, by what the server did: what it obeyed is not ignored. */
function ignoredEffort(
  { settings: { effort, thinkingBudget, body } }: ChatRequest,
  { effortSent }: EncodedRequest,
  { effort: reported, reasoning, usage }: ModelResponse & { readonly effort?: string },
): readonly string[] {
  if (effort !== undefined && reported !== undefined)
    return reported === effort ? [] : [`effort (asked as "${effort}", the server says "${reported}")`]
  const hasReasoned = reasoning !== null || (usage.reasoningTokens ?? 0) > 0
  const forbids =
    thinkingBudget === 0
      ? 'thinkingBudget'
      : effort === 'none' && thinkingBudget === undefined
        ? 'effort'
        : body !== undefined && forbidsReasoning(body)
          ? 'body'
          : null
  if (forbids !== null && hasReasoned) return [`${forbids} (asked not to reason, and the model did)`]
  return effortSent === undefined || hasReasoned ? [] : [`effort (${effortSent})`]
}

/** Fields by which servers are asked not to reason. */
const forbidsReasoning = (body: object): boolean =>
  Object.entries(body).some(([field, value]) =>
    field === 'enable_thinking' || field === 'thinking'
      ? value === false || (typeof value === 'object' && value?.type === 'disabled')
      : typeof value === 'object' && value !== null && !Array.isArray(value) && forbidsReasoning(value),
  )

/** It was paid for, and would be no JSON again. */
function notJson(body: string): Failure {
  let why = 'not a JSON object'
  try {
    JSON.parse(body)
  } catch (error) {
    why = error instanceof Error ? error.message : String(error)
  }
  return failure('bad-body', `the body cannot be read: ${why}; what came: ${bodyStart(body)}`, 'once')
}

function readSuccess(
  value: NonNullable<ReturnType<typeof parseBody>>,
  { status, headers, body }: HttpResponse,
): (ModelResponse & { readonly effort?: string }) | Failure {
  const none = (why: string): Failure => failure('bad-body', `HTTP ${status} with ${why}: ${bodyStart(body)}`, 'again')
  const fault = faultOf(value)
  if (fault?.status != null)
    return {
      ...httpFailure(fault.status, body, headers),
      message: `HTTP ${status} with an error of ${fault.status}: ${bodyStart(body)}`,
    }
  if (fault !== null) return none('an error')
  const decoded = decodeResponse(value)
  if (typeof decoded === 'string') return none(decoded)
  const { text, reasoning, finish, refusal, effort, usage, id } = decoded
  // Where an end is given, an empty response is the model's own.
  if (finish === null && text === '' && reasoning === null) return none('neither a text nor an end')
  return {
    ...plainAnswer(text, { finish: finish ?? 'unknown', reasoning, usage, requestId: id }),
    ...(refusal === undefined || finish !== 'refused' ? {} : { refusal }),
    ...(effort === undefined ? {} : { effort }),
  }
}

/**
 * Reads an answer out of a kept body of whatever format.
 *
 * @param mend - also of one that is not quite JSON.
 * @param messages - the prompt, where it is known: a server that read only a part of it gave no answer.
 * @returns null where there is neither a text nor one of the usual ends of a response.
 */
export function readBody(body: string, mend = false, messages: readonly Message[] = []): ModelResponse | null {
  const value = parseBody(body, mend)
  if (value === null || promptCut(messages, value) !== null) return null
  const decoded = decodeResponse(value)
  if (typeof decoded === 'string') return null
  const { text, reasoning, usage } = decoded
  const finish = decoded.finish ?? 'unknown'
  if (text === '' && finish === 'unknown') return null
  return plainAnswer(text, { finish, reasoning, usage, raw: body, http: 200 })
}
