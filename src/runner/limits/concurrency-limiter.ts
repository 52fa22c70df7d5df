import { type Failure, MAX_WAIT_MS } from '../../models/index.ts'

/** A clock that never jumps, in ms. */
export type Clock = () => number

/** Share of the concurrent calls that is left after a cut, and ms until the next cut. */
const CUT = 0.8
const CALM_MS = 1000
/** A header that names a longer wait is not believed: a 429 will follow if it is true. */
const MAX_RESET_MS = 60_000

/** Limits the concurrent calls of one provider: grows with every success and is cut when the provider asks to slow down. */
export class ConcurrencyLimiter {
  private size: number
  private inFlight = 0
  private threshold = Number.POSITIVE_INFINITY
  private pausedUntil = 0
  private calmAfter = 0
  private readonly most: number
  private readonly now: Clock

  constructor(start: number, most: number, now: Clock = () => performance.now()) {
    this.most = Math.max(1, most)
    this.size = Math.min(Math.max(1, start), this.most)
    this.now = now
  }

  /** How many calls may be in flight now. */
  get limit(): number {
    return Math.floor(this.size)
  }

  /** Has the provider asked to slow down? */
  get slowed(): boolean {
    return this.threshold < Number.POSITIVE_INFINITY
  }

  get busy(): number {
    return this.inFlight
  }

  /** Ms until calls may be sent again; 0: now. */
  get pause(): number {
    return Math.max(0, this.pausedUntil - this.now())
  }

  free(): number {
    return this.pause > 0 ? 0 : Math.max(0, this.limit - this.inFlight)
  }

  started(): void {
    this.inFlight++
  }

  ended(): void {
    this.inFlight--
  }

  /** Doubles per round trip at first; adds one call per round trip once a limit has been reached. */
  succeeded(): void {
    this.size = Math.min(this.most, this.size + (this.size < this.threshold ? 1 : 1 / this.size))
  }

  /**
   * The provider says how many requests are left until its window ends: if fewer are left than are in flight, further
   * calls wait for its end.
   */
  applyAllowance(requests: number, resetMs: number): void {
    if (requests < this.inFlight)
      this.pausedUntil = Math.max(this.pausedUntil, this.now() + Math.min(resetMs, MAX_RESET_MS))
  }

  /** No calls for `ms` (an hour at most): another worker was asked to wait. */
  pauseFor(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + Math.min(ms, MAX_WAIT_MS))
  }

  /**
   * The provider answered 429 or the like: cuts the concurrent calls once for all that were in flight, and sends none for
   * `waitMs` (an hour at most) if the provider named a wait.
   */
  slowDown(waitMs: number | null): void {
    const now = this.now()
    this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(waitMs ?? 0, MAX_WAIT_MS))
    if (now < this.calmAfter) return
    this.size = Math.max(1, this.size * CUT)
    this.threshold = this.size
    this.calmAfter = this.pausedUntil + CALM_MS
  }
}

/**
 * Ms to wait before attempt `tried` + 1: doubles from half a second to a minute, with full jitter, so that calls that
 * failed together do not come back together. Never shorter than the provider asked for (an hour at most), plus up to a
 * tenth.
 */
export function backoff(tried: number, askedMs: number | null, random: () => number = Math.random): number {
  const own = Math.min(60_000, 500 * 2 ** Math.min(tried - 1, 10)) * random()
  if (askedMs === null) return own
  const least = Math.min(askedMs, MAX_WAIT_MS)
  return least + Math.min(own, least * 0.1)
}

/** A failure that asks to slow down is not the fault of the call: this many of them count as one retry. */
export const SLOWED_PER_RETRY = 20

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
