import { z } from 'zod'
import { schemaErrorMap } from '../../core/index.ts'
import { checkUsage, decodeResponse } from '../../models/index.ts'
import type { ExternalResponse } from './external-response.ts'

/** The results of provider batches, a line each. What failed there has no text, and is reported as a line that cannot be used. */

const failure = z.looseObject({ message: z.string().optional() }).nullish().catch(undefined)
const body = z.looseObject({ error: failure }).nullish()

/** The response in a body, or what is `missing`: `what` happened, with the provider's own words where it has any. */
function responseOf(
  key: string,
  model: string,
  found: z.infer<typeof body>,
  what: string,
  ...errors: readonly z.infer<typeof failure>[]
): ExternalResponse {
  const decoded = found == null ? null : decodeResponse(found)
  if (decoded === null || typeof decoded === 'string') {
    const [message = decoded] = [found?.error, ...errors].flatMap((error) => error?.message ?? [])
    return { key, missing: message === null ? what : `${what}: ${message}` }
  }
  const { text, reasoning, finish, usage } = decoded
  return {
    key,
    model: decoded.model ?? model,
    text,
    reasoning,
    finish: finish ?? 'unknown',
    usage: checkUsage(usage, null).usage,
  }
}

const FAILED = 'the request failed there'

const openAi = z.looseObject({
  custom_id: z.string(),
  error: failure,
  response: z.looseObject({ body, status_code: z.number().optional() }).nullish(),
})

export function openAiLine(value: unknown): ExternalResponse {
  const { custom_id: key, response, error } = openAi.parse(value, { error: schemaErrorMap })
  const { status_code: status = 200, body: found } = response ?? {}
  const isOther = (status < 200 || status > 299) && found?.error == null
  return isOther ? { key, missing: `${FAILED}: HTTP ${status}` } : responseOf(key, 'openai', found, FAILED, error)
}

const anthropic = z.looseObject({
  custom_id: z.string(),
  result: z.looseObject({
    type: z.string(),
    error: z.looseObject({ error: failure }).nullish().catch(undefined),
    message: body,
  }),
})

export function anthropicLine(value: unknown): ExternalResponse {
  const { custom_id: key, result } = anthropic.parse(value, { error: schemaErrorMap })
  return responseOf(key, 'anthropic', result.message, `the request ${result.type} there`, result.error?.error)
}

const gemini = z.looseObject({ key: z.string(), error: failure, response: body })

export function geminiLine(value: unknown): ExternalResponse {
  const { key, response, error } = gemini.parse(value, { error: schemaErrorMap })
  return responseOf(key, 'gemini', response, FAILED, error)
}
