import { UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  conditionCount,
  type ItemsFilter,
  isSubset,
  parametersOf,
  type SubsetSize,
  subsetFilter,
} from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { INSIDE, sidesOf } from './sides.ts'

/** A subset of items by properties, and the number of subsets viewed including this one. */
export interface Subset {
  readonly filter: ItemsFilter
  readonly views: number
}

/** Most subsets viewed: beyond this, intervals cannot be computed. */
const MAX_VIEWS = 100_000

/** @throws UsageError for an invalid number of views */
export function viewCountOf(text: string | null): number {
  const views = Number(text ?? '1')
  if (!Number.isInteger(views) || views < 1 || views > MAX_VIEWS)
    throw new UsageError(`views are a whole number from 1 to ${MAX_VIEWS}, got ${views}`)
  return views
}

/** Confidence of each interval so that all hold jointly with 95 %. */
export const confidenceOf = (views: number): number => 1 - 0.05 / views

/** @throws UsageError where items are selected by what came of them */
export function requireSubset(filter: ItemsFilter): void {
  if (!isSubset(filter))
    throw new UsageError(
      'who chooses items by what was answered chooses the shares: choose by task, style, config or feature',
    )
}

/** The subset of a filter; null: all items. @throws UsageError if it selects by outcome */
export function subsetFrom(filter: ItemsFilter, views: number): Subset | null {
  if (conditionCount(filter) === 0) return null
  requireSubset(filter)
  return { filter: subsetFilter(filter), views }
}

/** The rows of a subset and its size; all rows without a subset. */
export async function subsetFrames(
  viewed: ViewedRun,
  all: RunFrames,
  subset: Subset | null,
): Promise<{ readonly frames: RunFrames; readonly subsetSize: SubsetSize | null }> {
  if (subset === null) return { frames: all, subsetSize: null }
  const { filter, views } = subset
  const frames = await viewed.remembered(`subset ${JSON.stringify(parametersOf(filter))}`, async () => {
    const frame = all.frame('strict')
    const sides = frame === null ? new Int32Array() : sidesOf(all, frame, filter)
    return all.ofRows(Int32Array.from(sides.keys()).filter((row) => sides[row] === INSIDE))
  })
  const items = (of: RunFrames): number => of.frame('strict')?.category('item').levels.length ?? 0
  return { frames, subsetSize: { items: items(frames), all: items(all), views } }
}
