import type { TokenLogprob } from '../../core/task.ts'

/** Ask for the log-probability of `text` after `context`. */
export interface StringToScore {
  readonly context: string
  readonly text: string
}

/** A model that assigns probabilities to given strings. */
export interface ScoringModel {
  readonly name: string
  /**
   * One list of tokens a request, in order; their texts joined are the request's `text`, logprobs are in nats.
   * Requests that share a context should come one after another: a model may keep the state of its last context.
   */
  score(requests: readonly StringToScore[], signal?: AbortSignal): Promise<readonly (readonly TokenLogprob[])[]>
  close?(): Promise<void>
}
