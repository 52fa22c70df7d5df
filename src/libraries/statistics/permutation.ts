import type { Stream } from '../../core/streams.ts'
import { type Clusters, checkLengths, clustering, clusterSums } from './clusters.ts'
import { drawBinomial } from './distributions/binomial.ts'

/** A test by flipping signs: the mean difference and its p. */
export interface PermutationTest {
  readonly statistic: number
  /** Two-sided. Sampled: (1 + as extreme) / (1 + draws), never 0 (Phipson and Smyth 2010). */
  readonly p: number
  readonly draws: number
  readonly method: 'exact' | 'sampled'
}

/** Random stream and number of sign patterns. */
export interface PermutationOptions {
  readonly stream: Stream
  /** Default: 10,000; all 2^G sign patterns are counted instead if they are no more. */
  readonly draws?: number
}

/** Sums that differ by rounding only count as equal. */
const SLACK = 1 + 1e-12

/**
 * Sign-flip test of a mean paired difference of zero: all differences of a cluster change sign together, which is exact when, with no
 * effect, the two conditions are exchangeable within a cluster. The statistic is the mean difference.
 *
 * @example
 * import { analysisStream, signFlipTest } from '@touchstone-eval/touchstone/statistics'
 *
 * const stream = analysisStream(1, 'flips')
 * console.log(signFlipTest([1, 1, 1, 1, 0, 1], [0, 1, 2, 3, 4, 5], { stream }).p) // 0.0625
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
  const sizes = sizesOf(sums)
  const heads = headsOf(stream)
  let extreme = 0
  for (let b = 0; b < draws; b++) {
    let flipped = 0
    for (const { size, count } of sizes) flipped += size * (2 * heads(count) - count)
    if (Math.abs(flipped) >= bound) extreme++
  }
  return { statistic, p: (1 + extreme) / (1 + draws), draws, method: 'sampled' }
}

interface Size {
  readonly size: number
  readonly count: number
}

/** Numbers of sums by absolute size: of equal sizes only the number of each sign matters. */
function sizesOf(sums: Float64Array): readonly Size[] {
  const counts = new Map<number, number>()
  for (const sum of sums) counts.set(Math.abs(sum), (counts.get(Math.abs(sum)) ?? 0) + 1)
  return Array.from(counts, ([size, count]) => ({ size, count }))
}

/** From this many coins on, one binomial draw is faster than counting bits. */
const MANY = 4096

/** Heads among fair coins: whole words of the stream, then the bits left of the last word. */
function headsOf(stream: Stream): (coins: number) => number {
  let [word, left] = [0, 0]
  return (coins) => {
    if (coins >= MANY) return drawBinomial(stream, coins, 0.5)
    let count = 0
    let rest = coins
    for (; rest >= WORD; rest -= WORD) {
      count += ones(stream.u32())
      left = 0
    }
    if (rest === 0) return count
    if (left < rest) {
      word = stream.u32()
      left = WORD
    }
    count += ones(word & (0xffffffff >>> (WORD - rest)))
    word >>>= rest
    left -= rest
    return count
  }
}

const WORD = 32

/** How many bits of a word are set (Warren, Hacker's Delight, 2nd ed., 5-1). */
function ones(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
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
