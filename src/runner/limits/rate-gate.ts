import { type Passed, type Rate, type Share, shareOf, type Turnstile } from '../../store/index.ts'
import type { Clock } from './concurrency-limiter.ts'

/** Calls that are asked for at once, at most. */
const MOST = 256
/** Weight of the newest answer in the mean of what calls use. */
const NEWEST = 0.1
/** A share of the wait on top, at random: workers that wait for one bucket do not come back together. */
const SPREAD = 0.2

/** The gate of a model with a rate: its calls pass here before they go out. */
export class Gate {
  private readonly turnstile: Turnstile
  private readonly key: string
  private readonly rate: Rate
  private readonly now: Clock
  /** Tokens of each call that may go out. */
  private readonly passes: number[] = []
  private asking = false
  private shutUntil = 0
  private back = 0
  private mean: number | null = null

  constructor(turnstile: Turnstile, key: string, rate: Rate, now: Clock = () => performance.now()) {
    this.turnstile = turnstile
    this.key = key
    this.rate = rate
    this.now = now
  }

  /** How many calls may go out now. */
  get open(): number {
    return this.passes.length
  }

  /** Ms until it is worth asking again; 0: now. */
  get pause(): number {
    return this.asking ? 0 : Math.max(0, this.shutUntil - this.now())
  }

  /** Asks for passes, unless there are some, or it is asking, or it was told to wait. @returns whether there is news. */
  async ask(calls: number, sizeOf: (i: number) => number, random: () => number): Promise<boolean> {
    if (this.passes.length > 0 || this.asking || this.pause > 0 || calls <= 0) return false
    this.asking = true
    try {
      const sizes = Array.from({ length: Math.min(calls, MOST) }, (_, i) =>
        this.rate.tokens === undefined ? 0 : (this.mean ?? sizeOf(i)),
      )
      const { back } = this
      this.back = 0
      const passed = await this.turnstile.pass(this.key, this.rate, sizes, back)
      this.passes.push(...sizes.slice(0, passed.calls))
      this.shutUntil = passed.waitMs === 0 ? 0 : this.now() + passed.waitMs * (1 + SPREAD * random())
    } finally {
      this.asking = false
    }
    return true
  }

  /** A call goes out. @returns the tokens that it was let through with. */
  take(): number {
    return this.passes.shift() ?? 0
  }

  /** A call is over that was let through with `passed` tokens and used `used`; null: what it used is not known. */
  settle(passed: number, used: number | null): void {
    if (used === null || this.rate.tokens === undefined) return
    this.back += passed - used
    if (used > 0) this.mean = this.mean === null ? used : this.mean + NEWEST * (used - this.mean)
  }
}

/** When the buckets of a model are full again, in ms of the clock. */
interface Buckets {
  requests: number
  tokens: number
}

/** {@link Turnstile} of one process. */
export class LocalTurnstile implements Turnstile {
  private readonly buckets = new Map<string, Buckets>()
  private readonly now: Clock

  constructor(now: Clock = () => performance.now()) {
    this.now = now
  }

  pass(key: string, rate: Rate, sizes: readonly number[], back: number): Promise<Passed> {
    const now = this.now()
    const requests = shareOf('requests', rate.requests)
    const tokens = shareOf('tokens', rate.tokens)
    const bucket = this.buckets.get(key) ?? { requests: now, tokens: now }
    this.buckets.set(key, bucket)
    bucket.requests = Math.max(bucket.requests, now)
    bucket.tokens = Math.max(Math.max(bucket.tokens, now) - back * tokens.each, now)
    for (const [calls, size] of sizes.entries()) {
      const waitMs = Math.max(untilFits(bucket.requests, 1, requests, now), untilFits(bucket.tokens, size, tokens, now))
      if (waitMs > 0) return Promise.resolve({ calls, waitMs })
      bucket.requests += requests.each
      bucket.tokens += size * tokens.each
    }
    return Promise.resolve({ calls: sizes.length, waitMs: 0 })
  }
}

/** Ms until a bucket that is full at `full` has room for `size` more, or is full. */
const untilFits = (full: number, size: number, { each, reach }: Share, now: number): number =>
  Math.max(0, Math.min(full, full + size * each - reach) - now)
