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
import { isStoreError, type LeasedCall, StoreError } from '../../store/index.ts'
import type { StopCause } from '../limits/circuit-breaker.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { Sources } from '../plan/sources.ts'
import { boundsOf, costOf, maxCost, maxOutputTokens } from './cost.ts'

/** What is reserved for a call: the most it can cost in US dollars (0: it is free), and the tokens of that. */
export interface CostReservation {
  readonly maxUsd: number
  /** null: the model has no price. */
  readonly bounds: Bounds | null
}

/** The most that a call can cost, by its prompt and its settings. */
export function reserveCost(
  sources: Sources,
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'maxInput' | 'maxOutput'>; readonly spec: RunModel },
  call: LeasedCall,
  settings: Settings,
): CostReservation {
  if (spec.price === null) return { maxUsd: 0, bounds: null }
  const bounds = callBounds(sources, { model, spec }, call, settings)
  return { maxUsd: maxCost(spec.price, bounds), bounds }
}

/** The same, or why the call cannot be sent: if its task makes no prompt for it, only this call fails. */
export function tryReserveCost(...of: Parameters<typeof reserveCost>): CostReservation | Failure {
  try {
    return reserveCost(...of)
  } catch (error) {
    if (isUsageError(error)) throw error
    const why = error instanceof Error ? error.message : String(error)
    return failure('threw', why, 'never', { boundary: 'task', free: true })
  }
}

/** @throws StoreError if the task makes no prompt of what the ledger holds. */
function requestOf(sources: Sources, { item, shared, style }: LeasedCall): Request {
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

/** Most tokens of a call, read and written, as far as they are limited; 0 if it cannot be sent. */
export function sizeOf(...of: Parameters<typeof callBounds>): number {
  try {
    const { input, output } = callBounds(...of)
    return input + (output ?? 0)
  } catch (error) {
    if (isUsageError(error)) throw error
    return 0
  }
}

/** Most tokens that a call can read and write. */
export function callBounds(
  sources: Sources,
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'maxInput' | 'maxOutput'>; readonly spec: RunModel },
  call: LeasedCall,
  settings: Settings,
): Bounds {
  const { item, shared } = call
  const request = requestOf(sources, call)
  const scored =
    model.kind === 'chat'
      ? null
      : request.kind === 'score'
        ? 1
        : (sources.task(item.source).choices?.({ shared, given: item.given }).length ?? 1)
  const bounds = boundsOf(request, maxOutputTokens(spec, settings, model), scored)
  return model.maxInput === undefined ? bounds : { ...bounds, input: model.maxInput(bounds.input, settings) }
}

/** The token counts that a server reports for a call, and its cost. */
export interface ActualCost {
  /** Plausible counts. */
  readonly usage: TokenUsage
  /** Descriptions of the implausible ones. */
  readonly refused: readonly string[]
  /** US dollars; undefined: not known, and the reservation stays booked. */
  readonly usd: number | undefined
}

/**
 * What a response cost by its counts. Implausible counts are not believed as long as the reservation covers them; beyond
 * it, the server has ignored `maxTokens`, and all that it may bill is booked.
 */
export function actualCost(
  price: RunModel['price'],
  reported: TokenUsage,
  { maxUsd, bounds }: CostReservation,
): ActualCost {
  const { usage, refused, above } = checkUsage(reported, bounds)
  if (refused.length === 0) return { usage, refused, usd: costOf(price, usage) }
  const usd = above === null ? undefined : costOf(price, above)
  return usd === undefined || usd <= maxUsd
    ? { usage, refused, usd: undefined }
    : { usage: { ...usage, ...above }, refused, usd }
}

/** Cost in US dollars by the counts in an unreadable body, if it exceeds the reservation; else undefined. */
export function costAboveReservation(
  price: RunModel['price'],
  body: string | null,
  reservation: CostReservation,
): number | undefined {
  if (price === null || body === null) return undefined
  const { usd } = actualCost(price, usageIn(body), reservation)
  return usd !== undefined && usd > reservation.maxUsd ? usd : undefined
}

/** Did a call cost more than was reserved for it? */
export const exceedsReservation = (
  usd: number | undefined,
  { maxUsd }: Pick<CostReservation, 'maxUsd'>,
): usd is number => usd !== undefined && maxUsd > 0 && usd > maxUsd

/** Why a model is called no more whose server takes more than was reserved, while a cost limit is to be kept. */
export const overrunCause = (usd: number, { maxUsd }: Pick<CostReservation, 'maxUsd'>): StopCause => ({
  kind: 'overrun',
  code: 'above-maximum',
  message: `a call cost $${usd.toFixed(4)} by what its server says, and at most $${maxUsd.toFixed(4)} was set aside for it`,
  advice:
    'the server exceeds maxTokens (or adds a long prompt), so no limit in dollars can be kept: take a server that does, or a new run with a maxTokens as high as it writes',
  retryOnResume: false,
})

/** Says what was booked for implausible counts. */
export const describeBooked = (usd: number | undefined, reservation: Pick<CostReservation, 'maxUsd'>): string =>
  exceedsReservation(usd, reservation)
    ? `booked is what that costs, $${usd.toFixed(4)}, where $${reservation.maxUsd.toFixed(4)} was set aside`
    : 'booked is what was set aside'
