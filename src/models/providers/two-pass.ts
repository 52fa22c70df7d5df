import type { Message } from '../../core/index.ts'
import { usageIn } from '../codecs/index.ts'
import { type Failure, failure, type Model, type ModelResponse, plainMaximum, type TokenUsage } from '../model.ts'
import { costsMoney, factsOf, type ModelFacts, needsOf, openModel, type Provider } from '../provider.ts'
import type { Settings } from '../settings.ts'

/** Who says that the reasoning is over: the model, as the beginning of its response, or the user. */
type Voice = 'assistant' | 'user'

/** The sentence of the authors of PBEBench, word for word (appendix E.3). */
const EARLY_STOP =
  'Considering the thinking token budget, I will not generate any more reasoning tokens, and provide the final answer. \n'
/** The same, put to the model by the one who asks. */
const STOP_NOW =
  'Your budget of tokens for thinking is used up. Do not reason any further, and give only the final answer, in the format that was asked for.'

/**
 * A model whose thinking is cut at a budget: the first call may bring `thinkingBudget` tokens, and where it ends in the middle of a thought
 * a second call, with the thought and an instruction to stop behind the question, may bring `maxTokens` more.
 */
const twoPass = (name: string, voice: Voice, summary: string): Provider => ({
  name,
  argument: 'PROVIDER:MODEL',
  summary,
  needs: needsOf,
  rewrites: true,
  costs: costsMoney,
  facts: (argument, providers) => twice(factsOf(argument, providers)),
  open: async (argument, options, around, providers) =>
    twoPassModel(name, voice, await openModel(argument, options, providers, around)),
})

export const twoPassProviders: readonly Provider[] = [
  twoPass('two-pass', 'assistant', 'a model whose thinking stops at thinkingBudget; a second call asks for the answer'),
  twoPass(
    'two-pass-user',
    'user',
    'as two-pass, but that the second call asks for the answer in the voice of the user',
  ),
]

/** The settings of both calls. Neither contains the budget, which is enforced by truncation. */
function settingsOf({ thinkingBudget, ...answering }: Settings): {
  readonly thinking: Settings
  readonly answering: Settings
} {
  return {
    thinking: { ...answering, ...(thinkingBudget === undefined ? {} : { maxTokens: thinkingBudget }) },
    answering,
  }
}

/** Token limits of both calls together. */
function twice(inner: ModelFacts): ModelFacts {
  const most = (settings: Settings): number | null => (inner.maxOutput ?? plainMaximum)(settings)
  return {
    kind: 'chat',
    remote: inner.remote ?? false,
    maxOutput(settings) {
      const { thinking, answering } = settingsOf(settings)
      const [first, second] = [most(thinking), most(answering)]
      return first === null || second === null ? null : first + second
    },
    // The question twice, and the thought: another tokenizer may be at work on its way back.
    maxInput: (input, { thinkingBudget = 0 }) => 2 * input + 2 * thinkingBudget,
  }
}

function twoPassModel(name: string, voice: Voice, inner: Model): Model {
  const { close, check } = inner
  /** Reasoning that is paid for, while its second call is retried. */
  const thoughts = new Map<string, ModelResponse>()
  return {
    ...twice(inner),
    name: `${name}:${inner.name}`,
    route: inner.route,
    concurrency: inner.concurrency,
    isLocal: inner.isLocal ?? false,
    reusesContext: inner.reusesContext,
    ...(check === undefined ? {} : { check: (task) => check.call(inner, task) }),
    async call(call, signal) {
      if ((call.settings.thinkingBudget ?? 0) < 1 || call.request.kind !== 'chat')
        return failure(
          'not-supported',
          `${name}: cuts the thinking of a chat at a budget, and none is set: thinkingBudget, of 1 or more, in the settings of the model in an experiment`,
          'never',
          { boundary: 'runner', free: true },
        )
      const { thinking, answering } = settingsOf(call.settings)
      const question = JSON.stringify([call.item, call.style, call.sample, call.settings])
      const kept = thoughts.get(question)
      const first = kept ?? (await inner.call({ ...call, settings: thinking }, signal))
      if (first.kind === 'failure') return first
      const ignored = [...first.ignored, ...notKept(first, call.settings.thinkingBudget)]
      if (!isThinking(first)) return { ...first, ignored }
      const messages = [...call.request.messages, ...stopping(voice, first)]
      const second = await inner.call({ ...call, settings: answering, request: { kind: 'chat', messages } }, signal)
      if (second.kind === 'failure' && second.retry !== 'never') thoughts.set(question, first)
      else thoughts.delete(question)
      return second.kind === 'failure'
        ? broken(first, second, kept !== undefined)
        : joined(
            { ...first, ignored },
            second,
            isOver(first, call.settings.thinkingBudget) ? answering.maxTokens : undefined,
          )
    },
    ...(close === undefined ? {} : { close: () => close.call(inner) }),
  }
}

/** How a first call missed its budget, for the list of ignored settings. */
function notKept(first: ModelResponse, budget: number | undefined): readonly string[] {
  if (isOver(first, budget)) return ['thinkingBudget']
  return isThinking(first) && thoughtOf(first).trim() === ''
    ? ['thinkingBudget (the server does not return the thought, so the second call would think again)']
    : []
}

/** Did a server write more than it was allowed to? */
const isOver = ({ usage }: ModelResponse, most: number | undefined): boolean =>
  usage.outputTokens !== undefined && most !== undefined && usage.outputTokens > most

const thoughtOf = ({ reasoning, text }: ModelResponse): string => reasoning ?? text

const THOUGHT_ENDS = '</think>'

/** Was it truncated within its reasoning? Then servers that separate reasoning give no text, and others no end tag. */
function isThinking({ finish, text, reasoning }: ModelResponse): boolean {
  if (finish !== 'truncated') return false
  return reasoning === null ? !text.includes(THOUGHT_ENDS) : text.trim() === ''
}

function stopping(voice: Voice, first: ModelResponse): readonly Message[] {
  const thought = thoughtOf(first)
  const thinks = thought.trim() !== ''
  if (voice === 'assistant') return [{ role: 'assistant', content: `${thinks ? `${thought}\n\n` : ''}${EARLY_STOP}` }]
  // Providers refuse a turn without words.
  return [...(thinks ? [{ role: 'assistant', content: thought } as const] : []), { role: 'user', content: STOP_NOW }]
}

/** The first call is paid for even if the second fails; it is counted once, so not again if it was `kept` from an earlier attempt. */
function broken(first: ModelResponse, second: Failure, kept: boolean): Failure {
  const usage = kept ? {} : first.usage
  const { inputTokens, outputTokens } = sum(usage, usageIn(second.body ?? ''), 0)
  const body = {
    calls: [{ raw: first.raw }, { raw: second.body }],
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  }
  return { ...second, free: kept && second.free, body: JSON.stringify(body) }
}

/**
 * The response of both calls: text of the second, usage of both; each call is in `raw`.
 *
 * @param unreported - output tokens to count for a second call that does not report them. Default: the sum is not known.
 */
function joined(first: ModelResponse, second: ModelResponse, unreported: number | undefined): ModelResponse {
  const thoughts = [first.reasoning ?? first.text, second.reasoning].filter((thought) => thought !== null)
  const calls = [first, second].map(({ finish, text, reasoning, usage, requestId, raw }) => ({
    finish,
    text,
    reasoning,
    usage,
    requestId,
    raw,
  }))
  return {
    ...second,
    reasoning: thoughts.join('\n\n'),
    logprobs: null,
    usage: sum(first.usage, unreported === undefined ? second.usage : { outputTokens: unreported, ...second.usage }),
    raw: JSON.stringify({ calls }),
    ignored: [...new Set([...first.ignored, ...second.ignored])],
  }
}

/** Adds the counts of two calls. One that only one call reports is unknown, unless `unreported` stands in for the other. An invalid count is kept as it is. */
function sum(a: TokenUsage, b: TokenUsage, unreported?: number): TokenUsage {
  const names = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedTokens'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      if (a[name] === undefined && b[name] === undefined) return []
      const counts = [a[name] ?? unreported, b[name] ?? unreported].filter((count) => count !== undefined)
      if (counts.length < 2) return []
      // A negative one must not make the other smaller.
      const none = counts.find((count) => !Number.isSafeInteger(count) || count < 0)
      return [[name, none ?? counts.reduce((x, y) => x + y)]]
    }),
  )
}
