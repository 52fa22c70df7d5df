import type { Estimate } from '../../core/analysis.ts'
import { enc, sha256 } from '../../core/hash.ts'
import { below } from '../../core/random.ts'
import { type Stream, streamFromKey } from '../../core/streams.ts'
import { checkConfidence, DEFAULT_CONFIDENCE, percentOf } from './confidence.ts'
import { quantileSorted } from './moments.ts'

/** Random stream, number of resamples and confidence. */
export interface BootstrapOptions {
  readonly stream: Stream
  /** Resamples. Default: 2,000. */
  readonly draws?: number
  readonly confidence?: number
}

/** A statistic of clusters drawn with replacement, cluster g `counts[g]` times; null: undefined. */
export type ClusterStatistic = (counts: Int32Array) => number | null

/**
 * Cluster bootstrap with a percentile interval: clusters, not rows, are drawn with replacement (Davison and Hinkley 1997,
 * section 3.8). Resamples with an undefined statistic are dropped and counted in `method`. The same stream gives the same interval.
 * null where the statistic is undefined on the data itself or on more than half of the resamples, or there are fewer than two clusters.
 *
 * @example
 * import { analysisStream, clusterBootstrap } from '@touchstone-eval/touchstone/statistics'
 *
 * const [right, stream] = [[0, 1, 1, 1, 0, 1, 1, 1], analysisStream(1, 'mean')]
 * const share = (counts: Int32Array) => right.reduce((total, one, at) => total + one * (counts[at] ?? 0), 0) / 8
 * console.log(clusterBootstrap(8, 8, share, { stream })?.value) // 0.75
 */
export function clusterBootstrap(
  clusters: number,
  rows: number,
  statistic: ClusterStatistic,
  { stream, draws = 2000, confidence = DEFAULT_CONFIDENCE }: BootstrapOptions,
): Estimate | null {
  checkConfidence(confidence)
  if (!Number.isInteger(draws) || draws < 100) throw new RangeError(`a bootstrap needs 100 draws or more, got ${draws}`)
  const value = clusters === 0 ? null : statistic(new Int32Array(clusters).fill(1))
  if (value === null || clusters < 2) return null
  const found = new Float64Array(draws)
  let kept = 0
  const counts = new Int32Array(clusters)
  for (let b = 0; b < draws; b++) {
    counts.fill(0)
    for (let g = 0; g < clusters; g++) {
      const drawn = below(stream, clusters)
      counts[drawn] = (counts[drawn] as number) + 1
    }
    const result = statistic(counts)
    if (result !== null) found[kept++] = result
  }
  if (kept < draws / 2) return null
  const sorted = found.subarray(0, kept).sort()
  const left = kept < draws ? `, ${draws - kept} undefined` : ''
  return {
    value,
    low: quantileSorted(sorted, 0.5 - confidence / 2),
    high: quantileSorted(sorted, 0.5 + confidence / 2),
    n: rows,
    method: `cluster bootstrap ${percentOf(confidence)}, ${clusters} groups, ${draws} draws${left}`,
    groups: clusters,
  }
}

/**
 * Random stream of an analysis, from the report's seed and a label of what is resampled.
 *
 * @example
 * import { analysisStream } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(analysisStream(7, 'bootstrap').u32() === analysisStream(7, 'bootstrap').u32()) // true
 */
export const analysisStream = (seed: number, label: string): Stream =>
  streamFromKey(sha256(enc('touchstone/analysis/1', String(seed), label)))
