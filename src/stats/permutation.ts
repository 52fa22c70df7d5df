import type { Stream } from '../core/stream.ts'
import { type Clusters, checkLengths, clustering, clusterSums } from './clusters.ts'

export interface PermutationTest {
  readonly statistic: number
  /** Two-sided. Sampled: (1 + as extreme) / (1 + draws), never 0 (Phipson and Smyth 2010). */
  readonly p: number
  readonly draws: number
  readonly method: 'exact' | 'sampled'
}

export interface PermutationOptions {
  readonly stream: Stream
  /** 10,000 where nothing is said; all 2^G sign patterns are counted instead where they are no more. */
  readonly draws?: number
}

/** Sums that differ by rounding only count as equal. */
const SLACK = 1 + 1e-12

/**
 * Sign-flip test of a mean paired difference of zero: all differences of a cluster change sign together, which is exact when, with no
 * effect, the two conditions are exchangeable within a cluster. The statistic is the mean difference.
 */
export function signFlipTest(
  differences: ArrayLike<number>,
  clusters: Clusters,
  { stream, draws = 10000 }: PermutationOptions,
): PermutationTest {
  checkLengths('differences and clusters', differences, clusters)
  const groups = clustering(clusters)
  // A cluster whose differences cancel is the same under either sign.
  const sums = clusterSums(differences, groups).filter((sum) => sum !== 0)
  let total = 0
  for (const x of sums) total += x
  const bound = Math.abs(total) / SLACK
  const statistic = differences.length === 0 ? 0 : total / differences.length
  if (sums.length <= 24 && 2 ** sums.length <= Math.max(draws, 4096)) {
    return { statistic, ...allSigns(sums, bound) }
  }
  let extreme = 0
  for (let b = 0; b < draws; b++) {
    let flipped = 0
    let bits = 0
    for (let g = 0; g < sums.length; g++) {
      if ((g & 31) === 0) bits = stream.u32()
      flipped += (bits >>> (g & 31)) & 1 ? (sums[g] as number) : -(sums[g] as number)
    }
    if (Math.abs(flipped) >= bound) extreme++
  }
  return { statistic, p: (1 + extreme) / (1 + draws), draws, method: 'sampled' }
}

function allSigns(sums: Float64Array, bound: number): Pick<PermutationTest, 'p' | 'draws' | 'method'> {
  const patterns = 2 ** sums.length
  let extreme = 0
  for (let pattern = 0; pattern < patterns; pattern++) {
    let flipped = 0
    for (let g = 0; g < sums.length; g++) flipped += (pattern >>> g) & 1 ? (sums[g] as number) : -(sums[g] as number)
    if (Math.abs(flipped) >= bound) extreme++
  }
  return { p: extreme / patterns, draws: patterns, method: 'exact' }
}
