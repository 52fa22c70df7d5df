import { type Json, UsageError } from '../../core/index.ts'
import type { RunFrames } from '../../store/index.ts'

/** A feature with its original type: frames store booleans as 1 and 0, and numbers as text. */
export interface FeatureReader {
  readonly isNumber: boolean
  /** The value of a level. */
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
