/** What a minute may bring of one model. */
export interface Rate {
  readonly requests?: number | undefined
  /** Read and written together. */
  readonly tokens?: number | undefined
}

/** What was let through. */
export interface Passed {
  /** How many calls, from the first. */
  readonly calls: number
  /** Ms until the next of them may be asked for; 0: all were let through. */
  readonly waitMs: number
}

/** Keeps calls to a rate: a token bucket for requests, and one for tokens. */
export interface Turnstile {
  /**
   * Lets through as many calls, in their order, as the rate allows now. In no minute more than the rate is let through; a
   * call that is larger than the bucket goes when the bucket is full.
   *
   * @param key - of the model; the same for all that share its rate.
   * @param sizes - of the calls, in tokens.
   * @param back - tokens that earlier calls were let through with and did not use; below 0: used on top.
   */
  pass(key: string, rate: Rate, sizes: readonly number[], back: number): Promise<Passed>
}

/** What workers tell one another about the routes they share. */
export interface News {
  readonly key: string
  /** Ms for which the provider wants no calls; 0: none. */
  readonly pauseMs: number
  /** Why another worker asks nothing more, as JSON text; null: nobody gave up lately. */
  readonly broken: { readonly by: string; readonly at: number; readonly cause: string } | null
}

/** A turnstile that workers share, with what they tell one another. */
export interface Traffic extends Turnstile {
  /** A provider wants no calls for so long. */
  pause(key: string, ms: number): Promise<void>
  /** A worker asks nothing more; `cause` is JSON text. */
  broke(key: string, by: string, cause: string): Promise<void>
  /** What is known of these keys, where there is anything. */
  news(keys: readonly string[]): Promise<readonly News[]>
}

/** How much of a minute may go out at once, in ms: of requests, and of tokens, of which a single call takes thousands. */
const BURST_MS = { requests: 1000, tokens: 6000 } as const

/** Ms that each unit takes of its bucket, and how far the bucket reaches; 0 and 0: no limit. */
export interface Share {
  readonly each: number
  readonly reach: number
}

/** A bucket that lets no more than `perMinute` through in any minute, the burst of a full one included. */
export function shareOf(unit: keyof typeof BURST_MS, perMinute: number | undefined): Share {
  if (perMinute === undefined) return { each: 0, reach: 0 }
  const reach = BURST_MS[unit]
  return { each: (60_000 + reach) / perMinute, reach }
}
