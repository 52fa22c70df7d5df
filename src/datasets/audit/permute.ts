import { below, type Stream } from '../../core/index.ts'
import type { Blocks, Scored } from './statistic.ts'

/** Row draws a test may cost; beyond them the normal tail stands, with tens of thousands of live rows behind it. */
const workLimit = 400_000_000

/**
 * A two- or one-sided p-value by permuting keys inside blocks with the scores fixed (integrity 3.2):
 * p = (1 + hits) / (1 + permutations). null where that would cost more than it is worth.
 */
export function permutationP(
  scored: Scored,
  blocks: Blocks,
  live: (block: number) => boolean,
  stream: Stream,
  oneSided: boolean,
  permutations = 100_000,
): number | null {
  const { classes, scores, keys } = scored
  const chosen: number[] = []
  let rows = 0
  for (let b = 0; b < blocks.count; b++) {
    if (!live(b)) continue
    chosen.push(b)
    rows += (blocks.start[b + 1] as number) - (blocks.start[b] as number)
  }
  if (rows * permutations > workLimit) return null
  const own = Int32Array.from(keys)
  let expected = 0
  let observed = 0
  for (const b of chosen) {
    const from = blocks.start[b] as number
    const to = blocks.start[b + 1] as number
    const count = new Float64Array(classes)
    const sums = new Float64Array(classes)
    for (let at = from; at < to; at++) {
      const row = blocks.order[at] as number
      count[keys[row] as number] = (count[keys[row] as number] as number) + 1
      observed += scores[row * classes + (keys[row] as number)] as number
      for (let k = 0; k < classes; k++) sums[k] = (sums[k] as number) + (scores[row * classes + k] as number)
    }
    for (let k = 0; k < classes; k++) expected += ((count[k] as number) * (sums[k] as number)) / (to - from)
  }
  const distance = oneSided ? observed - expected : Math.abs(observed - expected)
  // Sums are made in another order each time: what differs by rounding only counts as equal.
  const slack = 1e-9 * (Math.abs(observed) + Math.abs(expected) + 1)
  let hits = 0
  for (let p = 0; p < permutations; p++) {
    let total = 0
    for (const b of chosen) {
      const from = blocks.start[b] as number
      for (let at = (blocks.start[b + 1] as number) - 1; at >= from; at--) {
        const j = from + below(stream, at - from + 1)
        const row = blocks.order[at] as number
        const other = blocks.order[j] as number
        const kept = own[row] as number
        own[row] = own[other] as number
        own[other] = kept
        total += scores[row * classes + (own[row] as number)] as number
      }
    }
    const reached = oneSided ? total - expected : Math.abs(total - expected)
    if (reached >= distance - slack) hits++
  }
  return (1 + hits) / (1 + permutations)
}
