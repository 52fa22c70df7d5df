import type { Message } from '../../core/index.ts'
import { type Answer, failure, type Model, plainMaximum, type Reply, type Settings, type TokenUsage } from '../model.ts'
import { costsMoney, openModel, type Provider, secretsOf } from '../provider.ts'

/** Who is made to say that the thinking is over: the model itself, as the beginning of its answer, or the one who asks. */
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
  rest: 'PROVIDER:MODEL',
  summary,
  secrets: (options, rest, providers) => secretsOf(rest, options, providers),
  costs: costsMoney,
  open: async (rest, options, around, providers) =>
    twoPassModel(name, voice, await openModel(rest, options, providers, around)),
})

export const twoPassProviders: readonly Provider[] = [
  twoPass(
    'two-pass',
    'assistant',
    'a model whose thinking is cut at thinkingBudget; a second call asks for the answer, in its own voice',
  ),
  twoPass(
    'two-pass-user',
    'user',
    'as two-pass, but that the second call asks for the answer in the voice of the user',
  ),
]

/** The settings of both calls: neither is told of the budget, which is kept by cutting. */
function settingsOf({ thinkingBudget, ...answering }: Settings): {
  readonly thinking: Settings
  readonly answering: Settings
} {
  return {
    thinking: { ...answering, ...(thinkingBudget === undefined ? {} : { maxTokens: thinkingBudget }) },
    answering,
  }
}

function twoPassModel(name: string, voice: Voice, inner: Model): Model {
  const { close, check } = inner
  const most = (settings: Settings): number | null => (inner.mostOutput ?? plainMaximum)(settings)
  return {
    name: `${name}:${inner.name}`,
    kind: 'chat',
    route: inner.route,
    concurrency: inner.concurrency,
    remote: inner.remote ?? false,
    unpaid: inner.unpaid ?? false,
    byContext: inner.byContext,
    mostOutput(settings) {
      const { thinking, answering } = settingsOf(settings)
      const [first, second] = [most(thinking), most(answering)]
      return first === null || second === null ? null : first + second
    },
    // The question twice, and the thought: another tokenizer may be at work on its way back.
    mostInput: (input, { thinkingBudget = 0 }) => 2 * input + 2 * thinkingBudget,
    ...(check === undefined ? {} : { check: (task) => check.call(inner, task) }),
    async ask(call, signal) {
      if ((call.settings.thinkingBudget ?? 0) < 1 || call.request.kind !== 'chat')
        return failure(
          'not-supported',
          `${name}: cuts the thinking of a chat at a budget, and none is set: thinkingBudget, of 1 or more, in the settings of the model in an experiment`,
          'never',
          { boundary: 'runner', free: true },
        )
      const { thinking, answering } = settingsOf(call.settings)
      const first = await inner.ask({ ...call, settings: thinking }, signal)
      if (first.kind === 'failure') return first
      const overrun = isOver(first, call.settings.thinkingBudget) ? ['thinkingBudget'] : []
      if (!isThinking(first)) return { ...first, ignored: [...first.ignored, ...overrun] }
      const messages = [...call.request.messages, ...stopping(voice, first)]
      const second = await inner.ask({ ...call, settings: answering, request: { kind: 'chat', messages } }, signal)
      return joined({ ...first, ignored: [...first.ignored, ...overrun] }, second, overrun.length > 0)
    },
    ...(close === undefined ? {} : { close: () => close.call(inner) }),
  }
}

/** Did a server write more than it was allowed to? */
const isOver = ({ usage }: Answer, most: number | undefined): boolean =>
  usage.outputTokens !== undefined && most !== undefined && usage.outputTokens > most

const THOUGHT_ENDS = '</think>'

/** Was it cut before its thought came to an end? Servers that keep thoughts apart give no text then, others no end of it. */
function isThinking({ finish, text, reasoning }: Answer): boolean {
  if (finish !== 'truncated') return false
  return reasoning === null ? !text.includes(THOUGHT_ENDS) : text.trim() === ''
}

function stopping(voice: Voice, { text, reasoning }: Answer): readonly Message[] {
  const thought = reasoning ?? text
  return voice === 'assistant'
    ? [{ role: 'assistant', content: `${thought}\n\n${EARLY_STOP}` }]
    : [
        { role: 'assistant', content: thought },
        { role: 'user', content: STOP_NOW },
      ]
}

/**
 * One answer of both calls: the text is that of the second, its usage that of both; what each brought and took is in `raw`.
 *
 * @param over - the first call brought more than it might, and alone may cost more than was set aside for both.
 */
function joined(first: Answer, second: Reply, over: boolean): Reply {
  // The first call is paid for, whatever becomes of the second.
  if (second.kind === 'failure') return { ...second, free: false, body: over ? first.raw : (second.body ?? first.raw) }
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
    usage: { ...(over ? { outputTokens: first.usage.outputTokens ?? 0 } : {}), ...sum(first.usage, second.usage) },
    raw: JSON.stringify({ calls }),
    ignored: [...new Set([...first.ignored, ...second.ignored])],
  }
}

/** What only one of the calls tells is not known of both. */
function sum(a: TokenUsage, b: TokenUsage): TokenUsage {
  const names = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedTokens'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const [x, y] = [a[name], b[name]]
      return x === undefined || y === undefined ? [] : [[name, x + y]]
    }),
  )
}
