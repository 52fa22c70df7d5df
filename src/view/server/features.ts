import type { Frame } from '../../core/index.ts'
import { type Json, UsageError } from '../../core/index.ts'
import type { ViewedRun } from './open-runs.ts'

/** What a frame holds of a feature, as the value that the item has. */
export type FeatureReader = (level: string | null) => Json

/** How the levels of a feature are read: frames hold booleans as 1 and 0, and numbers as their text. @throws UsageError where no item has it */
export async function featureReader(viewed: ViewedRun, frame: Frame, name: string): Promise<FeatureReader> {
  const column = `feature_${name}`
  if (!frame.has(column)) throw new UsageError(`the items of this run have no feature "${name}"`)
  const type = (await viewed.rows())?.columns.find((one) => one.name === column)?.type
  return (level) =>
    level === null
      ? null
      : type === 'boolean'
        ? level === '1' || level === 'true'
        : type === 'number' || type === 'integer'
          ? Number(level)
          : level
}
