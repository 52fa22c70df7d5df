import type { Estimate } from '../../core/analysis.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { normalCdf, normalQuantile } from './distributions/normal.ts'
import { chiSquaredQuantile, chiSquaredUpper, tQuantile, tTwoSided } from './distributions/test-statistics.ts'
import { mean } from './moments.ts'
import { bisect } from './numeric.ts'

/** The effect of one task and its standard error, above 0. */
export interface Effect {
  readonly value: number
  readonly standardError: number
}

/** The pooled effect of tasks taken as a sample of all tasks. */
export interface RandomEffects {
  /** The mean effect over tasks; `n` counts tasks. */
  readonly effect: Estimate
  readonly standardError: number
  /** Two-sided, of no mean effect. */
  readonly p: number
  /** Standard deviation of the true effects between tasks, with its interval. */
  readonly tau: { readonly value: number; readonly low: number; readonly high: number }
  /** Cochran's test that all tasks have one effect. */
  readonly heterogeneity: { readonly q: number; readonly df: number; readonly p: number }
  /** Range of the effect on a new task. */
  readonly prediction: Prediction
}

/** With two tasks there is no prediction interval. */
export type Prediction =
  | { readonly kind: 'interval'; readonly low: number; readonly high: number }
  | { readonly kind: 'unknown'; readonly tasks: 2 }

/** Confidence and range of effects. */
export interface PoolOptions {
  readonly confidence?: number
  /** Range of possible effects: intervals are clipped to it. */
  readonly bounds?: readonly [number, number]
}

/** Halvings in search of a root: to the last digits. */
const HALVINGS = 60
/** Steps of the confidence distribution of a variance. */
const STEPS = 100

/**
 * Random-effects mean of independent effects y_j with errors s_j: y_j ~ N(mu, s_j^2 + tau^2), tau^2 by Paule and Mandel (1982), who solve
 * Q(tau^2) = sum w_j (y_j - mu)^2 = k - 1 with w_j = 1 / (s_j^2 + tau^2); interval and p of mu by Hartung and Knapp (2001), t on k - 1
 * degrees of freedom, the error never below 1 / sqrt(sum w_j) (which with this tau^2 it is exactly, or above). tau has the interval
 * of the Q profile (Viechtbauer 2007); a further task has that of `further`. With two tasks t has one degree of freedom
 * and there is no prediction interval. null with fewer than two. Throws for an error that is not above 0.
 *
 * @example
 * import { randomEffects } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(randomEffects([{ value: 0.1, standardError: 0.05 }, { value: 0.2, standardError: 0.05 }])?.effect.value.toFixed(3)) // 0.150
 */
export function randomEffects(
  effects: readonly Effect[],
  { confidence = DEFAULT_CONFIDENCE, bounds }: PoolOptions = {},
): RandomEffects | null {
  const k = effects.length
  const half = 0.5 + checkConfidence(confidence) / 2
  for (const { value, standardError } of effects) {
    if (!(Number.isFinite(value) && standardError > 0 && Number.isFinite(standardError)))
      throw new RangeError(`an effect needs a finite value and an error above 0, got ${value} with ${standardError}`)
  }
  if (k < 2) return null
  const [least, most] = bounds ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const between = varianceWhere(effects, k - 1)
  const { mean, weight, q } = weighed(effects, between)
  // Q is below k - 1 only where the variance is clipped at 0: then the errors of the tasks alone give the error of the mean.
  const standardError = Math.sqrt(Math.max(1, q / (k - 1)) / weight)
  const reach = tQuantile(half, k - 1) * standardError
  const alone = weighed(effects, 0).q
  const clip = (value: number): number => Math.min(most, Math.max(least, value))
  return {
    effect: {
      value: mean,
      low: clip(mean - reach),
      high: clip(mean + reach),
      n: k,
      method: `Paule-Mandel over ${k} tasks, Hartung-Knapp ${percentOf(confidence)}`,
    },
    standardError,
    p: tTwoSided(mean / standardError, k - 1),
    tau: {
      value: Math.sqrt(between),
      low: Math.sqrt(varianceWhere(effects, chiSquaredQuantile(half, k - 1))),
      high: Math.sqrt(varianceWhere(effects, chiSquaredQuantile(1 - half, k - 1))),
    },
    heterogeneity: { q: alone, df: k - 1, p: chiSquaredUpper(alone, k - 1) },
    prediction: further(effects, half, clip),
  }
}

/**
 * Where the effect on a further task lies: were tau^2 known, it would be normal around the mean with tau^2 + 1 / sum w_j; tau^2 is
 * taken at equal steps of its confidence distribution, where Q(tau^2) is a quantile of chi-squared on k - 1 (after Nagashima,
 * Noma and Furukawa,
 * Statistical Methods in Medical Research 28, 2019). One estimate of tau^2 in its place holds too few tasks where they differ
 * little.
 */
function further(effects: readonly Effect[], half: number, clip: (value: number) => number): Prediction {
  if (effects.length === 2) return { kind: 'unknown', tasks: 2 }
  const normals = Array.from({ length: STEPS }, (_, i) => {
    const between = varianceWhere(effects, chiSquaredQuantile((i + 0.5) / STEPS, effects.length - 1))
    const { mean, weight } = weighed(effects, between)
    return { mean, spread: Math.sqrt(between + 1 / weight) }
  })
  const below = (x: number): number =>
    normals.reduce((total, { mean, spread }) => total + normalCdf((x - mean) / spread), 0) / STEPS
  const reach = normalQuantile(half)
  const low = Math.min(...normals.map(({ mean, spread }) => mean - reach * spread))
  const high = Math.max(...normals.map(({ mean, spread }) => mean + reach * spread))
  const at = (p: number): number => clip(crossing((x) => below(x) < p, low, high))
  return { kind: 'interval', low: at(1 - half), high: at(half) }
}

/** Weighted mean and Q. Called thousands of times per interval, so it allocates nothing. */
function weighed(effects: readonly Effect[], between: number) {
  let [weight, sum] = [0, 0]
  for (const { value, standardError } of effects) {
    const own = 1 / (standardError ** 2 + between)
    weight += own
    sum += own * value
  }
  const mean = sum / weight
  let q = 0
  for (const { value, standardError } of effects) q += (1 / (standardError ** 2 + between)) * (value - mean) ** 2
  return { mean, weight, q }
}

/** The variance between effects at which Q, which falls with it, is the target; 0 where Q is below it from the start. */
function varianceWhere(effects: readonly Effect[], target: number): number {
  const above = (variance: number): boolean => weighed(effects, variance).q > target
  if (!above(0)) return 0
  let [low, high] = [0, Math.max(...effects.map(({ standardError }) => standardError ** 2))]
  while (above(high)) {
    low = high
    high *= 2
  }
  return crossing(above, low, high)
}

/** The x up to which `holds` is true. */
const crossing = (holds: (x: number) => boolean, from: number, to: number): number =>
  mean(bisect(holds, from, to, HALVINGS))
