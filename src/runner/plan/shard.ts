import { UsageError } from '../../core/index.ts'
import type { RunSource } from './resolve.ts'

/** Part `index` (from 0) of `of` parts of a run, each run by its own process or machine. */
export interface RunShard {
  readonly index: number
  readonly of: number
}

/** Items in a row that stay in one shard, so that calls with a shared context mostly do, too. */
const MOST_TOGETHER = 64
/** Fewest blocks per shard, if there are enough items: then shards have similar sizes. */
const BLOCKS = 8

/** @throws UsageError for a part that does not exist */
export function checkShard({ index, of }: RunShard, indices: number): void {
  if (!(Number.isInteger(index) && Number.isInteger(of) && index >= 0 && index < of))
    throw new UsageError(`\`shard\` is part i of n with 0 <= i < n, got ${index}/${of}`)
  if (of > indices) throw new UsageError(`${of} shards of ${indices} indices leave some empty; use at most ${indices}`)
}

/**
 * Does an item belong to a shard? Depends on its position among all items and on the number of shards alone, so that all
 * processes agree.
 */
export function inShard(shard: RunShard | undefined, ord: number, indices: number): boolean {
  if (shard === undefined) return true
  const together = Math.max(1, Math.min(MOST_TOGETHER, Math.floor(indices / (shard.of * BLOCKS))))
  return Math.floor(ord / together) % shard.of === shard.index
}

/** All indices of a run, empty ones and other shards included. */
export const indicesOf = ({ sources }: { readonly sources: readonly RunSource[] }): number =>
  sources.reduce((sum, source) => sum + (source.kind === 'generated' ? source.count : 0), 0)
