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
import type { Endpoint, HttpResponse } from './http.ts'
import type { Settings } from './settings.ts'
import type { Bounds } from './usage.ts'

/** One question to one model. The target of the item is behind `problem`, which only the gold baseline and simulated models may call. */
export interface ModelCall {
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
  /** Unique among the attempts of a run. It is sent as a header, so that a provider's log can be matched with the ledger. */
  readonly attemptId: string
}

/** Token counts as the provider reports them, unchecked. A count that it does not report is absent, never 0. */
export interface TokenUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedTokens?: number
  /** Steps of work, which baselines count instead of tokens. */
  readonly steps?: number
}

export interface ModelResponse {
  readonly kind: 'answer'
  readonly finish: FinishReason
  readonly text: string
  /** Reasoning that came separately from the text; null: none did. */
  readonly reasoning: string | null
  /** Of a log-likelihood item, in nats. */
  readonly logprobs: readonly TokenLogprob[] | null
  readonly usage: TokenUsage
  /** The provider's body as JSON text. */
  readonly raw: string | null
  readonly http: number | null
  readonly requestId: string | null
  /** Why the provider's filter refused, in its words. Default: it did not, or gives no reason. */
  readonly refusal?: string
  /** Settings that the provider does not take, or takes in another way. */
  readonly ignored: readonly string[]
  /** What is left of the provider's rate limit. Default: it does not say. */
  readonly allowance?: Allowance
  /** Default: the call was made now and is not cached. */
  readonly recorded?: RecordedTiming
}

/**
 * How long the call took when it was made, in ms. A reply from the cache costs nothing now; one from the record of a reproduced run
 * costs what it cost then.
 */
export interface RecordedTiming {
  readonly ms: number
  readonly source: 'now' | 'cache' | 'record'
}

/** Requests that may still be made within `resetMs`. */
export interface Allowance {
  readonly requests: number
  readonly resetMs: number
}

/** Why a call brought no response, and whether to try again. */
export interface Failure {
  readonly kind: 'failure'
  readonly boundary: 'provider' | 'task' | 'runner'
  /** Short and stable: `rate-limited`, `http-500`, `timeout`, `cut`, `bad-body`, `prompt-cut`, `too-large`, `long-wait`, `aborted`, ... */
  readonly code: string
  readonly message: string
  /**
   * `slow-down`: all models of the route should wait; `again`: this call may be tried again; `once`: only once, since a whole body came
   * and is paid for; `never`: it would fail again.
   */
  readonly retry: 'slow-down' | 'again' | 'once' | 'never'
  /** How long the provider asked to wait. */
  readonly waitMs: number | null
  readonly http: number | null
  readonly requestId: string | null
  /** Nothing was computed and nothing is owed: the request was never sent, or was refused before any work. */
  readonly free: boolean
  /** The body that could not be read as a response; null: none came. */
  readonly body: string | null
  readonly recorded?: RecordedTiming
}

export type ModelReply = ModelResponse | Failure

/** The requests and responses of a model as its server takes them, to send many together (batches). */
export interface WireModel {
  readonly endpoint: Endpoint
  /** The name that the server knows it by. */
  readonly model: string
  /** The provider's batch API. Default: it has none. */
  readonly batches?: 'openai-chat' | 'openai-responses' | 'anthropic' | 'google'
  /** The body of the request, as JSON text; a reply if nothing has to be sent. */
  encode(call: ModelCall): Promise<string | ModelReply>
  /** Reads the response to the call. Never rejects. */
  decode(call: ModelCall, response: HttpResponse): Promise<ModelReply>
}

/** Anything that answers calls: a provider's model, a local one, a baseline, a recorded run. */
export interface Model {
  /** As the experiment names it: `provider:model`. */
  readonly name: string
  /** `chat` answers messages; `score` gives log-probabilities of texts, and answers closed questions by them. */
  readonly kind: 'chat' | 'score'
  /** Models of one route share its concurrency limit and its pauses. */
  readonly route: string
  /** Calls in flight at first, and at most, whatever the experiment allows. */
  readonly concurrency: { readonly start: number; readonly most: number }
  /** Reached over a network, by an address or a key that may be wrong: a canary call is sent before the others. */
  readonly remote?: boolean
  /** Tokens of the requests that it makes on its own to find out whether its server can score. They are paid too. */
  readonly probing?: Bounds
  /** Computed on this machine: unless it has a price, a stopping run aborts its calls and repeats them later. */
  readonly isLocal?: boolean
  /** Its latency depends on this machine alone, and is not recorded in runs that are meant to be reproduced. */
  readonly untimed?: boolean
  /** Keeps the state of its last context, so that items of one group should come one after another. */
  readonly reusesContext: boolean
  /** Default: it is not reached over HTTP. */
  readonly wire?: WireModel
  /** Maximum number of output tokens with these settings; null: unlimited. Default: `maxTokens`. */
  maxOutput?(settings: Settings): number | null
  /** Maximum number of input tokens of a call whose request has `input`. Default: `input`. */
  maxInput?(input: number, settings: Settings): number
  /** Never rejects: what goes wrong is a `Failure`. */
  call(call: ModelCall, signal: AbortSignal): Promise<ModelReply>
  /** Checked before a run. @throws UsageError if it could answer no item of this task */
  check?(task: Task): void
  close?(): Promise<void>
}

/** Maximum number of output tokens of a model that keeps to `maxTokens`. */
export const plainMaximum = ({ maxTokens }: Settings): number | null => maxTokens ?? null

/** Concurrency of a server: it grows from a few calls to the limit of the experiment. */
export const REMOTE = { start: 16, most: Number.POSITIVE_INFINITY } as const
/** Concurrency of what is computed in this process, which has one thread. */
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

/** A response; fields default to those of one that no provider gave. */
export const plainAnswer = (text: string, more: Partial<ModelResponse> = {}): ModelResponse => ({
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
