import { enc, sha256 } from './hash.ts'

/**
 * The content fence (integrity 1.6): the hash of a content's canonical key, whatever the seed, says which split may
 * hold it. So every test set ever made is disjoint from every training set ever made, up to renaming.
 */

/** 0..7: the top three bits of SHA-256 over domain and key. */
export function partitionBucket(domain: string, keyHex: string): number {
  return (sha256(enc('touchstone/fence/1', domain, keyHex))[0] as number) >>> 5
}

const regions: { readonly [split: string]: readonly number[] } = {
  train: [0, 1, 2, 3],
  validation: [4],
  test: [5, 6],
}
const custom: readonly number[] = [7]

/** The regions a split may draw from: train 0-3, validation 4, test 5-6, every custom split 7. */
export const bucketsOfSplit = (split: string): readonly number[] => regions[split] ?? custom

/** How many draws to try before giving up on the fence: 64 times the mean number needed. */
export const maxPartitionRetries = (split: string): number => (64 * 8) / bucketsOfSplit(split).length
