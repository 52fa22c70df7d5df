import type { RunEvent } from './run-store.ts'

/** Most requests and tokens per minute of one model. */
export interface Rate {
  readonly requests?: number | undefined
  /** Read and written together. */
  readonly tokens?: number | undefined
}

/** How many calls were granted. */
export interface Granted {
  /** How many calls, from the first. */
  readonly calls: number
  /** Ms until the next of them can be granted; 0: all were. */
  readonly waitMs: number
}

/** Keeps calls to a rate: one token bucket for requests, one for tokens. */
export interface TokenBuckets {
  /**
   * Grants as many calls, in their order, as the rate allows now. No minute gets more than the rate; a call that is larger
   * than the bucket is granted when the bucket is full.
   *
   * @param key - of the model; the same for all that share its rate.
   * @param sizes - of the calls, in tokens.
   * @param back - tokens that earlier calls were granted and did not use; negative: used on top.
   */
  acquire(key: string, rate: Rate, sizes: readonly number[], back: number): Promise<Granted>
}

/** What workers know from one another about a route or a model on it. */
export interface PeerStatus {
  readonly key: string
  /** Ms for which the provider asked for a pause; 0: none. */
  readonly pauseMs: number
  /** Why another worker calls it no more, as JSON text; null: none stopped recently. */
  readonly stopped: { readonly by: string; readonly at: number; readonly cause: string } | null
}

/** Token buckets that workers share, and what they tell one another. */
export interface SharedLimits extends TokenBuckets {
  /** A provider asked for a pause. */
  pause(key: string, ms: number): Promise<void>
  /** A worker calls a model no more; `cause` is JSON text. */
  reportStopped(key: string, by: string, cause: string): Promise<void>
  /** What is known of these keys; nothing for a key without news. */
  peerStatus(keys: readonly string[]): Promise<readonly PeerStatus[]>
}

/** Burst of a full bucket, in ms of the rate: of requests, and of tokens, of which a single call takes thousands. */
const BURST_MS = { requests: 1000, tokens: 6000 } as const

/** Ms that one unit takes from its bucket, and ms that the bucket holds; 0 and 0: no limit. */
export interface BucketRate {
  readonly each: number
  readonly reach: number
}

/** A bucket that grants at most `perMinute` in any minute, the burst of a full one included. */
export function bucketRate(unit: keyof typeof BURST_MS, perMinute: number | undefined): BucketRate {
  if (perMinute === undefined) return { each: 0, reach: 0 }
  const reach = BURST_MS[unit]
  return { each: (60_000 + reach) / perMinute, reach }
}

/** A clock that never jumps, in ms. */
type Clock = () => number

/** {@link SharedLimits} of one process, which has no peers. */
export class LocalLimits implements SharedLimits {
  /** When the buckets of a model are full again, in ms of the clock. */
  private readonly buckets = new Map<string, { requests: number; tokens: number }>()
  private readonly now: Clock

  constructor(now: Clock = () => performance.now()) {
    this.now = now
  }

  acquire(key: string, rate: Rate, sizes: readonly number[], back: number): Promise<Granted> {
    const now = this.now()
    const requests = bucketRate('requests', rate.requests)
    const tokens = bucketRate('tokens', rate.tokens)
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

  pause(_key: string, _ms: number): Promise<void> {
    return Promise.resolve()
  }

  reportStopped(_key: string, _by: string, _cause: string): Promise<void> {
    return Promise.resolve()
  }

  peerStatus(_keys: readonly string[]): Promise<readonly PeerStatus[]> {
    return Promise.resolve([])
  }
}

/** Ms until a bucket that is full at `full` has room for `size` more, or is full. */
const untilFits = (full: number, size: number, { each, reach }: BucketRate, now: number): number =>
  Math.max(0, Math.min(full, full + size * each - reach) - now)

/**
 * Which worker polls the batches of a model: one at a time. A lease ends by the clock of the store unless it is renewed;
 * a worker that stood still for longer has lost it.
 */
export interface BatchLease {
  /** Takes the lease for `ms` if no other worker has it. @returns whether it is this owner's now */
  acquire(model: string, owner: string, ms: number): Promise<boolean>
  /** Extends the lease by `ms` if it is still this owner's, without a break since it was acquired. */
  renew(model: string, owner: string, ms: number): Promise<boolean>
  /** Writes events of batch lines in one transaction. @returns false: nothing is written, since the lease is lost */
  commit(model: string, owner: string, events: readonly RunEvent[]): Promise<boolean>
  /** Gives the lease back. */
  release(model: string, owner: string): Promise<void>
}
