import type { Failure } from '../model.ts'

/** What one batch holds at most; every provider takes more. */
export const BATCH_LIMITS = { lines: 10_000, bytes: 64 * 1024 * 1024 } as const

/** One request of a batch: its id, and the body that a live call would send, as JSON text. */
export interface BatchLine {
  readonly id: string
  readonly body: string
}

/** A batch as the ledger knows it before anything is sent. */
export interface BatchIntent {
  /** Unique among all batches of all runs; the ids of its lines begin with it. Letters, digits, `-` and `_` only. */
  readonly key: string
  readonly lines: number
  /** Ms UTC. */
  readonly intended: number
}

/** The result of submitting a batch. */
export type Submission =
  | { readonly kind: 'submitted'; readonly remote: string }
  /** Certainly no batch was made. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** A batch may have been made: {@link Batching.find} finds out later. */
  | { readonly kind: 'unclear'; readonly failure: Failure }

/** Does this process still hold the batch lease of its model? */
export type IsOurs = () => Promise<boolean>

/** The search for a batch whose id never reached us. */
export type Search =
  | { readonly kind: 'found'; readonly remote: string }
  | { readonly kind: 'none' }
  /** Some may be ours: the results of `open` ones will show it once they end; for `uncertain` (ids or descriptions) nothing will. */
  | { readonly kind: 'unclear'; readonly open: readonly string[]; readonly uncertain: readonly string[] }

/** A batch that ended before all of its lines were computed. */
export interface Early {
  /** How many were, as the provider reports; null: not reported, so lines without a result may have been computed too. */
  readonly computed: number | null
  /** The failure of the other lines, which cost nothing. */
  readonly why: Failure
}

/** The state of a batch; `status` in the provider's term. */
export type RemoteState =
  | { readonly kind: 'open'; readonly status: string }
  /** A status unknown to this version: the batch may be open, or over. */
  | { readonly kind: 'unknown'; readonly status: string }
  /** Results can be read. Their number is of all lines or of those that were computed; null: not reported. */
  | {
      readonly kind: 'ended'
      readonly status: string
      readonly results: number | null
      /** The files that hold them, if reported. */
      readonly files?: readonly string[]
      readonly early?: Early
    }
  /** No line was computed. */
  | { readonly kind: 'failed'; readonly status: string; readonly failure: Failure }

export type EndedState = Extract<RemoteState, { readonly kind: 'ended' }>

/** The result of one line: a body to be read as that of a live call, or a failure. */
export type LineResult =
  | { readonly id: string; readonly kind: 'body'; readonly http: number; readonly body: string }
  | { readonly id: string; readonly kind: 'failure'; readonly failure: Failure }

/** A line of results that cannot be parsed, such as a truncated one. */
export interface UnparsedLine {
  readonly kind: 'unparsed'
  /** From 1. */
  readonly line: number
}

/**
 * Sends many calls together, which are answered within a day at a lower price. Its functions keep no state, which is all in the ledger. They
 * throw {@link ApiError} or what the transport throws.
 */
export interface Batching {
  /** Lines and bytes of one batch. */
  readonly most: { readonly lines: number; readonly bytes: number }
  /**
   * Never rejects. @param isOurs - called right before the batch is made: if another process has taken it over, it is not sent.
   */
  submit(intent: BatchIntent, lines: readonly BatchLine[], signal: AbortSignal, isOurs: IsOurs): Promise<Submission>
  /** @param known - batches that belong to other intents. */
  find(intent: BatchIntent, known: ReadonlySet<string>, signal: AbortSignal): Promise<Search>
  state(remote: string, signal: AbortSignal): Promise<RemoteState>
  /**
   * In pages, in any order, without lines that have no result.
   *
   * @param known - how it ended, if that was seen: used if the server refuses another request for it.
   */
  results(
    remote: string,
    signal: AbortSignal,
    known?: EndedState,
  ): AsyncIterable<readonly (LineResult | UnparsedLine)[]>
  /** Asks the provider to end it early. Lines that are computed keep their results. */
  cancel(remote: string, signal: AbortSignal): Promise<void>
}
