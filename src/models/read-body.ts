import type { FinishReason } from '../core/index.ts'
import { type Answer, plainAnswer, type TokenUsage } from './model.ts'

type Bag = { readonly [key: string]: unknown }

const bag = (value: unknown): Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : {}
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const str = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The number that a count is, or is written as; undefined where there is none. */
function count(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    if (typeof value === 'number') return value
    if (typeof value === 'string' && /^\s{0,4}\d{1,16}\s{0,4}$/u.test(value)) return Number(value)
  }
  return undefined
}

/**
 * Reads an answer out of a body that its own protocol's reader refused: by the few places where chat protocols put
 * texts. Total and linear.
 *
 * @param mend - also bodies that are not quite JSON: with a byte order mark, with text around the object, or streamed
 *   as events though no stream was asked for.
 * @returns null where there is neither a text nor a word that it ended in one of the ways that answers end.
 */
export function readBody(body: string, mend = false): Answer | null {
  const value = parsed(body) ?? (mend ? (parsed(around(body)) ?? joinedEvents(body)) : null)
  if (value === null) return null
  const { text, finish } = textOf(value)
  const ended = finishOf(finish)
  if ((text ?? '') === '' && ended === 'unknown') return null
  return plainAnswer(text ?? '', { finish: ended, usage: usageOf(value), raw: body, http: 200 })
}

/** What a body says that its call used, though it holds no answer that can be read. Empty where it says nothing. */
export function usageIn(body: string): TokenUsage {
  const value = parsed(body) ?? parsed(around(body)) ?? joinedEvents(body)
  return value === null ? {} : usageOf(value)
}

function parsed(text: string): Bag | null {
  try {
    const value: unknown = JSON.parse(withoutNaN(text))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Bag) : null
  } catch {
    return null
  }
}

/** Servers in Python write numbers that JSON does not have: what is read here has none of them. */
const withoutNaN = (text: string): string =>
  /NaN|Infinity/u.test(text)
    ? text.replaceAll(/"(?:[^"\\]|\\.)*"?|-?(?:NaN|Infinity)/gsu, (part) => (part.startsWith('"') ? part : 'null'))
    : text

/** From the first brace to the last. */
const around = (body: string): string => body.slice(Math.max(0, body.indexOf('{')), body.lastIndexOf('}') + 1)

interface Found {
  readonly text: string | null
  readonly finish: string | null
}

function textOf(value: Bag): Found {
  const [choice] = list(value['choices'])
  if (choice !== undefined) {
    const { message, text, finish_reason } = bag(choice)
    const content = pieces(bag(message)['content']) ?? str(text)
    return { text: content, finish: str(finish_reason) }
  }
  const [candidate] = list(value['candidates'])
  if (candidate !== undefined) {
    const content = pieces(bag(bag(candidate)['content'])['parts'])
    return { text: content, finish: str(bag(candidate)['finishReason']) }
  }
  const content = pieces(value['content'])
  if (content !== null || 'stop_reason' in value) return { text: content, finish: str(value['stop_reason']) }
  const output = list(value['output']).flatMap((part) => pieces(bag(part)['content']) ?? [])
  return { text: output.join(''), finish: value['object'] === 'response' ? str(value['status']) : null }
}

/** A text, or a list of parts with texts; what was thought is none of it. */
function pieces(value: unknown): string | null {
  if (typeof value === 'string') return value
  const texts = list(value).flatMap((part) => (bag(part)['thought'] === true ? [] : (str(bag(part)['text']) ?? [])))
  return texts.length === 0 ? null : texts.join('')
}

function finishOf(reason: string | null): FinishReason {
  if (reason === null) return 'unknown'
  if (/^(?:stop|end_turn|stop_sequence|completed)$/iu.test(reason)) return 'stop'
  if (/^(?:length|max_tokens|incomplete|model_context_window_exceeded)$/iu.test(reason)) return 'truncated'
  return /^(?:content_filter|refusal|safety)$/iu.test(reason) ? 'refused' : 'unknown'
}

function usageOf(value: Bag): TokenUsage {
  const usage = bag(value['usage'] ?? value['usageMetadata'])
  const inputTokens = count(usage['prompt_tokens'], usage['input_tokens'], usage['promptTokenCount'])
  const written = count(usage['completion_tokens'], usage['output_tokens'], usage['candidatesTokenCount'])
  const thought = count(usage['thoughtsTokenCount'])
  const outputTokens = written === undefined ? undefined : written + (thought ?? 0)
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}

/** The texts of a stream of events put together as the one answer they are parts of. */
function joinedEvents(body: string): Bag | null {
  let content = ''
  let finish: string | null = null
  let usage: unknown
  for (const line of body.split('\n')) {
    if (!line.startsWith('data:')) continue
    const event = parsed(line.slice(5))
    if (event === null) continue
    const [choice] = list(event['choices'])
    const { delta, finish_reason } = bag(choice)
    content += str(bag(delta)['content']) ?? str(bag(event['delta'])['text']) ?? ''
    finish = str(finish_reason) ?? str(bag(event['delta'])['stop_reason']) ?? finish
    usage = event['usage'] ?? usage
  }
  return content === '' && usage === undefined
    ? null
    : { choices: [{ message: { content }, finish_reason: finish }], usage }
}
