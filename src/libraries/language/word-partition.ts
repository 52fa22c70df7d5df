import { hex, sha256, utf8 } from '../../core/hash.ts'
import { partitionBucket } from '../../core/split-partition.ts'

/**
 * The fence domain of words: an entry of a list ("apple", "apple tree"; not the words in it) belongs to one split for
 * good, whatever the seed (docs/concepts.md#split-partitions); a noun of the taxonomy belongs where the widest class that holds it does. Of
 * thousands of domains tried, this is one that gives every split a thousand first names, four hundred nouns, and
 * four wide classes with classes in them that hold others.
 */
export const wordDomain = 'recoglab/words/9808'

/** The fence key of a word, as 32 hex digits. */
export const wordKey = (word: string): string => hex(sha256(utf8(word))).slice(0, 32)

/** Which of the eight fence regions a word lies in. */
export const wordRegion = (word: string): number => partitionBucket(wordDomain, wordKey(word))

/** Keys with known regions 0..7, to ask a fence which regions it lets in. */
const probes: readonly string[] = (() => {
  const found: string[] = []
  for (let i = 0, missing = 8; missing > 0; i++) {
    const key = wordKey(`probe ${i}`)
    const region = partitionBucket(wordDomain, key)
    if (found[region] === undefined) {
      found[region] = key
      missing--
    }
  }
  return found
})()

/** The regions that `admits` lets in, as a bit mask; 255 for all. */
export function regionsOf(admits: (key: string) => boolean): number {
  let mask = 0
  for (let region = 0; region < 8; region++) if (admits(probes[region] as string)) mask |= 1 << region
  return mask
}

/** The regions a split's words lie in: train 0-3, validation 4, test 5-6, every custom split 7 (the fence's own rule). */
export const trainRegions = 0b1111

/** A list of entries with names, divided by fence region; each part keeps the list's order. */
export interface Partitioned<T> {
  readonly all: readonly T[]
  /** The entries of the regions in `mask`; the same array every time. */
  of(mask: number): readonly T[]
}

export function withBuckets<T>(entries: readonly T[], nameOf: (entry: T) => string): Partitioned<T> {
  let regions: readonly number[] | undefined
  const parts = new Map<number, readonly T[]>()
  return {
    all: entries,
    of(mask) {
      let part = parts.get(mask)
      if (part === undefined) {
        regions ??= entries.map((entry) => wordRegion(nameOf(entry)))
        part = entries.filter((_, i) => ((mask >>> ((regions as readonly number[])[i] as number)) & 1) === 1)
        parts.set(mask, part)
      }
      return part
    },
  }
}
