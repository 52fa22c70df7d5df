import { LONGEST_WAIT_MS } from '../../models/index.ts'

/** A clock that never jumps, in ms. */
export type Clock = () => number

/** What is left of the calls at once after each cut, and for how long no further cut is made. */
const CUT = 0.8
const CALM_MS = 1000
/** A header that asks for more is not believed: a 429 will say so where it is true. */
const LONGEST_RESET_MS = 60_000

/** How many calls to one provider may be under way: it grows with every success and is cut when told to slow down. */
export class RouteLimiter {
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

  /** How many calls may be under way now. */
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

  /** Ms until calls may go out again; 0: now. */
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

  /** Doubles every round trip at first, then adds one call a round trip once a limit has been felt. */
  succeeded(): void {
    this.size = Math.min(this.most, this.size + (this.size < this.threshold ? 1 : 1 / this.size))
  }

  /**
   * The provider says how many requests are left until its count begins anew: with fewer left than are under way, the
   * rest waits for that moment.
   */
  allowed(requests: number, resetMs: number): void {
    if (requests < this.inFlight)
      this.pausedUntil = Math.max(this.pausedUntil, this.now() + Math.min(resetMs, LONGEST_RESET_MS))
  }

  /** No calls for so long (an hour at most): another worker was told to wait. */
  hold(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, this.now() + Math.min(ms, LONGEST_WAIT_MS))
  }

  /**
   * Fewer calls, once for all calls that were under way when the limit was felt, and none at all for `waitMs` (an hour
   * at most) where the provider asked for it.
   */
  slowDown(waitMs: number | null): void {
    const now = this.now()
    this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(waitMs ?? 0, LONGEST_WAIT_MS))
    if (now < this.calmAfter) return
    this.size = Math.max(1, this.size * CUT)
    this.threshold = this.size
    this.calmAfter = this.pausedUntil + CALM_MS
  }
}

/**
 * How long to wait before attempt `tried` + 1, in ms: doubling from half a second to a minute, the whole of it random
 * ("full jitter"), so that calls that failed together do not come back together. What the provider asked for is the
 * least, an hour at most, with up to a tenth on top.
 */
export function backoff(tried: number, askedMs: number | null, random: () => number = Math.random): number {
  const own = Math.min(60_000, 500 * 2 ** Math.min(tried - 1, 10)) * random()
  if (askedMs === null) return own
  const least = Math.min(askedMs, LONGEST_WAIT_MS)
  return least + Math.min(own, least * 0.1)
}

/** Failures that ask to slow down are not the call's fault: many more of them are borne. */
export const SLOWED_PER_RETRY = 20
