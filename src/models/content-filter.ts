import { z } from 'zod'
import { requestIdOf } from './failures.ts'
import type { HttpResponse } from './http.ts'
import { type ModelResponse, plainAnswer } from './model.ts'

/** Codes of servers whose filter keeps a prompt from the model. */
const CODES: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'data_inspection_failed',
  'responsibleaipolicyviolation',
])
/** Messages of those that have no code for it: OpenAI's "invalid_prompt", Anthropic, DeepSeek. */
const MESSAGES =
  /\bflagged as (?:potentially )?violating our usage policy|\bblocked by content filtering policy|^content exists risk\b/iu

const word = z.string().nullish().catch(null)
const refusal = z.looseObject({
  error: z.looseObject({
    code: word,
    type: word,
    message: z.string().catch(''),
    innererror: z.looseObject({ code: word }).nullish().catch(null),
    // OpenRouter's moderation, which comes as 403.
    metadata: z
      .looseObject({ reasons: z.array(z.string()).min(1), flagged_input: z.string() })
      .nullish()
      .catch(null),
  }),
})

/**
 * A refused answer for a prompt that a filter kept from its model; null: the body says something else. It would be filtered again, and
 * the run is not at fault. What it is billed is not said (Azure bills prompt and response: learn.microsoft.com, Azure OpenAI content
 * filtering), so the answer has no usage, and all that was reserved for the call stays booked.
 */
export function filterRefusal(value: unknown, { status, headers, body }: HttpResponse): ModelResponse | null {
  const read = refusal.safeParse(value)
  if (!read.success) return null
  const { code, type, message, innererror, metadata } = read.data.error
  const hasCode = [code, type, innererror?.code].some((one) => CODES.has(one?.toLowerCase() ?? ''))
  if (!hasCode && metadata == null && !MESSAGES.test(message)) return null
  const why = message === '' ? (code ?? type ?? '') : message
  return plainAnswer('', {
    finish: 'refused',
    refusal: `filtered: ${why.slice(0, 300)}`,
    raw: body,
    http: status,
    requestId: requestIdOf(headers),
  })
}
