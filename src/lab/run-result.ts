import { defined } from '../core/defined.ts'
import type { ExecuteResult, Run, StoppedModels as StopCauses } from '../runner/index.ts'
import type { Counts } from '../store/index.ts'

/**
 * How a run ended. `completed`: every call is done. `stopped-early`: its stopping rule is satisfied. `failed`: every call
 * ended in an error. `models-stopped`: a model failed too often, its other calls are pending.
 */
export type RunEnd =
  | 'completed'
  | 'interrupted'
  | 'cost-limit'
  | 'models-stopped'
  | 'batches-pending'
  | 'planned'
  | 'stopped-early'
  | 'failed'

const ENDS: { readonly [status in ExecuteResult['status']]: RunEnd } = {
  done: 'completed',
  interrupted: 'interrupted',
  budget: 'cost-limit',
  stopped: 'models-stopped',
  submitted: 'batches-pending',
  planned: 'planned',
  decided: 'stopped-early',
}

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

/** Why a model is not called any more, and what to do. */
export interface StoppedModels {
  readonly [model: string]: { readonly kind: string; readonly message: string; readonly advice: string }
}

export const stoppedModels = (stopped: StopCauses): StoppedModels =>
  Object.fromEntries(
    Object.entries(stopped).map(([model, { kind, message, advice }]) => [model, { kind, message, advice }]),
  )

/** What one worker or process did for a run. */
export interface WorkResult extends Pick<ExecuteResult, 'until' | 'adapt'> {
  readonly status: RunEnd
  readonly counts: CallCounts
  readonly stoppedModels: StoppedModels
  /** Settings that the provider of a model does not know. */
  readonly ignoredSettings: { readonly [model: string]: readonly string[] }
  /** US dollars booked for all attempts of the run. */
  readonly costUsd: number
  readonly warnings: readonly string[]
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
  const { status, counts, stopped, ignored, usd, doubts, until, adapt } = result
  const failed = status === 'done' && counts.done === 0 && counts.failed > 0
  return {
    status: failed ? 'failed' : ENDS[status],
    counts: callCounts(counts),
    stoppedModels: stoppedModels(stopped),
    ignoredSettings: ignored,
    costUsd: usd,
    warnings: doubts,
    ...defined({ until, adapt }),
  }
}

export const errorsOf = ({ ledger }: Pick<Run, 'ledger'>): RunResult['errors'] =>
  ledger.failures().map(({ code, calls, message }) => ({ code, calls, message }))
