import type { ExecuteResult, Run } from '../runner/index.ts'
import type { Counts } from '../store/index.ts'

/** How a run ended; `failed`: every call ended in an error. */
export type RunEnd = ExecuteResult['status'] | 'failed'

/** Calls of a run by state. */
export interface CallCounts {
  readonly pending: number
  readonly inFlight: number
  readonly batched: number
  readonly done: number
  readonly errors: number
}

export const callCounts = ({ waiting, leased, batched, done, failed }: Counts): CallCounts => ({
  pending: waiting,
  inFlight: leased,
  batched,
  done,
  errors: failed,
})

/** What one worker or process did for a run. */
export interface WorkResult extends Omit<ExecuteResult, 'status' | 'counts'> {
  readonly status: RunEnd
  readonly counts: CallCounts
}

/** How a run ended. */
export interface RunResult extends WorkResult {
  readonly schema: 'touchstone/run-result/1'
  /** Its folder. */
  readonly run: string
  /** Calls that ended in an error, by code, with the message of one of them. */
  readonly errors: readonly { readonly code: string; readonly calls: number; readonly message: string }[]
  /** With `retryErrors`: how many calls were repeated. */
  readonly retried?: number
}

export function toWorkResult(result: ExecuteResult): WorkResult {
  const { status, counts } = result
  const failed = status === 'completed' && counts.done === 0 && counts.failed > 0
  return { ...result, status: failed ? 'failed' : status, counts: callCounts(counts) }
}

export const errorsOf = ({ ledger }: Pick<Run, 'ledger'>): RunResult['errors'] =>
  ledger.failures().map(({ code, calls, message }) => ({ code, calls, message }))
