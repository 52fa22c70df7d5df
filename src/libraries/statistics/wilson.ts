import type { Estimate } from '../../core/analysis.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { normalQuantile } from './distributions/normal.ts'

/**
 * Wilson's score interval of a proportion: centre (p + z^2/2n) / (1 + z^2/n), half width
 * z sqrt(p(1-p)/n + z^2/4n^2) / (1 + z^2/n). E. B. Wilson, JASA 22 (1927). null where nothing was counted.
 *
 * @example
 * import { wilson } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(wilson(9, 10)?.low.toFixed(4)) // 0.5958
 */
export function wilson(successes: number, n: number, confidence: number = DEFAULT_CONFIDENCE): Estimate | null {
  if (!(n >= 0 && successes >= 0 && successes <= n)) {
    throw new RangeError(`a proportion needs 0 <= successes <= n, got ${successes} of ${n}`)
  }
  if (n === 0) return null
  const z = normalQuantile(0.5 + checkConfidence(confidence) / 2)
  return { value: successes / n, ...wilsonBounds(successes / n, n, z), n, method: `Wilson ${percentOf(confidence)}` }
}

/** The interval of a share `p` seen on `n` (perhaps effective, fractional) observations, at critical value `z`. */
export function wilsonBounds(p: number, n: number, z: number): { readonly low: number; readonly high: number } {
  const square = z * z
  const scale = 1 / (1 + square / n)
  const centre = (p + square / (2 * n)) * scale
  const half = z * Math.sqrt((p * (1 - p)) / n + square / (4 * n * n)) * scale
  return { low: p === 0 ? 0 : Math.max(0, centre - half), high: p === 1 ? 1 : Math.min(1, centre + half) }
}
