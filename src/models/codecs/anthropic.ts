import type { Message } from '../../core/index.ts'
import { type Settings, writeSettings } from '../settings.ts'
import {
  type Codec,
  contentFault,
  EFFORT_SHARE,
  failedEnd,
  finishOf,
  type JsonObject,
  objectOf,
  partsOf,
  refusalOf,
} from './codec.ts'

/** Claude up to 4.5 thinks by a budget of tokens; later ones think as much as they need, by an effort. */
const thinksByBudget = (model: string): boolean =>
  !model.includes('claude-') ||
  /claude-(?:instant|v?[23](?=$|[-.:])|(?:opus|sonnet|haiku)-4(?:-[015](?!\d)|-20|@|$))/u.test(model)

/** Claude after 4.6 refuses settings of the sampling. */
const takesSampling = (model: string): boolean => thinksByBudget(model) || /claude-(?:opus|sonnet)-4-6/u.test(model)

/** The maximum number of output tokens where none is set: this format demands one. */
function defaultMaximum(model: string): number {
  if (!thinksByBudget(model)) return 128_000
  if (/-4-5|sonnet-4/u.test(model)) return 64_000
  return model.includes('opus-4') ? 32_000 : 4096
}

/** The smallest budget that the server takes. */
const MIN_BUDGET = 1024

interface Thinking {
  readonly fields: JsonObject
  readonly on: boolean
  readonly ignored: readonly string[]
  readonly effortSent?: string
}

const byBudget = (budget: number): JsonObject => ({ thinking: { type: 'enabled', budget_tokens: budget } })

/** How thinking is asked for. */
function thinkingOf(model: string, { effort, thinkingBudget }: Settings, maximum: number): Thinking {
  if (thinkingBudget !== undefined) {
    const ignored = effort === undefined ? [] : ['effort (thinkingBudget goes before it)']
    return thinkingBudget === 0
      ? { fields: { thinking: { type: 'disabled' } }, on: false, ignored }
      : { fields: byBudget(thinkingBudget), on: true, ignored }
  }
  if (effort === undefined) return { fields: {}, on: false, ignored: [] }
  if (effort === 'none') return { fields: { thinking: { type: 'disabled' } }, on: false, ignored: [] }
  if (thinksByBudget(model)) {
    const budget = Math.max(MIN_BUDGET, Math.round(maximum * EFFORT_SHARE[effort]))
    return {
      fields: byBudget(budget),
      on: true,
      ignored: [],
      effortSent: `sent as a budget of ${budget} tokens for thinking`,
    }
  }
  const sent = effort === 'minimal' ? 'low' : effort
  return {
    fields: { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: sent } },
    on: true,
    ignored: sent === effort ? [] : [`effort (there is no "${effort}" here: sent as "${sent}")`],
  }
}

/** Settings of the sampling by their field: what is refused where the model thinks, or at all. */
const SAMPLING = { temperature: 'temperature', top_p: 'topP', top_k: 'topK' } as const

/** The beginning of an answer is its last message: the server refuses blanks at its end. */
const textsOf = (messages: readonly Message[]) =>
  messages.map(({ role, content }, i) => ({
    role,
    content: [{ type: 'text', text: role === 'assistant' && i === messages.length - 1 ? content.trimEnd() : content }],
  }))

/** Messages of Anthropic. */
export const anthropicMessages: Codec = {
  encode({ model, messages, settings }) {
    const { fields, ignored } = writeSettings(settings, 'anthropic')
    const maximum = settings.maxTokens ?? defaultMaximum(model)
    const thinking = thinkingOf(model, settings, maximum)
    const { temperature = 0, topP } = settings
    for (const [field, name] of Object.entries(SAMPLING))
      if (fields[field] !== undefined && (thinking.on || !takesSampling(model))) {
        delete fields[field]
        ignored.push(name)
      }
    if (temperature > 1 && fields['temperature'] !== undefined) {
      fields['temperature'] = 1
      ignored.push('temperature (sent as 1, the maximum here)')
    }
    if (model.includes('claude-') && fields['temperature'] !== undefined && topP !== undefined) {
      delete fields['top_p']
      ignored.push('topP')
    }
    const system = messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => ({ type: 'text', text: content }))
    return {
      path: '/messages',
      body: {
        model,
        ...fields,
        max_tokens: maximum,
        ...thinking.fields,
        ...(system.length === 0 ? {} : { system }),
        messages: textsOf(messages.filter(({ role }) => role !== 'system')),
      },
      ignored: [...ignored, ...thinking.ignored],
      ...(thinking.effortSent === undefined ? {} : { effortSent: thinking.effortSent }),
    }
  },

  matches: (body) => 'content' in body || 'stop_reason' in body,

  decode(body) {
    const fault = failedEnd(body['stop_reason']) ?? contentFault(body['content'])
    if (fault !== null) return fault
    const { text, reasoning } = partsOf(body['content'])
    const { category, explanation } = objectOf(body['stop_details'])
    return { text: text ?? '', reasoning, finish: finishOf(body['stop_reason']), ...refusalOf(category, explanation) }
  },
}
