/**
 * Kullback-Leibler divergence KL(p || q) = sum p ln(p / q), in nats; 0 ln 0 = 0, and Infinity where q misses what p has.
 * Both are distributions over the same outcomes (sums 1 within 1e-9).
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

/** Additive smoothing: (count + epsilon) / (total + outcomes * epsilon). The epsilon is part of any figure made with it. */
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

/** The uniform distribution over n outcomes. */
export const uniform = (n: number): number[] => Array.from({ length: n }, () => 1 / n)

/** Shannon entropy -sum p ln p, in nats. */
export function entropy(p: readonly number[]): number {
  checkDistribution('p', p)
  let total = 0
  for (const share of p) if (share > 0) total -= share * Math.log(share)
  return Math.max(0, total)
}

function checkDistribution(name: string, p: readonly number[]): void {
  const total = p.reduce((sum, x) => sum + x, 0)
  if (!(Math.abs(total - 1) <= 1e-9) || p.some((x) => !(x >= 0))) {
    throw new RangeError(`${name} must be shares >= 0 that sum to 1, got sum ${total}; see smoothed()`)
  }
}
