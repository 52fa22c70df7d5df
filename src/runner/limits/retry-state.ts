import type { Failure } from '../../models/index.ts'
import { SLOWED_PER_RETRY } from './concurrency-limiter.ts'

/** How often a cell was tried since it was leased, by what came of it. */
export interface Tries {
  /** Failures that may pass. */
  readonly tried: number
  /** Requests to slow down, and connections that never stood: no fault of the call. */
  readonly slowed: number
  /** Whole answers that could not be read: each was paid. */
  readonly misread: number
}

export const UNTRIED: Tries = { tried: 0, slowed: 0, misread: 0 }

export function withFailure({ tried, slowed, misread }: Tries, { code, retry, free }: Failure): Tries {
  // A server that is away for longer is for the breaker: else it would take all cells that wait with it.
  const blameless = retry === 'slow-down' || (code === 'connect' && free)
  return {
    tried: tried + (blameless ? 0 : 1),
    slowed: slowed + (blameless ? 1 : 0),
    misread: misread + (retry === 'once' ? 1 : 0),
  }
}

/** Is a cell given up by its last failure? @param retries - of the limits of the run */
export const isFinal = ({ tried, slowed, misread }: Tries, { retry }: Failure, retries: number): boolean =>
  retry === 'never' || misread > 1 || tried > retries || slowed > (retries + 1) * SLOWED_PER_RETRY
