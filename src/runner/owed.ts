import { checkUsage, type TokenUsage, usageIn } from '../models/index.ts'
import type { Booking } from './booking.ts'
import type { Cause } from './breaker.ts'
import { costOf } from './money.ts'
import type { RunModel } from './resolve.ts'

/** What a server says that a call took, and what is booked for it. */
export interface Owed {
  /** Counts that can be true. */
  readonly usage: TokenUsage
  /** Those that cannot, in words. */
  readonly refused: readonly string[]
  /** US dollars; undefined: not known, and what was set aside stays booked. */
  readonly usd: number | undefined
}

/**
 * What an answer cost by its counts. Counts above what was asked for are not believed where what was set aside covers
 * them; where it does not, the server has not kept to `maxTokens`, and all that it may send a bill for is booked.
 */
export function owedFor(price: RunModel['price'], said: TokenUsage, { most, bounds }: Booking): Owed {
  const { usage, refused, above } = checkUsage(said, bounds)
  if (refused.length === 0) return { usage, refused, usd: costOf(price, usage) }
  const usd = above === null ? undefined : costOf(price, above)
  return usd === undefined || usd <= most
    ? { usage, refused, usd: undefined }
    : { usage: { ...usage, ...above }, refused, usd }
}

/** US dollars that a body which could not be read says are owed above what was set aside; undefined: it does not. */
export function owedAbove(price: RunModel['price'], body: string | null, booking: Booking): number | undefined {
  if (price === null || body === null) return undefined
  const { usd } = owedFor(price, usageIn(body), booking)
  return usd !== undefined && usd > booking.most ? usd : undefined
}

/** Did a call cost more than was set aside for it? */
export const isAbove = (usd: number | undefined, { most }: Pick<Booking, 'most'>): usd is number =>
  usd !== undefined && most > 0 && usd > most

/** Why nothing more is asked of a model whose server takes more than it is allowed to, where a limit is to be kept. */
export const overrun = (usd: number, { most }: Pick<Booking, 'most'>): Cause => ({
  kind: 'overrun',
  code: 'above-maximum',
  message: `a call cost $${usd.toFixed(4)} by what its server says, and at most $${most.toFixed(4)} was set aside for it`,
  next: 'the server does not keep to maxTokens (or puts a long prompt of its own before ours), so no limit in dollars can be kept: take a server that does, or a new run with a maxTokens as high as it writes',
  again: false,
})

/** What was booked for counts that cannot be true, in words. */
export const bookedText = (usd: number | undefined, booking: Pick<Booking, 'most'>): string =>
  isAbove(usd, booking)
    ? `booked is what that costs, $${usd.toFixed(4)}, where $${booking.most.toFixed(4)} was set aside`
    : 'booked is what was set aside'
