import type { Features, FinishReason, Json, Outcome, TokenLogprob } from '../core/index.ts'
import type { ChainState } from './chain.ts'
import type { Redact } from './redact.ts'
import type { BatchLease, SharedLimits } from './shared-limits.ts'
import type { BatchSnapshot, CallSnapshot } from './snapshots.ts'
import type { Record } from './sql.ts'

/** What the items of a group share, stored once. */
export interface StoredGroup {
  readonly id: string
  readonly shared: Json
}

/** An item as a run stores it: all that scoring and analyses need, so that a run folder is self-contained. */
export interface StoredItem {
  readonly id: string
  /** Position in the run, from 0. */
  readonly position: number
  /** Number of its source in run.json. */
  readonly source: number
  readonly index: number
  readonly stratum: number
  readonly task: string
  readonly version: number
  /** The config as tables name it: a preset, or a preset with changed parameters. */
  readonly config: string
  readonly draw: string
  readonly group: string
  readonly given: Json
  readonly answer: Json
  readonly features: Features
  readonly itemHash: string
}

/** One planned call: unique by (item, style, model, settings, sample). */
export interface PlannedCall {
  readonly item: string
  readonly style: string
  readonly model: string
  /** JSON text with sorted keys. */
  readonly settings: string
  readonly sample: number
  /** Calls of a model are leased in its ascending order. */
  readonly priority: number
}

export interface PlanBatch {
  readonly groups: readonly StoredGroup[]
  readonly items: readonly StoredItem[]
  readonly calls: readonly PlannedCall[]
}

/** A call that one owner has leased, with the attempt that is already on disk. */
export interface LeasedCall {
  readonly id: number
  readonly attempt: number
  readonly item: StoredItem
  /** The same object for the same group while it is cached, so that compiled forms can be cached by it. */
  readonly shared: Json
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
}

export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly reasoningTokens?: number
  readonly cachedTokens?: number
  /** Steps that a baseline counts instead of tokens, in its own unit. */
  readonly steps?: number
  readonly usd?: number
  /** The reservation of the call, if the response does not say what it used. */
  readonly maxUsd?: number
  /** From the cache, and not paid again. */
  readonly cached?: boolean
  /** Descriptions of implausible counts of the provider. */
  readonly refusedCounts?: readonly string[]
}

/** The response to one call. */
export interface StoredResponse {
  readonly finish: FinishReason
  readonly text: string
  readonly reasoning: string | null
  readonly logprobs: readonly TokenLogprob[] | null
  readonly usage: Usage
  /** The provider's body, secrets replaced. */
  readonly raw: string | null
}

/** Milliseconds since 1970 UTC; `ended` is `started` plus a duration measured by a clock that never jumps. */
interface AttemptTimes {
  readonly call: number
  readonly attempt: number
  readonly started: number
  readonly ended: number
  readonly http: number | null
  readonly requestId: string | null
}

export interface Scored {
  readonly scorer: number
  readonly outcome: Outcome
}

/** What happened to a call. Events of one call are committed in the order they are given. */
export type RunEvent =
  /** An attempt begins, with its reservation in US dollars: on disk before its request is sent. */
  | {
      readonly kind: 'attempt'
      readonly call: number
      readonly attempt: number
      readonly started: number
      readonly maxUsd?: number
    }
  /** The call is done. A second response to a call is ignored. */
  | (AttemptTimes & {
      readonly kind: 'response'
      readonly response: StoredResponse
      readonly scored: Scored | null
    })
  /** The attempt failed; `final`: the call ends as an error, else another attempt follows. */
  | (AttemptTimes & {
      readonly kind: 'failure'
      readonly final: boolean
      readonly source: 'provider' | 'task' | 'runner'
      readonly code: string
      readonly message: string
      /** Certainly nothing is owed for it; else its reservation stays booked. */
      readonly free: boolean
      /** Its cost in US dollars, if that is more than was reserved. */
      readonly usd?: number
      /** The body of a response that could not be read. */
      readonly body: string | null
    })
  /** The call waits again; its open attempt is marked cancelled, and is free if it was never sent. */
  | { readonly kind: 'release'; readonly call: number; readonly attempt: number; readonly sent: boolean }
  | { readonly kind: 'score'; readonly call: number; readonly scored: Scored }

/** What happened to a batch. */
export type BatchEvent =
  /** Leased calls are about to be submitted together, each with its reservation. */
  | {
      readonly kind: 'intended'
      readonly key: string
      readonly model: string
      /** Ms UTC. */
      readonly at: number
      /** In the order of their line numbers, from 0. */
      readonly lines: readonly { readonly call: number; readonly attempt: number; readonly maxUsd: number }[]
    }
  /** It is submitted once more, since the provider does not have it. */
  | { readonly kind: 'resubmitted'; readonly key: string; readonly at: number }
  /** The provider has it, under this id. */
  | { readonly kind: 'accepted'; readonly key: string; readonly providerId: string; readonly at: number }
  /** All its calls are done, failed or waiting again. */
  | { readonly kind: 'over'; readonly key: string; readonly status: string; readonly at: number }

/** A batch that is not over. */
export interface OpenBatch {
  readonly key: string
  readonly model: string
  readonly lines: number
  /** The provider's id; null: it is not known whether the provider has it. */
  readonly providerId: string | null
  /** Ms UTC: when it was planned, and when it was last submitted. */
  readonly intended: number
  readonly submittedAt: number
}

/** A line of a batch whose call still waits for its result. */
export interface BatchLine {
  readonly lineNo: number
  readonly call: LeasedCall
  /** US dollars that are reserved for it. */
  readonly maxUsd: number
}

/** `batched`: in a batch that is on its way to a provider, or there. */
export type CallState = 'waiting' | 'leased' | 'batched' | 'done' | 'failed'
export type Counts = { readonly [state in CallState]: number }

/** A response with all that scoring it needs. */
export interface ScorableResponse {
  readonly call: number
  readonly item: StoredItem
  readonly shared: Json
  readonly style: string
  readonly response: StoredResponse
}

/** A call that is done or failed, with its outcome. */
export interface FinishedCall {
  readonly item: StoredItem
  readonly shared: Json
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  /** null: none. */
  readonly response: StoredResponse | null
  readonly outcome: Outcome
  /** Of its last attempt, in milliseconds since 1970; null: not known. */
  readonly started: number | null
  readonly ended: number | null
  /** The response was made elsewhere: its `raw` is a record of its import, and the prompt of the item may be another than its model saw. */
  readonly isImported: boolean
}

/** The unreadable body of an attempt at a call that has no response. */
export interface UnparsedBody extends AttemptTimes {
  /** Unpacks it. */
  body(): string
  /** US dollars that are reserved for it. */
  readonly maxUsd: number | null
  readonly item: StoredItem
  readonly shared: Json
  readonly style: string
  readonly model: string
  readonly settings: string
}

/** A response made elsewhere, with its call. */
export interface ImportedCall extends Omit<PlannedCall, 'priority'> {
  readonly response: StoredResponse
  /** From question to answer; null: not known. */
  readonly seconds: number | null
  readonly scored: Scored
}

/** May a call or a batch be sent? `over`: the cost limit does not allow it; `lost`: another worker has it by now. */
export type BookingResult = 'booked' | 'over' | 'lost'

/** The newest outcome of one call. */
export interface GroupedOutcome {
  readonly model: string
  readonly group: string
  readonly outcome: Outcome
}

/** Calls of a model per group of items, or per item. */
export interface UnitSize {
  readonly unit: string
  readonly model: string
  readonly calls: number
}

/** A call of the plan, as far as choosing among calls needs it. */
export interface WaitingCall {
  readonly model: string
  readonly priority: number
  readonly item: string
  readonly position: number
  readonly group: string
  readonly source: number
  readonly features: Features
}

/**
 * Where a run lives: what work on it needs. One interface for one process on SQLite and for many workers on PostgreSQL;
 * both implement all of it.
 */
export interface RunStore extends AsyncDisposable {
  /** Do other workers work on the run, too? Then they share its cost limit and the limits of providers. */
  readonly isShared: boolean

  // ---- the plan

  /** Adds groups, items and calls; those that are there already stay as they are. */
  plan(batch: PlanBatch): Promise<void>
  counts(model?: string): Promise<Counts>
  /** Puts failed calls back to waiting (all, or those with one of these codes); resolves to how many. */
  retry(codes?: readonly string[]): Promise<number>

  // ---- calls

  /**
   * Leases up to `n` waiting calls of one model, by ascending priority, for `ms` milliseconds, each with a new attempt on
   * disk. Leases of other owners that ran out are leased again.
   */
  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCall[]>
  /** One transaction; resolves when it survives kill -9. Events that come within some ms share a transaction. */
  commit(events: readonly RunEvent[]): Promise<void>
  /** All responses in the order of the plan, streaming. */
  responses(): AsyncIterable<readonly ScorableResponse[]>

  // ---- money

  /** US dollars booked for all attempts: what each cost, or its reservation where that is not known. */
  bookedUsd(): number | Promise<number>
  /** Books US dollars that belong to no attempt. */
  bookExtra(usd: number): Promise<void>
  /**
   * Books the reservation of an attempt, as its event does, if the cost limit of the store allows it and the owner still
   * holds the call: a worker that stood still for longer than its lease has lost it.
   */
  bookAttempt(attempt: Extract<RunEvent, { kind: 'attempt' }>, owner: string): Promise<BookingResult>
  /** US dollars that the store still lets its workers book; null: it has no limit. */
  remainingBudget(): Promise<number | null>

  // ---- limits of providers

  /** Rate limits and what workers tell one another about providers. */
  readonly sharedLimits: SharedLimits

  // ---- batches

  /** Which worker polls the batches of a model. */
  readonly batchLease: BatchLease
  /**
   * One transaction that survives power loss, too: a batch that the provider has and the ledger has not would be paid twice.
   * Writes nothing if the cost limit does not allow it, or if another owner has the batch lease of the model.
   */
  recordBatch(event: BatchEvent, owner: string): Promise<BookingResult>
  /** Batches that are not over, the oldest first. */
  openBatches(model?: string): Promise<readonly OpenBatch[]>
  /** Those of these lines whose calls still wait for them, in order. */
  findBatchLines(key: string, numbers: readonly number[]): Promise<readonly BatchLine[]>
  /** All lines whose calls still wait for them, in order, streaming. */
  openBatchLines(key: string): AsyncIterable<readonly BatchLine[]>
  /** The provider's ids of all batches of the run. */
  knownBatchIds(): Promise<ReadonlySet<string>>

  // ---- the chain of responses, and facts about the run

  /** Hash of the last link of the chain of responses; null: no response yet. */
  chainHead(): string | null | Promise<string | null>
  /** Recomputes every link of the chain of responses. */
  checkChain(): Promise<ChainState>
  meta(key: string): Promise<string | null>
  setMeta(key: string, value: string): Promise<void>
}

/** Key of the fact that says what a run in a shared store is. It is written last: a run without it was not pushed to its end. */
export const RUN_KEY = 'run.json'

/** A store that many workers share: what moving a run into it, out of it and looking at it needs on top. */
export interface SharedRunStore extends RunStore {
  readonly isShared: true
  /** Extends the leases of an owner by `ms`. */
  renewLeases(owner: string, ms: number): Promise<void>
  /** Gives back all leases of an owner that ends. */
  releaseAll(owner: string): Promise<void>
  /** What all workers together may book, in US dollars; null: no limit. */
  setBudget(usd: number | null): Promise<void>
  /** What is replaced in texts from now on. */
  setRedaction(redact: { readonly known: Redact; readonly shapes: Redact }): void

  items(): AsyncIterable<readonly { readonly item: StoredItem; readonly shared: Json }[]>
  plannedCalls(): AsyncIterable<readonly Record[]>
  /** Calls that are done or failed, with the number of their attempts; those that end meanwhile are not in it. */
  finishedCalls(): AsyncIterable<readonly { readonly id: number; readonly state: string; readonly attempts: number }[]>
  /** How many calls have ended, and a text that differs as soon as another one ends. */
  progress(): Promise<{ readonly ended: number; readonly mark: string }>
  /** What is booked, and what attempts and extra bookings come to, in US dollars; null: the extra bookings are not known. */
  bookedAndCost(): Promise<{ readonly booked: number; readonly cost: number } | null>

  callSnapshots(): AsyncIterable<readonly CallSnapshot[]>
  snapshotsOf(ids: readonly number[]): Promise<readonly CallSnapshot[]>
  batchSnapshots(): AsyncIterable<BatchSnapshot>
  /** @returns how many were added. */
  addSnapshots(calls: readonly CallSnapshot[]): Promise<number>
  addBatches(batches: readonly BatchSnapshot[]): Promise<void>

  /** Leases nothing from now on, unless workers hold something: then nothing changes. @returns what they hold. */
  close(): Promise<{ readonly calls: number; readonly models: readonly string[] }>
  /** The run folder has all of it: what is left here may be replaced by another push. */
  release(): Promise<void>
  /** Removes the run from the store. */
  drop(): Promise<void>
}
