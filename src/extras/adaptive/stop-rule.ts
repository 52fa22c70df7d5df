import { UsageError } from '../../core/index.ts'
import type { Threshold } from '../../libraries/statistics/index.ts'

/** The precision at which a model is called no more. */
export interface StopRule {
  readonly threshold: 'x50' | 'x75'
  /** `width` of the 95 % interval, or its standard error. */
  readonly measure: 'width' | 'se'
  readonly below: number
}

/** @throws UsageError */
export function parseStopRule(text: string): StopRule {
  const found = /^\s*(x50|x75)\s+(width|se)\s*<\s*(\d*\.?\d+)\s*$/u.exec(text)
  const below = Number(found?.[3])
  if (found === null || !(below > 0))
    throw new UsageError(
      `until "${text}": an adaptive run stops at "x50 width<2" or "x75 se<0.5", in steps of its parameter`,
    )
  return { threshold: found[1] as StopRule['threshold'], measure: found[2] as StopRule['measure'], below }
}

/** Half a 95 % interval in standard errors. */
const HALF = 1.96

/** Is the threshold as precise as required? An interval that is cut off by the range of values is not. */
export function isPreciseEnough({ measure, below }: StopRule, threshold: Threshold | null): boolean {
  if (threshold === null || threshold.kind === 'outside' || threshold.open !== 'neither') return false
  const width = threshold.high - threshold.low
  return (measure === 'width' ? width : width / (2 * HALF)) < below
}
