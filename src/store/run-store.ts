import type { Features, FinishReason, Json, Outcome, TokenLogprob } from '../core/index.ts'
import type { ChainState } from './chain.ts'
import type { Keeping } from './keeping.ts'
import type { Traffic } from './traffic.ts'

/** What a group of items shares, stored once. */
export interface StoredGroup {
  readonly id: string
  readonly shared: Json
}

/** An item as a run keeps it: everything that scoring and analyses need, so that a run folder stands alone. */
export interface StoredItem {
  readonly id: string
  /** Position in the run, from 0. */
  readonly ord: number
  /** Which of the run's sources (run.json) it is from. */
  readonly source: number
  readonly index: number
  readonly stratum: number
  readonly task: string
  readonly version: number
  /** The config as tables name it: a preset, or a preset with what was changed. */
  readonly config: string
  readonly draw: string
  readonly group: string
  readonly given: Json
  readonly answer: Json
  readonly features: Features
  readonly leaf: string
}

/** One call to be made: unique by (item, style, model, settings, sample). */
export interface PlannedCell {
  readonly item: string
  readonly style: string
  readonly model: string
  /** JSON text with sorted keys. */
  readonly settings: string
  readonly sample: number
  /** Cells of a model are leased in ascending order of it. */
  readonly turn: number
}

export interface PlanBatch {
  readonly groups: readonly StoredGroup[]
  readonly items: readonly StoredItem[]
  readonly cells: readonly PlannedCell[]
}

/** A cell in the hands of one owner, with the attempt that is already on disk. */
export interface LeasedCell {
  readonly id: number
  readonly attempt: number
  readonly item: StoredItem
  /** The same object for the same group while it is cached, so that compiled forms can be remembered by it. */
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
  /** What a baseline counts instead of tokens, in its own unit. */
  readonly steps?: number
  readonly usd?: number
  /** What was set aside for the call, where the answer does not say what it used. */
  readonly usdAtMost?: number
  /** Given to an earlier call that asked the same, and not paid again. */
  readonly cached?: boolean
  /** Counts of the provider that cannot be true, in words. */
  readonly refused?: readonly string[]
}

/** What a model said in one cell. */
export interface StoredResponse {
  readonly finish: FinishReason
  readonly text: string
  readonly reasoning: string | null
  readonly logprobs: readonly TokenLogprob[] | null
  readonly usage: Usage
  /** The provider's body as it came, secrets replaced. */
  readonly raw: string | null
}

/** Milliseconds since 1970 UTC; `ended` is `started` plus a duration measured by a clock that never jumps. */
interface AttemptTimes {
  readonly cell: number
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

/** What happened. Facts about one cell are committed in the order they are given. */
export type RunEvent =
  /** An attempt at a leased cell begins, with what it can cost at most in US dollars: on disk before its request is sent. */
  | {
      readonly kind: 'attempt'
      readonly cell: number
      readonly attempt: number
      readonly started: number
      readonly most?: number
    }
  /** The cell is done. A second response to a cell is ignored. */
  | (AttemptTimes & {
      readonly kind: 'response'
      readonly response: StoredResponse
      readonly scored: Scored | null
    })
  /** The attempt failed; `final` gives the cell up, else another attempt follows. */
  | (AttemptTimes & {
      readonly kind: 'failure'
      readonly final: boolean
      readonly boundary: 'provider' | 'task' | 'runner'
      readonly code: string
      readonly message: string
      /** Provably nothing is owed for it; else what was booked stays. */
      readonly free: boolean
      /** What is owed by what came, in US dollars, where it is more than was booked. */
      readonly usd?: number
      /** What came of an answer that could not be read. */
      readonly body: string | null
    })
  /** The cell goes back to those waiting; its open attempt, never answered, is marked so; what was never sent is free. */
  | { readonly kind: 'release'; readonly cell: number; readonly attempt: number; readonly sent: boolean }
  | { readonly kind: 'score'; readonly cell: number; readonly scored: Scored }

/** What happened to a batch. */
export type BatchEvent =
  /** Leased cells are about to be sent off together, each with what it can cost at most. */
  | {
      readonly kind: 'intended'
      readonly key: string
      readonly model: string
      /** Ms UTC. */
      readonly at: number
      /** In their order there, which is that of their numbers from 0. */
      readonly lines: readonly { readonly cell: number; readonly attempt: number; readonly most: number }[]
    }
  /** It is sent once more, since it is not there. */
  | { readonly kind: 'tried'; readonly key: string; readonly at: number }
  /** The provider has it, under a name of its own. */
  | { readonly kind: 'submitted'; readonly key: string; readonly remote: string; readonly at: number }
  /** All its lines are answered, failed or waiting again. */
  | { readonly kind: 'over'; readonly key: string; readonly status: string; readonly at: number }

/** A batch that is not over. */
export interface OpenBatch {
  readonly key: string
  readonly model: string
  readonly lines: number
  /** Its name there; null: it is not known whether it got there. */
  readonly remote: string | null
  /** Ms UTC: when it was decided on, and when it was last sent off. */
  readonly intended: number
  readonly tried: number
}

/** A line of a batch whose cell still waits for it. */
export interface OpenLine {
  readonly no: number
  readonly cell: LeasedCell
  /** US dollars that were booked for it. */
  readonly most: number
}

/** `batched`: part of a batch that is on its way to a provider or there. */
export type CellState = 'waiting' | 'leased' | 'batched' | 'done' | 'failed'
export type Counts = { readonly [state in CellState]: number }

/** A response with what is needed to score it again. */
export interface ScorableResponse {
  readonly cell: number
  readonly item: StoredItem
  readonly shared: Json
  readonly style: string
  readonly response: StoredResponse
}

/** A cell that is done or failed, with what came of it. */
export interface EndedCell {
  readonly item: StoredItem
  readonly shared: Json
  readonly style: string
  readonly model: string
  readonly settings: string
  readonly sample: number
  /** null: none came. */
  readonly response: StoredResponse | null
  readonly outcome: Outcome
  /** Of its last attempt, in milliseconds since 1970; null: not known. */
  readonly started: number | null
  readonly ended: number | null
  /** The response was made elsewhere: its `raw` is a record of its import, and the prompt of the item may be another than its model saw. */
  readonly isImported: boolean
}

/** What came of an attempt whose answer could not be read, of a cell that has none. */
export interface UnreadBody extends AttemptTimes {
  /** Unpacks it. */
  body(): string
  /** US dollars that were booked for it. */
  readonly most: number | null
  readonly item: StoredItem
  readonly shared: Json
  readonly style: string
  readonly model: string
  readonly settings: string
}

/** An answer made elsewhere, with the cell it fills. */
export interface ImportedCell extends Omit<PlannedCell, 'turn'> {
  readonly response: StoredResponse
  /** From question to answer; null: not known. */
  readonly seconds: number | null
  readonly scored: Scored
}

/** May a call or a batch go out? `over`: the budget does not hold it; `lost`: it is another worker's by now. */
export type Reserved = 'booked' | 'over' | 'lost'

/** A run's store as work on it needs it. */
export interface WorkStore extends RunStore {
  /** US dollars booked for all attempts. */
  spent(): number | Promise<number>
  /** Books US dollars that are of no attempt. */
  carry(usd: number): Promise<void>
  /**
   * Where workers share one budget: books an attempt, as its event does, where the budget allows what it can cost and the owner
   * holds the cell still: who stood still for longer than a lease has lost it to others, and what they asked is not asked again.
   */
  reserve?(attempt: Extract<RunEvent, { kind: 'attempt' }>, owner: string): Promise<Reserved>
  /** Where workers share one budget: US dollars that may still be booked; null: no limit. */
  room?(): Promise<number | null>
  /** Where workers share a run: who looks after the batches of a model. */
  readonly keeping?: Keeping
  /** US dollars booked for the attempts of each model; absent where workers share them. */
  spentByModel?(): readonly (readonly [model: string, usd: number])[]
  /** How every answered cell was read last, streaming; absent where workers share them. */
  verdicts?(): AsyncIterable<readonly GroupedOutcome[]>
  /** Where workers share providers: how fast they may ask, and what they tell one another. */
  readonly traffic?: Traffic
}

/** How one cell was read. */
export interface GroupedOutcome {
  readonly model: string
  readonly group: string
  readonly outcome: Outcome
}

/** How many cells a model has in a group of items, or in an item. */
export interface UnitSize {
  readonly unit: string
  readonly model: string
  readonly cells: number
}

/** A cell of a plan, as far as a choice of what to ask needs it. */
export interface QueuedItem {
  readonly model: string
  readonly turn: number
  readonly item: string
  readonly ord: number
  readonly group: string
  readonly source: number
  readonly features: Features
}

/** Where a run lives. One interface for one process on SQLite and for many machines on a server. */
export interface RunStore extends AsyncDisposable {
  /** Adds groups, items and cells; those that are there already stay as they are. */
  plan(batch: PlanBatch): Promise<void>
  /**
   * Hands out up to `n` waiting cells of one model in their turn, for `ms` milliseconds, each with a new attempt on
   * disk. Leases of other owners that ran out are handed out again.
   */
  lease(n: number, owner: string, ms: number, model: string): Promise<readonly LeasedCell[]>
  /** One transaction; resolves when it survives kill -9. Calls made within 10 ms share a transaction. */
  commit(events: readonly RunEvent[]): Promise<void>
  /**
   * One transaction that survives power loss, too: a batch that the provider has and the ledger has not is paid twice. Nothing is
   * written where the budget does not hold it, or where another worker than this owner looks after the batches of the model by now.
   */
  book(event: BatchEvent, owner: string): Promise<Reserved>
  /** Batches that are not over, the oldest first. */
  openBatches(model?: string): Promise<readonly OpenBatch[]>
  /** Those of these lines whose cells still wait for them, in order. */
  openLinesOf(key: string, numbers: readonly number[]): Promise<readonly OpenLine[]>
  /** All lines whose cells still wait for them, in order, streaming. */
  openLines(key: string): AsyncIterable<readonly OpenLine[]>
  /** The providers' names of all batches there ever were. */
  remotes(): Promise<ReadonlySet<string>>
  counts(model?: string): Promise<Counts>
  /** Puts failed cells back to waiting (all, or those with one of these codes); resolves to how many. */
  retry(codes?: readonly string[]): Promise<number>
  /** All responses in the order of the plan, streaming. */
  responses(): AsyncIterable<readonly ScorableResponse[]>
  /** The last link of the chain of responses; null: none yet. */
  head(): string | null | Promise<string | null>
  /** Walks along the chain of responses and makes every link again. */
  checkChain(): Promise<ChainState>
  meta(key: string): Promise<string | null>
  setMeta(key: string, value: string): Promise<void>
}
