import { isUsageError, type Request } from '../../core/index.ts'
import {
  type Bounds,
  checkUsage,
  type Failure,
  failure,
  type Model,
  type Settings,
  type TokenUsage,
  usageIn,
} from '../../models/index.ts'
import { isStoreError, type LeasedCell, StoreError } from '../../store/index.ts'
import type { Cause } from '../limits/circuit-breaker.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { Sources } from '../plan/sources.ts'
import { boundsOf, costOf, mostOf, mostOutput } from './cost.ts'

/** What is set aside for a call: the most it can cost in US dollars, 0 where it is free, and the tokens that come to it. */
export interface Booking {
  readonly most: number
  /** null: the model has no price, and nothing is worked out. */
  readonly bounds: Bounds | null
}

/** Works out what a call can cost at most, from its prompt and its settings. */
export function bookingOf(
  sources: Sources,
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'mostInput' | 'mostOutput'>; readonly spec: RunModel },
  cell: LeasedCell,
  settings: Settings,
): Booking {
  if (spec.price === null) return { most: 0, bounds: null }
  const bounds = callBounds(sources, { model, spec }, cell, settings)
  return { most: mostOf(spec.price, bounds), bounds }
}

/** The same, or why nothing can be sent: a cell that its task cannot put into words fails by itself, and others are asked. */
export function bookingOrFailure(...of: Parameters<typeof bookingOf>): Booking | Failure {
  try {
    return bookingOf(...of)
  } catch (error) {
    if (isUsageError(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    return failure('threw', why, 'never', { boundary: 'task', free: true })
  }
}

/** @throws StoreError where what the ledger holds is nothing that the task can put into words. */
function requestOf(sources: Sources, { item, shared, style }: LeasedCell): Request {
  try {
    return sources.request(item, shared, style)
  } catch (error) {
    if (isStoreError(error) || isUsageError(error)) throw error
    throw new StoreError(
      'damaged',
      `${item.id} cannot be asked: its task makes no prompt of what the ledger holds (${error instanceof Error ? error.message : String(error)}); touchstone verify tells more`,
      { cause: error },
    )
  }
}

/** The tokens that a call can take and bring, as far as they are limited; none where nothing can be sent. */
export function sizeOf(...of: Parameters<typeof callBounds>): number {
  try {
    const { input, output } = callBounds(...of)
    return input + (output ?? 0)
  } catch (error) {
    if (isUsageError(error)) throw error
    return 0
  }
}

/** The most tokens that a call can take and bring. */
export function callBounds(
  sources: Sources,
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'mostInput' | 'mostOutput'>; readonly spec: RunModel },
  cell: LeasedCell,
  settings: Settings,
): Bounds {
  const { item, shared } = cell
  const request = requestOf(sources, cell)
  const scored =
    model.kind === 'chat'
      ? null
      : request.kind === 'score'
        ? 1
        : (sources.task(item.source).choices?.({ shared, given: item.given }).length ?? 1)
  const bounds = boundsOf(request, mostOutput(spec, settings, model), scored)
  return model.mostInput === undefined ? bounds : { ...bounds, input: model.mostInput(bounds.input, settings) }
}

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
