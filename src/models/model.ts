import type {
  FinishReason,
  Json,
  JsonObject,
  Problem,
  Question,
  RandomStreams,
  Request,
  Task,
  TokenLogprob,
} from '../core/index.ts'
import type { Batching } from './batching/batching.ts'
import type { Bounds } from './usage.ts'

/** How a model is asked. What a route cannot do is reported as ignored, never dropped in silence. */
export interface Settings {
  readonly temperature?: number
  readonly topP?: number
  readonly maxTokens?: number
  readonly seed?: number
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh'
  /** Tokens for thinking. */
  readonly thinkingBudget?: number
}

/** One question to one model. What is true of the item is behind `problem`, which only a gold baseline may open. */
export interface Call {
  readonly task: Task
  readonly item: string
  readonly config: JsonObject | null
  readonly style: string
  readonly sample: number
  readonly settings: Settings
  readonly request: Request
  readonly question: Question<Json, Json>
  /** Randomness for a baseline of this name: the same for the same item and sample. */
  draws(name: string): RandomStreams
  problem(): Problem<Json, Json, Json>
  /** Unique among all attempts of a run; sent along so that a provider's log can be matched with the ledger. */
  readonly attemptId: string
}

/** Token counts as the provider says them, unchecked; a count it does not give is left out, never 0. */
export interface TokenUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedTokens?: number
  /** What a baseline counts instead. */
  readonly steps?: number
}

export interface Answer {
  readonly kind: 'answer'
  readonly finish: FinishReason
  readonly text: string
  /** Reasoning that came apart from the text; null where there was none. */
  readonly reasoning: string | null
  /** For scored requests, in nats. */
  readonly logprobs: readonly TokenLogprob[] | null
  readonly usage: TokenUsage
  /** The provider's body as JSON text. */
  readonly raw: string | null
  readonly http: number | null
  readonly requestId: string | null
  /** Why a filter of the provider refused, in its words; left out: none did, or it gives no reason. */
  readonly refusal?: string
  /** Settings that had no effect on this route. */
  readonly ignored: readonly string[]
  /** What the provider says is left of its rate limit; left out where it says nothing. */
  readonly allowance?: Allowance
  /** It is kept, or was given to an earlier call that asked the same. */
  readonly recorded?: Recorded
}

/**
 * How long it took when it was asked, in ms, as it is kept. From the cache it costs nothing now; from the record of a run
 * that is made again it costs what it cost.
 */
export interface Recorded {
  readonly ms: number
  readonly source: 'now' | 'cache' | 'record'
}

/** Requests that may still be made before `resetMs` from now. */
export interface Allowance {
  readonly requests: number
  readonly resetMs: number
}

/** Why a call brought no answer, and what may be done about it. */
export interface Failure {
  readonly kind: 'failure'
  readonly boundary: 'provider' | 'task' | 'runner'
  /** Short and stable: `rate-limited`, `http-500`, `timeout`, `cut`, `bad-body`, `too-large`, `long-wait`, `aborted`, ... */
  readonly code: string
  readonly message: string
  /**
   * `slow-down`: the whole route should wait; `again`: this call may be tried again; `once`: only once, since what came was whole,
   * and paid; `never`: it would fail again.
   */
  readonly retry: 'slow-down' | 'again' | 'once' | 'never'
  /** How long the provider asked to wait. */
  readonly waitMs: number | null
  readonly http: number | null
  readonly requestId: string | null
  /** Provably nothing was computed and nothing is owed: never sent, refused connection, refused before any work. */
  readonly free: boolean
  /** What came of an answer that could not be read, where something came. */
  readonly body: string | null
  readonly recorded?: Recorded
}

export type Reply = Answer | Failure

/** Something that answers questions: a provider's model, a local one, a baseline, a recorded run. */
export interface Model {
  /** As in the experiment: `provider:model`. */
  readonly name: string
  /** `chat` answers messages; `score` gives probabilities of texts (and answers closed questions by them). */
  readonly kind: 'chat' | 'score'
  /** Models of one route share its concurrency and its pauses. */
  readonly route: string
  /** Calls at once to begin with, and at most, whatever the experiment allows; local computation wants 1. */
  readonly concurrency: { readonly start: number; readonly most: number }
  /** Reached over a network, by an address or a key that may be wrong: one call goes ahead of the others. */
  readonly remote?: boolean
  /** What it may ask of its server by itself before the first answer, to find out whether the server can answer: paid too. */
  readonly probing?: Bounds
  /** Computed here, nothing is owed where it has no price: a call under way is broken off where the run is told to stop, and made again later. */
  readonly unpaid?: boolean
  /** How long its answers take tells of this machine only: left out where runs are kept to be made again. */
  readonly untimed?: boolean
  /** Is it worth asking items of one group one after another? True where state of the last context is kept. */
  readonly byContext: boolean
  /** How its calls are sent off together, where its provider has that. */
  readonly batching?: Batching
  /** The most output tokens these settings allow on this route; null: it sets no limit. Left out: `maxTokens`. */
  mostOutput?(settings: Settings): number | null
  /** The most input tokens of a call, of those its request takes once. Left out: these. */
  mostInput?(input: number, settings: Settings): number
  /** Total: what goes wrong is a {@link Failure}. */
  ask(call: Call, signal: AbortSignal): Promise<Reply>
  /** Throws a UsageError where no item of this task could be answered: found out before a run, not in it. */
  check?(task: Task): void
  close?(): Promise<void>
}

/** The most output of settings where a route counts as they do. */
export const plainMaximum = ({ maxTokens }: Settings): number | null => maxTokens ?? null

/** A remote route grows from few calls at once towards the limit of the experiment. */
export const REMOTE = { start: 16, most: Number.POSITIVE_INFINITY } as const
/** One computation at a time: this process has one thread. */
export const LOCAL = { start: 1, most: 1 } as const

export const failure = (
  code: string,
  message: string,
  retry: Failure['retry'],
  more: Partial<Pick<Failure, 'boundary' | 'waitMs' | 'http' | 'requestId' | 'free' | 'body'>> = {},
): Failure => ({
  kind: 'failure',
  boundary: 'provider',
  waitMs: null,
  http: null,
  requestId: null,
  free: false,
  body: null,
  ...more,
  code,
  message: message.length > 2000 ? `${message.slice(0, 2000)}...` : message,
  retry,
})

/** An answer that needed no provider. */
export const plainAnswer = (text: string, more: Partial<Answer> = {}): Answer => ({
  kind: 'answer',
  finish: 'stop',
  text,
  reasoning: null,
  logprobs: null,
  usage: {},
  raw: null,
  http: null,
  requestId: null,
  ignored: [],
  ...more,
})
