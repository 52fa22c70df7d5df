import { type Frame, type Json, UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'
import {
  conditionCount,
  conditionsByName,
  type ItemsFilter,
  isSubset,
  keeps,
  parametersOf,
  type SubsetSize,
  subsetFilter,
} from '../api/index.ts'
import type { ViewedRun } from './open-runs.ts'
import { numberOf } from './query.ts'

/** A feature with its original type: frames store booleans as 1 and 0, and numbers as text. */
interface FeatureReader {
  readonly isNumber: boolean
  read(level: string | null): Json
}

/** @throws UsageError where no item has the feature */
export function featureReader({ specs }: RunFrames, name: string): FeatureReader {
  const type = specs.find((one) => one.name === `feature_${name}`)?.type
  if (type === undefined) throw new UsageError(`the items of this run have no feature "${name}"`)
  return {
    isNumber: type === 'number' || type === 'integer',
    read: (level) =>
      level === null || type === 'text'
        ? level
        : type === 'boolean'
          ? level === '1' || level === 'true'
          : Number(level),
  }
}

/** Sides of a subset; rows that lack a feature of the filter are on none. */
export const [OUTSIDE, INSIDE, APART] = [0, 1, 2] as const

/** The side of each row of a frame. @param rows - default: all. @throws UsageError for an unknown feature, or a bound on one that is not numeric */
export function sidesOf(
  frames: RunFrames,
  frame: Frame,
  filter: ItemsFilter,
  rows: Int32Array | null = null,
): Int32Array {
  const sides = new Int32Array(rows?.length ?? frame.length).fill(INSIDE)
  const lay = (sideOf: (row: number) => number): void => {
    for (let at = 0; at < sides.length; at++) {
      const side = sideOf(rows === null ? at : (rows[at] as number))
      if (side === APART || sides[at] === INSIDE) sides[at] = side
    }
  }
  const layLevels = (column: string, sideOf: (level: string | null) => number): void => {
    const { codes, levels } = frame.category(column)
    const known = levels.map(sideOf)
    const missing = sideOf(null)
    lay((row) => known[codes[row] as number] ?? missing)
  }
  for (const column of ['task', 'style', 'config'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) layLevels(column, (level) => (level === wanted ? INSIDE : OUTSIDE))
  }
  for (const [name, conditions] of conditionsByName(filter.feature)) {
    const { read, isNumber } = featureReader(frames, name)
    for (const condition of conditions) {
      if (condition.operator === '=') continue
      if (!isNumber) throw new UsageError(`${name} ${condition.operator} needs a feature that is a number`)
      numberOf(condition)
    }
    layLevels(`feature_${name}`, (level) =>
      level === null ? APART : keeps(read(level), conditions) ? INSIDE : OUTSIDE,
    )
  }
  return sides
}

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

/** @throws UsageError where items are selected by their outcome */
export function requireSubset(filter: ItemsFilter): void {
  if (!isSubset(filter))
    throw new UsageError(
      'a subset chosen by the responses would fix the shares in advance. Choose by task, style, config or feature',
    )
}

/** The subset of a filter; null: all items. @throws UsageError if it selects by outcome */
export function subsetFrom(filter: ItemsFilter, views: number): Subset | null {
  if (conditionCount(filter) === 0) return null
  requireSubset(filter)
  return { filter: subsetFilter(filter), views }
}

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
