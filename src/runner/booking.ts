import type { Bounds, Model, Settings } from '../models/index.ts'
import type { LeasedCell } from '../store/index.ts'
import { boundsOf, mostOf, mostOutput } from './money.ts'
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
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'mostInput' | 'mostOutput'>; readonly spec: RunModel },
  cell: LeasedCell,
  settings: Settings,
): Booking {
  if (spec.price === null) return { most: 0, bounds: null }
  const bounds = callBounds(sources, { model, spec }, cell, settings)
  return { most: mostOf(spec.price, bounds), bounds }
}

/** The most tokens that a call can take and bring. */
export function callBounds(
  sources: Sources,
  { model, spec }: { readonly model: Pick<Model, 'kind' | 'mostInput' | 'mostOutput'>; readonly spec: RunModel },
  cell: LeasedCell,
  settings: Settings,
): Bounds {
  const { item, shared, style } = cell
  const request = sources.request(item, shared, style)
  const scored =
    model.kind === 'chat'
      ? null
      : request.kind === 'score'
        ? 1
        : (sources.task(item.source).choices?.({ shared, given: item.given }).length ?? 1)
  const bounds = boundsOf(request, mostOutput(spec, settings, model), scored)
  return model.mostInput === undefined ? bounds : { ...bounds, input: model.mostInput(bounds.input, settings) }
}
