import { z } from 'zod'
import { type FinishReason, schemaErrorMap } from '../../core/index.ts'
import type { ExternalResponse } from './external-response.ts'

/** The results of provider batches, a line each. What failed there has no text, and is told as a line that cannot be used. */

const count = z.int().min(0).optional().catch(undefined)

const failure = z.looseObject({ message: z.string().optional() }).nullish().catch(undefined)

/** Why there is no answer, in the words of the provider where it has any. */
const failed = (...errors: readonly z.infer<typeof failure>[]): string => {
  const [message] = errors.flatMap((error) => error?.message ?? [])
  return `the request failed there${message === undefined ? '' : `: ${message}`}`
}

const openAi = z.looseObject({
  custom_id: z.string(),
  error: failure,
  response: z
    .looseObject({
      body: z.looseObject({
        error: failure,
        model: z.string().optional(),
        choices: z
          .array(
            z.looseObject({
              finish_reason: z.string().nullish(),
              message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
            }),
          )
          .optional(),
        usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish(),
      }),
    })
    .nullish(),
})

const OPENAI_FINISH: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  length: 'truncated',
  content_filter: 'refused',
}

export function openAiLine(value: unknown): ExternalResponse {
  const { custom_id: key, response, error } = openAi.parse(value, { error: schemaErrorMap })
  const { model, choices = [], usage, error: inner } = response?.body ?? {}
  const [choice] = choices
  if (choice === undefined) return { key, missing: failed(inner, error) }
  const { content, refusal } = choice.message
  const finish = refusal == null ? known(OPENAI_FINISH, choice.finish_reason) : 'refused'
  return {
    key,
    model: model ?? 'openai',
    text: content ?? refusal ?? '',
    finish,
    usage: { inputTokens: usage?.prompt_tokens, outputTokens: usage?.completion_tokens },
  }
}

const anthropic = z.looseObject({
  custom_id: z.string(),
  result: z.looseObject({
    type: z.string(),
    error: z.looseObject({ error: failure }).nullish().catch(undefined),
    message: z
      .looseObject({
        model: z.string(),
        content: z.array(
          z.looseObject({ type: z.string(), text: z.string().optional(), thinking: z.string().optional() }),
        ),
        stop_reason: z.string().nullish(),
        usage: z.looseObject({ input_tokens: count, output_tokens: count }).nullish(),
      })
      .optional(),
  }),
})

const ANTHROPIC_FINISH: { readonly [reason: string]: FinishReason } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'truncated',
  model_context_window_exceeded: 'truncated',
  refusal: 'refused',
}

export function anthropicLine(value: unknown): ExternalResponse {
  const { custom_id: key, result } = anthropic.parse(value, { error: schemaErrorMap })
  const { message } = result
  if (message === undefined) {
    const why = result.error?.error?.message
    return { key, missing: `the request ${result.type} there${why === undefined ? '' : `: ${why}`}` }
  }
  const { model, content, stop_reason: reason, usage } = message
  const thinking = content.flatMap((part) => part.thinking ?? []).join('\n')
  return {
    key,
    model,
    text: content.flatMap((part) => (part.type === 'text' ? (part.text ?? []) : [])).join(''),
    finish: known(ANTHROPIC_FINISH, reason),
    reasoning: thinking === '' ? null : thinking,
    usage: { inputTokens: usage?.input_tokens, outputTokens: usage?.output_tokens },
  }
}

const gemini = z.looseObject({
  key: z.string(),
  error: failure,
  response: z
    .looseObject({
      promptFeedback: z.looseObject({ blockReason: z.string().optional() }).nullish(),
      modelVersion: z.string().optional(),
      candidates: z
        .array(
          z.looseObject({
            finishReason: z.string().nullish(),
            content: z
              .looseObject({
                parts: z
                  .array(z.looseObject({ text: z.string().optional(), thought: z.boolean().optional() }))
                  .optional(),
              })
              .optional(),
          }),
        )
        .optional(),
      usageMetadata: z
        .looseObject({ promptTokenCount: count, candidatesTokenCount: count, thoughtsTokenCount: count })
        .nullish(),
    })
    .nullish(),
})

const GEMINI_FINISH: { readonly [reason: string]: FinishReason } = {
  STOP: 'stop',
  MAX_TOKENS: 'truncated',
  SAFETY: 'refused',
  PROHIBITED_CONTENT: 'refused',
  RECITATION: 'refused',
  BLOCKLIST: 'refused',
  SPII: 'refused',
}

export function geminiLine(value: unknown): ExternalResponse {
  const { key, response, error } = gemini.parse(value, { error: schemaErrorMap })
  const [candidate] = response?.candidates ?? []
  const blocked = response?.promptFeedback?.blockReason !== undefined
  if (response == null || (candidate === undefined && !blocked)) return { key, missing: failed(error) }
  const parts = candidate?.content?.parts ?? []
  const thoughts = parts.flatMap((part) => (part.thought === true ? (part.text ?? []) : [])).join('')
  const usage = response.usageMetadata
  return {
    key,
    model: response.modelVersion ?? 'gemini',
    text: parts.flatMap((part) => (part.thought === true ? [] : (part.text ?? []))).join(''),
    finish: candidate === undefined ? 'refused' : known(GEMINI_FINISH, candidate.finishReason),
    reasoning: thoughts === '' ? null : thoughts,
    usage: {
      inputTokens: usage?.promptTokenCount,
      outputTokens: usage?.candidatesTokenCount,
      reasoningTokens: usage?.thoughtsTokenCount,
    },
  }
}

const known = (
  finishes: { readonly [reason: string]: FinishReason },
  reason: string | null | undefined,
): FinishReason => (reason != null && Object.hasOwn(finishes, reason) ? (finishes[reason] ?? 'unknown') : 'unknown')
