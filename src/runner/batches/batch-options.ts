import type { Lost } from './lost.ts'

export interface BatchOptions {
  /** Of leases, for so many ms without a sign of life. */
  readonly owner: string
  readonly leaseMs: number
  /** Ms between two looks at a batch that is there. */
  readonly pollMs: number
  /** Ms for which a batch or a result that is there may not be shown, however often it is looked for. */
  readonly settlingMs: number
  /** false: what can be sent off is sent, and nothing is waited for. */
  readonly wait: boolean
  /** Send nothing more, end what is there early, and put what it leaves back to waiting. */
  readonly cancel: boolean
  readonly lost: Lost
  /** No further batch goes out, and nothing is waited for any more. */
  readonly stop: AbortSignal
  /** Calls about batches are aborted too. */
  readonly abort: AbortSignal
  readonly random?: (() => number) | undefined
}

/** How a model's batches ended for now. */
export type BatchEnd = 'done' | 'budget' | 'submitted'
