import type { Failure } from '../models/index.ts'
import { SLOWED_PER_RETRY } from './limiter.ts'

/** How often a cell was tried since it was leased, by what came of it. */
export interface Tries {
  /** Failures that may pass. */
  readonly tried: number
  /** Requests to slow down, which are no fault of the call. */
  readonly slowed: number
  /** Whole answers that could not be read: each was paid. */
  readonly misread: number
}

export const UNTRIED: Tries = { tried: 0, slowed: 0, misread: 0 }

export function withFailure({ tried, slowed, misread }: Tries, { retry }: Failure): Tries {
  return {
    tried: tried + (retry === 'slow-down' ? 0 : 1),
    slowed: slowed + (retry === 'slow-down' ? 1 : 0),
    misread: misread + (retry === 'once' ? 1 : 0),
  }
}

/** Is a cell given up by its last failure? @param retries - of the limits of the run */
export const isFinal = ({ tried, slowed, misread }: Tries, { retry }: Failure, retries: number): boolean =>
  retry === 'never' || misread > 1 || tried > retries || slowed > (retries + 1) * SLOWED_PER_RETRY
