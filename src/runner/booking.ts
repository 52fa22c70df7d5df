import { isUsageError, type Request } from '../core/index.ts'
import { type Bounds, type Failure, failure, type Model, type Settings } from '../models/index.ts'
import { isStoreError, type LeasedCell, StoreError } from '../store/index.ts'
import { boundsOf, maxOutput, mostOf } from './money.ts'
import type { RunModel } from './resolve.ts'
import type { Sources } from './sources.ts'

/** What is set aside for a call: the most it can cost in US dollars, 0 where it is free, and the tokens that come to it. */
export interface Booking {
  readonly most: number
  /** null: the model has no price, and nothing is worked out. */
  readonly bounds: Bounds | null
}

/** Works out what a call can cost at most, from its prompt and its settings. */
export function bookingOf(
  sources: Sources,
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'maxInput' | 'maxOutput'>; readonly spec: RunModel },
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
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'maxInput' | 'maxOutput'>; readonly spec: RunModel },
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
  const bounds = boundsOf(request, maxOutput(spec, settings, model), scored)
  return model.maxInput === undefined ? bounds : { ...bounds, input: model.maxInput(bounds.input, settings) }
}
