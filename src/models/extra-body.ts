import { z } from 'zod'
import type { Json, JsonObject } from '../core/index.ts'
import { isSecretName } from './secret-names.ts'

/** Fields that a run writes itself, and what says the same. */
const OWN: { readonly [field: string]: string } = {
  ...Object.fromEntries(
    ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'max_new_tokens', 'n_predict'].map(
      (field) => [field, 'write the setting maxTokens, which cost limits rest on'],
    ),
  ),
  ...Object.fromEntries(
    ['n', 'best_of', 'candidateCount', 'candidate_count'].map((field) => [field, 'write "samples" beside the model']),
  ),
  ...Object.fromEntries(
    ['messages', 'input', 'contents', 'prompt', 'system', 'systemInstruction', 'system_instruction'].map((field) => [
      field,
      'the question is written by the run',
    ]),
  ),
  model: 'the model is part of provider:model',
  stream: 'responses are read whole',
  extra_body: 'write its contents under body',
}

/** The deepest nesting of a setting: a file may be hostile. */
const MAX_DEPTH = 16

const isJson = (value: unknown, depth = 0): value is Json => {
  if (typeof value !== 'object' || value === null)
    return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
  return depth < MAX_DEPTH && Object.values(value).every((inner) => isJson(inner, depth + 1))
}

/** The value of a setting, whatever its name. */
export const settingValue = z.custom<Json>(
  (value) => isJson(value),
  `expected JSON that is at most ${MAX_DEPTH} levels deep`,
)

/** Where Google takes settings. */
const CONFIGS = ['generationConfig', 'generation_config']

/** Fields that a server has beyond the settings: `chat_template_kwargs`, `min_p`, `provider`, ... */
export const bodySchema: z.ZodType<JsonObject> = z.record(z.string(), settingValue).superRefine((body, context) => {
  const fields = [...Object.keys(body), ...CONFIGS.flatMap((config) => Object.keys(objectIn(body, config)))]
  for (const field of fields)
    if (Object.hasOwn(OWN, field)) context.addIssue(`body: "${field}" cannot stand here: ${OWN[field]}`)
  for (const field of secretFields(body))
    context.addIssue(`body: "${field}" holds a secret, which would be recorded: send it as a header, with \${VARIABLE}`)
})

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const objectIn = (body: JsonObject, field: string): JsonObject => {
  const value = body[field]
  return isObject(value) ? value : {}
}

const secretFields = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([field, inner]) =>
        typeof inner === 'string' ? (isSecretName(field) ? [field] : []) : secretFields(inner),
      )

/** A body with further fields: objects are merged, everything else is replaced. */
export function mergedBody<T extends { readonly [field: string]: unknown }>(body: T, more: object): T {
  const merged: { [field: string]: unknown } = { ...body }
  for (const [field, value] of Object.entries(more)) {
    const before = merged[field]
    merged[field] = isObject(before) && isObject(value) ? mergedBody(before, value) : value
  }
  return merged as T
}
