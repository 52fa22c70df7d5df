import { normalTwoSided } from './distributions/normal.ts'
import { midranks } from './ranks.ts'

export interface MannWhitney {
  /** Pairs in which a is above b, ties one half. */
  readonly u: number
  /** u / (n_a n_b): the chance that a value of a is above one of b. */
  readonly effect: number
  readonly z: number
  /** Two-sided; normal approximation with tie and continuity corrections. */
  readonly p: number
}

/**
 * Mann-Whitney-Wilcoxon test of two independent samples. Var U = n_a n_b / 12 ((N+1) - sum(t^3 - t) / (N (N-1))). null where all values
 * are equal. Both samples must hold something.
 */
export function mannWhitney(a: ArrayLike<number>, b: ArrayLike<number>): MannWhitney | null {
  if (a.length === 0 || b.length === 0) throw new RangeError('a two-sample test needs values in both samples')
  const [m, n] = [a.length, b.length]
  const { ranks, ties } = midranks([...Array.from(a), ...Array.from(b)])
  let sum = 0
  for (let i = 0; i < m; i++) sum += ranks[i] as number
  const u = sum - (m * (m + 1)) / 2
  const total = m + n
  const tied = ties.reduce((all, t) => all + (t * t * t - t), 0)
  const variance = ((m * n) / 12) * (total + 1 - tied / (total * (total - 1)))
  if (variance <= 0) return null
  const distance = u - (m * n) / 2
  const z = (Math.sign(distance) * Math.max(0, Math.abs(distance) - 0.5)) / Math.sqrt(variance)
  return { u, effect: u / (m * n), z, p: normalTwoSided(z) }
}
