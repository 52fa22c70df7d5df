import type { Failure } from '../../models/index.ts'
import { SLOWED_PER_RETRY } from './concurrency-limiter.ts'

/** Failed attempts of a call since it was leased, by kind. */
export interface RetryState {
  /** Transient failures. */
  readonly tried: number
  /** Requests to slow down, and connections that were never established: not the fault of the call. */
  readonly slowed: number
  /** Complete responses that could not be read: each was paid. */
  readonly misread: number
}

export const NO_ATTEMPTS: RetryState = { tried: 0, slowed: 0, misread: 0 }

export function afterFailure({ tried, slowed, misread }: RetryState, { code, retry, free }: Failure): RetryState {
  // The breaker handles a server that stays away; otherwise all waiting calls would fail with it.
  const blameless = retry === 'slow-down' || (code === 'connect' && free)
  return {
    tried: tried + (blameless ? 0 : 1),
    slowed: slowed + (blameless ? 1 : 0),
    misread: misread + (retry === 'once' ? 1 : 0),
  }
}

/** Does a call end as an error with its last failure? @param retries - of the limits of the run */
export const isExhausted = ({ tried, slowed, misread }: RetryState, { retry }: Failure, retries: number): boolean =>
  retry === 'never' || misread > 1 || tried > retries || slowed > (retries + 1) * SLOWED_PER_RETRY
