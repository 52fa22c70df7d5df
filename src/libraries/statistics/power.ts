import { normalCdf, normalQuantile } from './distributions/normal.ts'
import { DEFAULT_CONFIDENCE } from './level.ts'

/** How many items a question needs. Normal approximations, two-sided tests; results are whole numbers, rounded up. */

export interface TestSize {
  /** Chance of a false alarm, two-sided; 0.05 where nothing is said. */
  readonly alpha?: number
  /** Chance of seeing the effect; 0.8 where nothing is said. */
  readonly power?: number
}

/**
 * Items for an interval of half width `margin` around a proportion near `p` (0.5 is the worst): z^2 p(1-p) / margin^2.
 *
 * @example
 * import { itemsForMargin } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(itemsForMargin(0.03)) // 1068
 */
export function itemsForMargin(margin: number, p = 0.5, level: number = DEFAULT_CONFIDENCE): number {
  positive('margin', margin)
  const z = normalQuantile(0.5 + level / 2)
  return Math.ceil((z * z * p * (1 - p)) / (margin * margin))
}

/**
 * Items per model for two models on different items: Fleiss, Levin and Paik (2003), eq. 4.14, no continuity correction.
 *
 * @example
 * import { itemsForTwoProportions } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(itemsForTwoProportions(0.6, 0.7)) // 356
 */
export function itemsForTwoProportions(p: number, q: number, { alpha = 0.05, power = 0.8 }: TestSize = {}): number {
  positive('the difference', Math.abs(p - q))
  const mid = (p + q) / 2
  const z = normalQuantile(1 - alpha / 2) * Math.sqrt(2 * mid * (1 - mid))
  const reach = normalQuantile(power) * Math.sqrt(p * (1 - p) + q * (1 - q))
  return Math.ceil(((z + reach) / (p - q)) ** 2)
}

/**
 * Power of that design with `n` items per model.
 *
 * @example
 * import { powerOfTwoProportions } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(powerOfTwoProportions(0.6, 0.7, 356).toFixed(3)) // 0.800
 */
export function powerOfTwoProportions(p: number, q: number, n: number, alpha = 0.05): number {
  const mid = (p + q) / 2
  const z = normalQuantile(1 - alpha / 2) * Math.sqrt((2 * mid * (1 - mid)) / n)
  const se = Math.sqrt((p * (1 - p) + q * (1 - q)) / n)
  return twoSided(p - q, z, se)
}

/**
 * Items for two models on the same items, where `onlyA` and `onlyB` are the expected shares of items right under one only:
 * Connor (Biometrics 43, 1987), (z_a sqrt(s) + z_b sqrt(s - d^2))^2 / d^2 with s = onlyA + onlyB, d = onlyA - onlyB.
 *
 * @example
 * import { itemsForPairs } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(itemsForPairs(0.15, 0.1)) // 783
 */
export function itemsForPairs(onlyA: number, onlyB: number, { alpha = 0.05, power = 0.8 }: TestSize = {}): number {
  const s = onlyA + onlyB
  const d = onlyA - onlyB
  positive('the difference', Math.abs(d))
  if (!(onlyA >= 0 && onlyB >= 0 && s <= 1))
    throw new RangeError(`shares of discordant items lie in 0..1, got ${onlyA}, ${onlyB}`)
  return Math.ceil(
    (normalQuantile(1 - alpha / 2) * Math.sqrt(s) + normalQuantile(power) * Math.sqrt(s - d * d)) ** 2 / d ** 2,
  )
}

/**
 * Power of that design with `n` shared items.
 *
 * @example
 * import { powerOfPairs } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(powerOfPairs(0.15, 0.1, 1000).toFixed(3)) // 0.887
 */
export function powerOfPairs(onlyA: number, onlyB: number, n: number, alpha = 0.05): number {
  const s = onlyA + onlyB
  const d = onlyA - onlyB
  return twoSided(d, normalQuantile(1 - alpha / 2) * Math.sqrt(s / n), Math.sqrt((s - d * d) / n))
}

/**
 * Items for a paired difference `effect` of values with standard deviation `sd` of the differences: ((z_a + z_b) sd / effect)^2.
 *
 * @example
 * import { itemsForMean } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(itemsForMean(0.05, 0.5)) // 785
 */
export function itemsForMean(effect: number, sd: number, { alpha = 0.05, power = 0.8 }: TestSize = {}): number {
  positive('the effect', Math.abs(effect))
  return Math.ceil((((normalQuantile(1 - alpha / 2) + normalQuantile(power)) * sd) / effect) ** 2)
}

/**
 * The smallest mean difference that `n` items show with the given power.
 *
 * @example
 * import { detectableMean } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(detectableMean(400, 0.5).toFixed(4)) // 0.0700
 */
export function detectableMean(n: number, sd: number, { alpha = 0.05, power = 0.8 }: TestSize = {}): number {
  positive('n', n)
  return ((normalQuantile(1 - alpha / 2) + normalQuantile(power)) * sd) / Math.sqrt(n)
}

/**
 * By how much clusters of `size` items with intra-cluster correlation `icc` inflate a variance: 1 + (size - 1) icc (Kish 1965).
 *
 * @example
 * import { designEffect } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(designEffect(5, 0.1)) // 1.4
 */
export const designEffect = (size: number, icc: number): number => 1 + (size - 1) * icc

function twoSided(effect: number, critical: number, se: number): number {
  if (se === 0) return Math.abs(effect) > critical ? 1 : 0
  return normalCdf((effect - critical) / se) + normalCdf((-effect - critical) / se)
}

function positive(what: string, value: number): void {
  if (!(value > 0)) throw new RangeError(`${what} must be above 0, got ${value}`)
}
