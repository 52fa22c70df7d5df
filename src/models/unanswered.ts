import { errorOf } from './error-body.ts'
import { bodyStart, type HeaderMap, httpFailure } from './failures.ts'
import { type Failure, failure } from './model.ts'
import { written } from './written.ts'

type Bag = { readonly [key: string]: unknown }
const bag = (value: unknown): Bag => (typeof value === 'object' && value !== null ? (value as Bag) : {})

/**
 * Why there is no answer in a body that came with a status of success: an error in its place or of its one choice, work
 * that failed or goes on, no candidate and no word why. Read as an answer it would be an empty one, and the model's own.
 * null: nothing speaks against an answer.
 */
export function unanswered(body: unknown, headers: HeaderMap): Failure | null {
  const fault = errorOf(body) ?? errorOf(firstOf(bag(body)['choices']))
  const came = bodyStart(written(body))
  if (fault?.status !== undefined && fault.status !== null)
    return {
      ...httpFailure(fault.status, came, headers),
      message: `HTTP 200 with an error of ${fault.status}: ${came}`,
      http: 200,
    }
  const why = fault === null ? (unfinished(bag(body)) ?? misplaced(body)) : 'an error'
  return why === null ? null : failure('bad-body', `HTTP 200 with ${why}: ${came}`, 'again', { http: 200 })
}

function unfinished({ object, status, choices, candidates, promptFeedback, usageMetadata }: Bag): string | null {
  const { finish_reason: ended } = bag(firstOf(choices))
  if (ended === 'error') return 'a choice that ended in an error'
  // vLLM and SGLang, where the server stopped in the middle.
  if (ended === 'abort') return 'a choice that was broken off'
  // The Responses route; "incomplete" is an answer that was cut.
  if (object === 'response' && typeof status === 'string' && !['completed', 'incomplete'].includes(status))
    return `a response that is ${status}`
  if (firstOf(candidates) === undefined && (Array.isArray(candidates) || usageMetadata !== undefined))
    return bag(promptFeedback)['blockReason'] === undefined ? 'no candidate, and no reason why' : null
  return null
}

/** Where the protocols have their answers, or say that there is none. */
const PLACES = ['choices', 'candidates', 'output', 'content', 'promptFeedback']

const misplaced = (body: unknown): string | null =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && !PLACES.some((place) => place in body)
    ? 'nothing where an answer would be'
    : null

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? (list[0] as unknown) : undefined)
