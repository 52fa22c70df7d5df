import { enc, sha256 } from './hash.ts'

/**
 * Split partition: the hash of an item's canonical content, independent of the seed, decides which split may hold it. Every test set is
 * therefore disjoint from every training set, up to renaming. See docs/decisions/splits.md.
 */

/** 0..7: the top three bits of SHA-256 over domain and key. */
export function partitionBucket(domain: string, keyHex: string): number {
  return (sha256(enc('touchstone/fence/1', domain, keyHex))[0] as number) >>> 5
}

const BUCKETS: { readonly [split: string]: readonly number[] } = {
  train: [0, 1, 2, 3],
  validation: [4],
  test: [5, 6],
}
const CUSTOM: readonly number[] = [7]

/** Buckets of a split: train 0-3, validation 4, test 5-6, every other split 7. */
export const bucketsOfSplit = (split: string): readonly number[] => BUCKETS[split] ?? CUSTOM

/** Draws before the search for content of the split ends: 64 times the expected number. */
export const maxPartitionRetries = (split: string): number => (64 * 8) / bucketsOfSplit(split).length
