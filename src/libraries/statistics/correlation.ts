import type { Estimate } from '../../core/analysis.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { normalQuantile } from './distributions/normal.ts'
import { tTwoSided } from './distributions/test-statistics.ts'
import { mean } from './moments.ts'
import { midranks } from './rankings.ts'

/** A correlation in -1..1 of `n` complete pairs, with its test and interval. */
export interface Correlation {
  readonly r: number
  readonly n: number
  /** Two-sided, of no correlation: t = r sqrt((n-2)/(1-r^2)) on n - 2 degrees of freedom. */
  readonly p: number
  /** By Fisher's z; null for fewer than four pairs. */
  readonly estimate: Estimate | null
}

/** Pairs in which both numbers are there: missing ones are NaN in a frame. */
function complete(x: ArrayLike<number>, y: ArrayLike<number>): readonly [Float64Array, Float64Array] {
  if (x.length !== y.length) throw new RangeError(`a correlation needs pairs, got ${x.length} and ${y.length} values`)
  const [a, b] = [new Float64Array(x.length), new Float64Array(x.length)]
  let kept = 0
  for (let i = 0; i < x.length; i++) {
    const [first, second] = [x[i] as number, y[i] as number]
    if (Number.isNaN(first) || Number.isNaN(second)) continue
    a[kept] = first
    b[kept] = second
    kept++
  }
  return [a.subarray(0, kept), b.subarray(0, kept)]
}

/**
 * Pearson's correlation over complete pairs (NaN is missing), with Fisher's interval tanh(atanh r +- z / sqrt(n-3)). null with fewer than
 * three pairs or where a side is constant.
 *
 * @example
 * import { pearson } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(pearson([1, 2, 3, 4], [2, 4, 6, 9])?.r.toFixed(4)) // 0.9944
 */
export function pearson(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  confidence: number = DEFAULT_CONFIDENCE,
): Correlation | null {
  const [a, b] = complete(x, y)
  const r = productMoment(a, b)
  return r === null ? null : correlation(r, a.length, 1, 'Fisher', confidence)
}

/**
 * Spearman's rank correlation over complete pairs, ties by midranks; interval by Fisher's z with the standard error
 * sqrt((1 + r^2/2)/(n-3)) of Bonett and Wright (Psychometrika 65, 2000). null as in {@link pearson}.
 *
 * @example
 * import { spearman } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(spearman([1, 2, 3, 4], [2, 4, 9, 6])?.r.toFixed(4)) // 0.8000
 */
export function spearman(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  confidence: number = DEFAULT_CONFIDENCE,
): Correlation | null {
  const [a, b] = complete(x, y)
  const r = productMoment(midranks(a).ranks, midranks(b).ranks)
  return r === null ? null : correlation(r, a.length, 1 + (r * r) / 2, 'Bonett-Wright', confidence)
}

function productMoment(x: Float64Array, y: Float64Array): number | null {
  if (x.length < 3) return null
  const [mx, my] = [mean(x), mean(y)]
  let [xx, yy, xy] = [0, 0, 0]
  for (let i = 0; i < x.length; i++) {
    const dx = (x[i] as number) - mx
    const dy = (y[i] as number) - my
    xx += dx * dx
    yy += dy * dy
    xy += dx * dy
  }
  // What is left of a constant is the rounding of its mean.
  const floor = x.length * 1e-30
  if (xx <= floor * mx * mx || yy <= floor * my * my) return null
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)))
}

function correlation(r: number, n: number, spread: number, name: string, confidence: number): Correlation {
  const t = Math.abs(r) === 1 ? Number.POSITIVE_INFINITY : r * Math.sqrt((n - 2) / ((1 - r) * (1 + r)))
  const p = tTwoSided(t, n - 2)
  if (n < 4) return { r, n, p, estimate: null }
  const half = normalQuantile(0.5 + checkConfidence(confidence) / 2) * Math.sqrt(spread / (n - 3))
  const at = Math.atanh(r)
  const estimate = {
    value: r,
    low: Math.tanh(at - half),
    high: Math.tanh(at + half),
    n,
    method: `${name} ${percentOf(confidence)}`,
  }
  return { r, n, p, estimate }
}
