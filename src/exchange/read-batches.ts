import { z } from 'zod'
import type { Finish } from '../core/index.ts'
import type { Foreign } from './foreign.ts'

/** The results of provider batches, a line each. What failed there has no text, and is told as a line that cannot be used. */

const count = z.int().min(0).optional().catch(undefined)

const openAi = z.looseObject({
  custom_id: z.string(),
  response: z
    .looseObject({
      body: z.looseObject({
        model: z.string().optional(),
        choices: z
          .array(
            z.looseObject({
              finish_reason: z.string().nullish(),
              message: z.looseObject({ content: z.string().nullish(), refusal: z.string().nullish() }),
            }),
          )
          .min(1),
        usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish(),
      }),
    })
    .nullish(),
})

const OPENAI_FINISH: { readonly [reason: string]: Finish } = {
  stop: 'stop',
  length: 'truncated',
  content_filter: 'refused',
}

export function openAiLine(value: unknown): Foreign {
  const { custom_id: key, response } = openAi.parse(value)
  if (response == null) return { key, missing: 'the request failed there' }
  const { model, choices, usage } = response.body
  const [choice] = choices
  const { content, refusal } = choice?.message ?? {}
  const finish = refusal == null ? known(OPENAI_FINISH, choice?.finish_reason) : 'refused'
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

const ANTHROPIC_FINISH: { readonly [reason: string]: Finish } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'truncated',
  refusal: 'refused',
}

export function anthropicLine(value: unknown): Foreign {
  const { custom_id: key, result } = anthropic.parse(value)
  const { message } = result
  if (message === undefined) return { key, missing: `the request ${result.type} there` }
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
  response: z
    .looseObject({
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

const GEMINI_FINISH: { readonly [reason: string]: Finish } = {
  STOP: 'stop',
  MAX_TOKENS: 'truncated',
  SAFETY: 'refused',
  PROHIBITED_CONTENT: 'refused',
  RECITATION: 'refused',
}

export function geminiLine(value: unknown): Foreign {
  const { key, response } = gemini.parse(value)
  if (response == null) return { key, missing: 'the request failed there' }
  const [candidate] = response.candidates ?? []
  const parts = candidate?.content?.parts ?? []
  const thoughts = parts.flatMap((part) => (part.thought === true ? (part.text ?? []) : [])).join('')
  const usage = response.usageMetadata
  return {
    key,
    model: response.modelVersion ?? 'gemini',
    text: parts.flatMap((part) => (part.thought === true ? [] : (part.text ?? []))).join(''),
    // No candidate: the prompt was blocked.
    finish: candidate === undefined ? 'refused' : known(GEMINI_FINISH, candidate.finishReason),
    reasoning: thoughts === '' ? null : thoughts,
    usage: {
      inputTokens: usage?.promptTokenCount,
      outputTokens: usage?.candidatesTokenCount,
      reasoningTokens: usage?.thoughtsTokenCount,
    },
  }
}

const known = (finishes: { readonly [reason: string]: Finish }, reason: string | null | undefined): Finish =>
  reason != null && Object.hasOwn(finishes, reason) ? (finishes[reason] ?? 'unknown') : 'unknown'
