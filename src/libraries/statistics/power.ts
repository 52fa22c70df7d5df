import { DEFAULT_CONFIDENCE } from './confidence.ts'
import { normalCdf, normalQuantile } from './distributions/normal.ts'
import { moments } from './moments.ts'

/** Size and power of a two-sided test. Sample sizes below are normal approximations, rounded up. */
export interface TestSize {
  /** Two-sided. Default: 0.05. */
  readonly alpha?: number
  /** Default: 0.8. */
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
export function itemsForMargin(margin: number, p = 0.5, confidence: number = DEFAULT_CONFIDENCE): number {
  positive('margin', margin)
  const z = normalQuantile(0.5 + confidence / 2)
  return Math.ceil((z * z * p * (1 - p)) / (margin * margin))
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

/** The power of a paired comparison. */
export type PowerRatio = {
  /** Power ratio: items over the items needed for this difference; null: no difference. */
  readonly resolution: number | null
  /** Further items needed; null: no difference. */
  readonly needed: number | null
}

/**
 * Items and the items needed, N* = deff (z_a sqrt(s) + z_b sqrt(s - d^2))^2 / d^2, for gaps between two models on shared
 * items, d their mean and s their mean square (Connor, Biometrics 43, 1987; q = N / N*, Kotawala 2605.30315).
 * `standardError` is that of the mean gap with items in groups: what it has over independent items is the design effect.
 *
 * @example
 * import { powerRatio } from '@touchstone-eval/touchstone/statistics'
 *
 * const { needed } = powerRatio([1, 0, 0, -1, 1, 0, 1, 0], 0.27)
 * console.log(needed) // 63
 */
export function powerRatio(
  gaps: ArrayLike<number>,
  standardError: number,
  { alpha = 0.05, power = 0.8 }: TestSize = {},
): PowerRatio {
  const n = gaps.length
  const { mean, variance } = moments(gaps)
  if (mean === 0) return { resolution: null, needed: null }
  let square = 0
  for (let i = 0; i < n; i++) square += (gaps[i] as number) ** 2 / n
  // Equal gaps have no error.
  const design = variance === 0 ? 1 : Math.max(1, (standardError * standardError) / (variance / n))
  const reach =
    normalQuantile(1 - alpha / 2) * Math.sqrt(square) +
    normalQuantile(power) * Math.sqrt(Math.max(0, square - mean ** 2))
  const enough = (design * reach ** 2) / mean ** 2
  return { resolution: n / enough, needed: Math.max(0, Math.ceil(enough - n)) }
}

/** The samples that two models gave to one item: how many, and how many points they won in all and squared. */
export interface SampledPair {
  readonly a: Sampled
  readonly b: Sampled
}

/** Samples of one item: how many, their sum and their sum of squares. */
export interface Sampled {
  readonly n: number
  readonly sum: number
  readonly squares: number
}

/** Where the noise of a paired comparison comes from. */
export interface VarianceComponents {
  /** Items that both models answered twice or more. */
  readonly items: number
  /** Variance of a difference from one sample to the next on one item: more samples lower it. */
  readonly withinItems: number
  /** Variance of the true difference from item to item: only more items lower it; negative estimates become 0. */
  readonly betweenItems: number
}

/**
 * The variance of paired differences divided into that of samples and that of items: s2P = mean of s2(A_i) + s2(B_i), and
 * s2D = S2(D_i) less the part of s2P that stays in means of several samples (Wang 2512.21326). null with fewer than two
 * items that both sampled twice.
 *
 * @example
 * import { varianceComponents } from '@touchstone-eval/touchstone/statistics'
 *
 * const sampled = { n: 4, sum: 2, squares: 2 }
 * console.log(varianceComponents([{ a: sampled, b: sampled }, { a: sampled, b: sampled }])?.withinItems.toFixed(4)) // 0.6667
 */
export function varianceComponents(pairs: readonly SampledPair[]): VarianceComponents | null {
  const sampled = pairs.filter(({ a, b }) => a.n > 1 && b.n > 1)
  if (sampled.length < 2) return null
  const differences = sampled.map(({ a, b }) => a.sum / a.n - b.sum / b.n)
  const within = moments(sampled.map(({ a, b }) => spread(a) + spread(b))).mean
  const left = moments(sampled.map(({ a, b }) => spread(a) / a.n + spread(b) / b.n)).mean
  return {
    items: sampled.length,
    withinItems: within,
    betweenItems: Math.max(0, moments(differences).variance - left),
  }
}

/** Unbiased variance among the samples of one item. */
const spread = ({ n, sum, squares }: Sampled): number => Math.max(0, (squares - (sum * sum) / n) / (n - 1))

/**
 * Samples of an item that give the narrowest interval for the money, K* = sqrt(cost s2P / s2D), 1 at least: `cost` is what
 * another item costs over what another sample of it costs. null where items do not differ, and one item would do.
 *
 * @example
 * import { bestSamples } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(bestSamples({ items: 100, withinItems: 0.16, betweenItems: 0.04 }, 1)) // 2
 */
export function bestSamples({ withinItems, betweenItems }: VarianceComponents, cost: number): number | null {
  return betweenItems === 0 ? null : Math.max(1, Math.sqrt((cost * withinItems) / betweenItems))
}
