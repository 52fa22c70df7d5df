/**
 * Kullback-Leibler divergence KL(p || q) = sum p ln(p / q), in nats; 0 ln 0 = 0, and Infinity where q misses what p has.
 * Both are distributions over the same outcomes (sums 1 within 1e-9).
 *
 * @example
 * import { kl } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(kl([0.5, 0.5], [0.25, 0.75]).toFixed(4)) // 0.1438
 */
export function kl(p: readonly number[], q: readonly number[]): number {
  if (p.length !== q.length)
    throw new RangeError(`a divergence needs the same outcomes, got ${p.length} and ${q.length}`)
  checkDistribution('p', p)
  checkDistribution('q', q)
  let total = 0
  for (let i = 0; i < p.length; i++) {
    const share = p[i] as number
    if (share > 0) total += share * Math.log(share / (q[i] as number))
  }
  return Math.max(0, total)
}

/**
 * Additive smoothing: (count + epsilon) / (total + outcomes * epsilon). The epsilon is part of any figure made with it.
 *
 * @example
 * import { smoothed } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(smoothed([1, 0], 1).map((share) => share.toFixed(3))) // [ '0.667', '0.333' ]
 */
export function smoothed(counts: readonly number[], epsilon: number): number[] {
  const total = counts.reduce((sum, x) => sum + x, 0)
  const all = total + counts.length * epsilon
  if (!(epsilon >= 0) || !(all > 0) || counts.some((x) => !(x >= 0))) {
    throw new RangeError(
      `smoothing needs counts >= 0 with a positive sum or epsilon > 0, got sum ${total}, epsilon ${epsilon}`,
    )
  }
  return counts.map((x) => (x + epsilon) / all)
}

/**
 * The uniform distribution over n outcomes.
 *
 * @example
 * import { uniform } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(uniform(4)) // [ 0.25, 0.25, 0.25, 0.25 ]
 */
export const uniform = (n: number): number[] => Array.from({ length: n }, () => 1 / n)

/**
 * Shannon entropy -sum p ln p, in nats.
 *
 * @example
 * import { entropy } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(entropy([0.5, 0.5]).toFixed(4)) // 0.6931
 */
export function entropy(p: readonly number[]): number {
  checkDistribution('p', p)
  let total = 0
  for (const share of p) if (share > 0) total -= share * Math.log(share)
  return Math.max(0, total)
}

/**
 * Good's estimate of how much of a distribution a sample has seen: 1 - outcomes seen once / n (Good, Biometrika 40, 1953).
 *
 * @example
 * import { sampleCoverage } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(sampleCoverage([3, 1, 1])) // 0.6
 */
export function sampleCoverage(counts: readonly number[]): number {
  const n = checkCounts(counts)
  return 1 - counts.filter((count) => count === 1).length / n
}

/**
 * Shannon entropy of the distribution a sample came from, in nats, by the coverage-adjusted estimator of Chao and Shen
 * (Environmental and Ecological Statistics 10, 2003): it makes up for outcomes not seen, where the plug-in entropy of the shares is too
 * small. Of little worth where {@link sampleCoverage} is low; where every outcome was seen once, one is taken not to have been.
 *
 * @example
 * import { chaoShenEntropy } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(chaoShenEntropy([5, 5, 5, 5]).toFixed(3)) // 1.391
 */
export function chaoShenEntropy(counts: readonly number[]): number {
  const n = checkCounts(counts)
  const once = counts.filter((count) => count === 1).length
  const covered = 1 - Math.min(once, n - 1) / n
  let total = 0
  for (const count of counts) {
    if (count === 0) continue
    const share = (covered * count) / n
    total -= (share * Math.log(share)) / (1 - (1 - share) ** n)
  }
  return Math.max(0, total)
}

function checkCounts(counts: readonly number[]): number {
  const n = counts.reduce((sum, count) => sum + count, 0)
  if (n === 0 || counts.some((count) => !Number.isInteger(count) || count < 0))
    throw new RangeError(`counts are integers from 0 with a positive sum, got sum ${n}`)
  return n
}

function checkDistribution(name: string, p: readonly number[]): void {
  const total = p.reduce((sum, x) => sum + x, 0)
  if (!(Math.abs(total - 1) <= 1e-9) || p.some((x) => !(x >= 0))) {
    throw new RangeError(`${name} must be shares >= 0 that sum to 1, got sum ${total}; see smoothed()`)
  }
}
