import type { Rate, TokenBuckets } from '../../store/index.ts'
import type { Clock } from './concurrency-limiter.ts'

/** Most calls per request for tokens. */
const MAX_CALLS = 256
/** Weight of the newest response in the mean tokens of a call. */
const NEWEST = 0.1
/** Random part that is added to a wait, so that workers that wait for one bucket do not come back together. */
const SPREAD = 0.2

/** The rate gate of a model with a `rate`: its calls are granted here before they are sent. */
export class RateGate {
  private readonly buckets: TokenBuckets
  private readonly key: string
  private readonly rate: Rate
  private readonly now: Clock
  /** Tokens of each call that may be sent. */
  private readonly granted: number[] = []
  private asking = false
  private shutUntil = 0
  private back = 0
  private mean: number | null = null

  constructor(buckets: TokenBuckets, key: string, rate: Rate, now: Clock = () => performance.now()) {
    this.buckets = buckets
    this.key = key
    this.rate = rate
    this.now = now
  }

  /** How many calls may be sent now. */
  get open(): number {
    return this.granted.length
  }

  /** Ms until the next request is worthwhile; 0: now. */
  get pause(): number {
    return this.asking ? 0 : Math.max(0, this.shutUntil - this.now())
  }

  /** Requests grants, unless some are left, a request is in flight, or it has to wait. @returns whether it did. */
  async request(calls: number, sizeOf: (i: number) => number, random: () => number): Promise<boolean> {
    if (this.granted.length > 0 || this.asking || this.pause > 0 || calls <= 0) return false
    this.asking = true
    try {
      const sizes = Array.from({ length: Math.min(calls, MAX_CALLS) }, (_, i) =>
        this.rate.tokens === undefined ? 0 : (this.mean ?? sizeOf(i)),
      )
      const { back } = this
      this.back = 0
      const passed = await this.buckets.acquire(this.key, this.rate, sizes, back)
      this.granted.push(...sizes.slice(0, passed.calls))
      this.shutUntil = passed.waitMs === 0 ? 0 : this.now() + passed.waitMs * (1 + SPREAD * random())
    } finally {
      this.asking = false
    }
    return true
  }

  /** A call is sent. @returns the tokens that were granted for it. */
  take(): number {
    return this.granted.shift() ?? 0
  }

  /** A call is over; `used`: its tokens, null: not known. */
  settle(passed: number, used: number | null): void {
    if (used === null || this.rate.tokens === undefined) return
    this.back += passed - used
    if (used > 0) this.mean = this.mean === null ? used : this.mean + NEWEST * (used - this.mean)
  }
}
