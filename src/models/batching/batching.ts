import { type Failure, failure } from '../model.ts'

/** One request of a batch: its name there, and the body that a live call would send, as JSON text. */
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

/** What came of sending a batch off. */
export type Submission =
  | { readonly kind: 'submitted'; readonly remote: string }
  /** Provably no batch was made there. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** It may have been made there all the same: {@link Batching.find} tells, later. */
  | { readonly kind: 'unclear'; readonly failure: Failure }

/** Does this process look after its batches still? */
export type IsOurs = () => Promise<boolean>

/** Nothing was sent: another process looks after this batch. */
export const NOT_OURS: Submission = {
  kind: 'unclear',
  failure: failure('aborted', 'another worker looks after this batch by now', 'never'),
}

/** Is a batch of ours there whose name never reached us? */
export type Search =
  | { readonly kind: 'found'; readonly remote: string }
  | { readonly kind: 'none' }
  /** Some may be ours: `open` have not ended, and their results will tell; of `doubts`, their names or words for them, nothing does. */
  | { readonly kind: 'unclear'; readonly open: readonly string[]; readonly doubts: readonly string[] }

/** A batch ended before all of its lines were computed. */
export interface Early {
  /** How many were, by the provider's word; null: it does not say, and what has no result may have been computed too. */
  readonly computed: number | null
  /** Of the other lines: nothing is owed for them. */
  readonly why: Failure
}

/** Where a batch stands there; `status` in the provider's word. */
export type RemoteState =
  | { readonly kind: 'open'; readonly status: string }
  /** No state that the provider told of when this was written: it may be open, or over. */
  | { readonly kind: 'unknown'; readonly status: string }
  /** Results can be read, so many by the provider's word: of all lines, or of those that were done. null: it does not say. */
  | {
      readonly kind: 'ended'
      readonly status: string
      readonly results: number | null
      /** The files that hold them, where they are told. */
      readonly files?: readonly string[]
      readonly early?: Early
    }
  /** No line was computed. */
  | { readonly kind: 'failed'; readonly status: string; readonly failure: Failure }

export type EndedState = Extract<RemoteState, { readonly kind: 'ended' }>

/** What came of one line: a body to be read as a live one, or why there is none. */
export type LineResult =
  | { readonly id: string; readonly kind: 'body'; readonly http: number; readonly body: string }
  | { readonly id: string; readonly kind: 'failure'; readonly failure: Failure }

/** A line of results that says nothing that can be read, such as one that was cut off. */
export interface Unread {
  readonly kind: 'unread'
  /** From 1. */
  readonly line: number
}

/**
 * Many calls sent off together and answered within a day, for less. None of its functions keeps anything: all that must
 * outlive this process is in the ledger. They throw {@link ApiError} or what the transport throws.
 */
export interface Batching {
  /** Lines and bytes of one batch. */
  readonly most: { readonly lines: number; readonly bytes: number }
  /**
   * Total. @param isOurs - asked right before a batch is made there: one that another process sends by now is not sent here.
   */
  submit(intent: BatchIntent, lines: readonly BatchLine[], signal: AbortSignal, isOurs: IsOurs): Promise<Submission>
  /** @param known - batches there that are known to be of other intents. */
  find(intent: BatchIntent, known: ReadonlySet<string>, signal: AbortSignal): Promise<Search>
  state(remote: string, signal: AbortSignal): Promise<RemoteState>
  /**
   * In pages, in any order; lines that have no result are left out.
   *
   * @param known - how it ended, where that was seen: it stands in for another look that the server refuses.
   */
  results(remote: string, signal: AbortSignal, known?: EndedState): AsyncIterable<readonly (LineResult | Unread)[]>
  /** Asks to end it early. Lines that are done stay done. */
  cancel(remote: string, signal: AbortSignal): Promise<void>
}

/**
 * Is all that follows on a list of batches older than a time? Only a page that shows that the newest come first can tell, since
 * providers promise no order. @param times - of the batches of one page, in ms; NaN: not told
 */
export function isPast(times: readonly number[], time: number): boolean {
  const falling = times.every((at, i) => i === 0 || at <= (times[i - 1] as number))
  const [first = Number.NaN] = times
  const last = times.at(-1) ?? Number.NaN
  return falling && last < first && last < time
}

/** Pages of a list of batches that are looked through: a server whose list never ends is given up. */
export const MAX_PAGES = 200
