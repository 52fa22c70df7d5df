import { hex, sha256, utf8 } from '../../core/hash.ts'
import { partitionBucket } from '../../core/split-partition.ts'

/**
 * Partition domain of words: an entry of a list ("apple", "apple tree") belongs to one split, whatever the seed
 * (docs/concepts.md#split-partitions); a noun of the taxonomy belongs to the split of its widest class. This domain was
 * chosen among thousands so that every split has enough first names, nouns and nested classes.
 */
export const wordDomain = 'recoglab/words/9808'

/** Partition key of a word, 64 hex digits. */
export const wordKey = (word: string): string => hex(sha256(utf8(word))).slice(0, 32)

/** Partition bucket (0..7) of a word. */
export const wordBucket = (word: string): number => partitionBucket(wordDomain, wordKey(word))

/** One key in each bucket 0..7, to find the buckets of a split. */
const probes: readonly string[] = (() => {
  const found: string[] = []
  for (let i = 0, missing = 8; missing > 0; i++) {
    const key = wordKey(`probe ${i}`)
    const bucket = partitionBucket(wordDomain, key)
    if (found[bucket] === undefined) {
      found[bucket] = key
      missing--
    }
  }
  return found
})()

/** The buckets of a split, as a bit mask; 255: all. */
export function bucketMask(inSplit: (key: string) => boolean): number {
  let mask = 0
  for (let bucket = 0; bucket < 8; bucket++) if (inSplit(probes[bucket] as string)) mask |= 1 << bucket
  return mask
}

/** Buckets of the train split: 0-3 (validation 4, test 5-6, custom splits 7). */
export const TRAIN_BUCKETS = 0b1111

/** Named entries by partition bucket, in list order. */
export interface Partitioned<T> {
  readonly all: readonly T[]
  /** The entries of the buckets in `mask`; cached. */
  of(mask: number): readonly T[]
}

export function withBuckets<T>(entries: readonly T[], nameOf: (entry: T) => string): Partitioned<T> {
  let buckets: readonly number[] | undefined
  const parts = new Map<number, readonly T[]>()
  return {
    all: entries,
    of(mask) {
      let part = parts.get(mask)
      if (part === undefined) {
        buckets ??= entries.map((entry) => wordBucket(nameOf(entry)))
        part = entries.filter((_, i) => ((mask >>> ((buckets as readonly number[])[i] as number)) & 1) === 1)
        parts.set(mask, part)
      }
      return part
    },
  }
}
