import type { Json } from '../../core/index.ts'
import { writeSettings } from '../settings.ts'
import {
  type ChatRequest,
  type Codec,
  contentFault,
  failedEnd,
  finishOf,
  joined,
  listOf,
  objectOf,
  partsOf,
  stringOf,
} from './codec.ts'

/**
 * OpenAI models that reason: they take `max_completion_tokens`, a developer's message instead of the system's, and settings of the
 * sampling only where they are asked not to reason.
 */
export const isReasoningModel = (model: string): boolean =>
  /^(?:o\d+(?:-|$)|gpt-(?:[5-9]|\d{2,})(?!-chat)(?:[.-]|$))/u.test(model)

/** Removes the settings that a model which reasons refuses: those of the sampling, and stops. */
export function withoutSampling(fields: { [field: string]: Json }, ignored: string[]): void {
  for (const [field, name] of [
    ['temperature', 'temperature'],
    ['top_p', 'topP'],
    ['frequency_penalty', 'frequencyPenalty'],
    ['presence_penalty', 'presencePenalty'],
    ['stop', 'stop'],
  ] as const) {
    if (fields[field] === undefined) continue
    delete fields[field]
    ignored.push(name)
  }
}

/** OpenAI's chat completions, as `openai` itself and as other servers take them. */
function chatCompletions(dialect: 'openai' | 'openai-compatible'): Codec {
  return {
    encode({ model, messages, settings }: ChatRequest) {
      const { fields, ignored } = writeSettings(settings, dialect)
      const reasons = dialect === 'openai' && isReasoningModel(model)
      if (reasons && settings.effort !== 'none') withoutSampling(fields, ignored)
      const { max_tokens: most, ...others } = fields
      const { maxTokensField = reasons ? 'max_completion_tokens' : 'max_tokens' } = settings
      const max = most === undefined ? {} : { [maxTokensField]: most }
      const asked = messages.map(({ role, content }) => ({
        role: role === 'system' && reasons ? 'developer' : role,
        content,
      }))
      return { path: '/chat/completions', body: { model, ...max, ...others, messages: asked }, ignored }
    },
    matches: (body) => 'choices' in body,
    decode(body) {
      const [first] = listOf(body['choices'])
      if (first === undefined) return 'no choice'
      const { message, text, finish_reason: ended } = objectOf(first)
      const { content, refusal, reasoning_content, reasoning } = objectOf(message)
      const fault =
        failedEnd(ended) ??
        (isFields(message) ? (contentFault(content) ?? contentFault(text)) : 'a message that is not an object')
      if (fault !== null) return fault
      const parts = partsOf(content)
      const refused = stringOf(refusal) === '' ? null : stringOf(refusal)
      return {
        text: joined([parts.text ?? stringOf(text), refused]) ?? '',
        reasoning: stringOf(reasoning_content) ?? stringOf(reasoning) ?? parts.reasoning,
        // A refusal comes beside the content, with an ordinary end.
        finish: refused === null ? finishOf(ended) : 'refused',
      }
    },
  }
}

const isFields = (message: unknown): boolean =>
  message == null || (typeof message === 'object' && !Array.isArray(message))

export const openAiChat = chatCompletions('openai')

/** vLLM, llama.cpp, Ollama, LM Studio, OpenRouter and kin. */
export const openAiCompatible = chatCompletions('openai-compatible')
