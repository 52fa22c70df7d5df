import { z } from 'zod'
import type { HeaderMap } from './failures.ts'
import { type Answer, plainAnswer } from './model.ts'
import { written } from './written.ts'

/** What servers call it where a filter of theirs keeps a prompt from the model. */
const CODES: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'data_inspection_failed',
  'responsibleaipolicyviolation',
])
/** The same of those that have no code for it: OpenAI's "invalid_prompt", Anthropic, DeepSeek. */
const WORDS =
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
 * A prompt that never reached its model: it would be filtered again, and was no fault of the run. What it is billed the
 * server does not say (Azure bills prompt and answer: learn.microsoft.com, Azure OpenAI content filtering), so that
 * nothing is said of what it used, and all that was set aside for it stays booked. null: the body says something else.
 */
export function filteredAnswer(body: unknown, http: number, headers: HeaderMap): Answer | null {
  const read = refusal.safeParse(body)
  if (!read.success) return null
  const { code, type, message, innererror, metadata } = read.data.error
  const coded = [code, type, innererror?.code].some((one) => CODES.has(one?.toLowerCase() ?? ''))
  if (!coded && metadata == null && !WORDS.test(message)) return null
  const why = message === '' ? (code ?? type ?? '') : message
  return plainAnswer('', {
    finish: 'refused',
    refusal: `filtered: ${why.slice(0, 300)}`,
    raw: written(body),
    http,
    requestId: headers['x-request-id'] ?? headers['request-id'] ?? null,
  })
}

const reasons = z
  .looseObject({
    promptFeedback: z.looseObject({ blockReason: word, blockReasonMessage: word }).nullish().catch(null),
    stop_details: z.looseObject({ category: word, explanation: word }).nullish().catch(null),
  })
  .catch({})

/** Why a provider says that it refused an answer of status 200; undefined: it does not say, or in the text. */
export function reasonOf(body: unknown): string | undefined {
  const { promptFeedback, stop_details: stopped } = reasons.parse(body)
  const words = [
    promptFeedback?.blockReason,
    promptFeedback?.blockReasonMessage,
    stopped?.category,
    stopped?.explanation,
  ].filter((part) => typeof part === 'string' && part !== '')
  return words.length === 0 ? undefined : words.join(': ').slice(0, 300)
}
