import { type Settings, writeSettings } from '../settings.ts'
import {
  type Codec,
  contentFault,
  EFFORT_SHARE,
  failedEnd,
  finishOf,
  type JsonObject,
  listOf,
  objectOf,
  partsOf,
  refusalOf,
} from './codec.ts'

/** Gemini before 3 thinks by a budget of tokens, later ones by a level. */
const thinksByLevel = (model: string): boolean => /(?:^|\/)gemini-(?:[3-9]|\d{2,})(?!-pro-image)/iu.test(model)

/** The longest response of Gemini 2.5, in tokens. */
const MAX_OUTPUT = 65_536

interface Thinking {
  readonly config?: JsonObject
  readonly ignored: readonly string[]
  readonly effortSent?: string
}

/** How thinking is asked for. */
function thinkingOf(model: string, { effort, thinkingBudget }: Settings): Thinking {
  if (thinkingBudget !== undefined) {
    const ignored = effort === undefined ? [] : ['effort (thinkingBudget goes before it)']
    return { config: { thinkingBudget }, ignored }
  }
  if (effort === undefined) return { ignored: [] }
  if (thinksByLevel(model)) {
    const lowest = /-pro/u.test(model) ? 'low' : 'minimal'
    const level = effort === 'none' || effort === 'minimal' ? lowest : effort === 'xhigh' ? 'high' : effort
    const ignored = level === effort ? [] : [`effort (there is no "${effort}" here: sent as "${level}")`]
    return { config: { thinkingLevel: level }, ignored }
  }
  const pro = model.toLowerCase().includes('2.5-pro')
  if (effort === 'none' && !pro) return { config: { thinkingBudget: 0 }, ignored: [] }
  const share = effort === 'none' ? 0 : EFFORT_SHARE[effort]
  const [least, most] = pro ? [128, 32_768] : [0, 24_576]
  const budget = Math.min(most, Math.max(least, Math.round(MAX_OUTPUT * share)))
  return {
    config: { thinkingBudget: budget },
    ignored: [],
    effortSent: `sent as a budget of ${budget} tokens for thinking`,
  }
}

/** `generateContent` of Google. */
export const googleGenerateContent: Codec = {
  encode({ model, messages, settings }) {
    const { fields, ignored } = writeSettings(settings, 'google')
    const thinking = thinkingOf(model, settings)
    const system = messages.filter(({ role }) => role === 'system').map(({ content }) => ({ text: content }))
    const contents = messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({ role: role === 'user' ? 'user' : 'model', parts: [{ text: content }] }))
    // Gemma has no system message.
    const gemma = /^gemma-/iu.test(model)
    if (gemma && system.length > 0)
      contents[0]?.parts.unshift({ text: `${system.map(({ text }) => text).join('\n\n')}\n\n` })
    const config = { ...fields, ...(thinking.config === undefined ? {} : { thinkingConfig: thinking.config }) }
    return {
      path: `/${model.includes('/') ? model : `models/${model}`}:generateContent`,
      body: {
        generationConfig: config,
        contents,
        ...(gemma || system.length === 0 ? {} : { systemInstruction: { parts: system } }),
      },
      ignored: [...ignored, ...thinking.ignored],
      ...(thinking.effortSent === undefined ? {} : { effortSent: thinking.effortSent }),
    }
  },

  matches: (body) => ['candidates', 'promptFeedback', 'usageMetadata'].some((key) => key in body),

  decode(body) {
    const { blockReason, blockReasonMessage } = objectOf(body['promptFeedback'])
    const [candidate] = listOf(body['candidates'])
    if (candidate === undefined && blockReason === undefined) return 'no candidate, and no reason why'
    const { content, finishReason } = objectOf(candidate)
    const { parts } = objectOf(content)
    const isObject = content == null || (typeof content === 'object' && !Array.isArray(content))
    const fault = failedEnd(finishReason) ?? (isObject ? contentFault(parts) : 'content that is not an object')
    if (fault !== null) return fault
    const { text, reasoning } = partsOf(parts)
    return {
      text: text ?? '',
      reasoning,
      finish: finishOf(finishReason) ?? (blockReason === undefined ? null : 'refused'),
      ...refusalOf(blockReason, blockReasonMessage),
    }
  },
}
