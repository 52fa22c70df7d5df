import { UsageError } from '../core/index.ts'
import type { RunSource } from './resolve.ts'

/** Part `index` (from 0) of `of` parts of a run, each made by a process or a machine of its own. */
export interface RunShard {
  readonly index: number
  readonly of: number
}

/** Items in a row that stay in one shard, so that calls that share a context mostly do too. */
const MAX_TOGETHER = 64
/** Blocks that each shard gets at least, where there are so many items: shards of like size. */
const BLOCKS = 8

/** @throws UsageError where there is no such part. */
export function checkShard({ index, of }: RunShard, indices: number): void {
  if (!(Number.isInteger(index) && Number.isInteger(of) && index >= 0 && index < of))
    throw new UsageError(`--shard is part i of n with 0 <= i < n, got ${index}/${of}`)
  if (of > indices) throw new UsageError(`${of} shards of ${indices} indices leave some empty; use at most ${indices}`)
}

/**
 * Which shard an item belongs to, by its place among all items of the run: a matter of the experiment and of the number
 * of shards alone, so that every process comes to the same parts.
 */
export function inShard(shard: RunShard | undefined, ord: number, indices: number): boolean {
  if (shard === undefined) return true
  const together = Math.max(1, Math.min(MAX_TOGETHER, Math.floor(indices / (shard.of * BLOCKS))))
  return Math.floor(ord / together) % shard.of === shard.index
}

/** All indices of a run, holes and other shards included. */
export const indicesOf = ({ sources }: { readonly sources: readonly RunSource[] }): number =>
  sources.reduce((sum, source) => sum + (source.kind === 'generated' ? source.count : 0), 0)
