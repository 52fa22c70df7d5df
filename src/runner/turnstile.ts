import { type Passed, type Rate, type Share, shareOf, type Turnstile } from '../store/index.ts'
import type { Clock } from './limiter.ts'

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
