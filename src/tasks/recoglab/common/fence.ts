import type { RandomStreams } from '../../../core/task.ts'
import { bucketMask, wordDomain, wordKey } from '../../../libraries/language/word-partition.ts'

/**
 * The fence of this family: every name (of a person, place, thing or class), as a whole, belongs to one split for good, and
 * an item uses only names of its own split. So items of different splits share no name; one name proves which split an
 * item is of. The words inside names and the hobbies are not divided.
 */
export const wordFence = <Q>(firstWord: (question: Q) => string) =>
  ({
    domain: wordDomain,
    keyVersion: 1,
    of: 'item',
    key: (question: Q) => wordKey(firstWord(question)),
  }) as const

/** The regions of words this call may use, as a bit mask. */
export const regions = (draws: RandomStreams): number => bucketMask((key) => draws.inSplit(key))

/** The least word by code unit. */
export function least(words: readonly string[]): string {
  let best = words[0] as string
  for (const word of words) if (word < best) best = word
  return best
}

/** Words in alphabetical order, letter case apart. */
export const sorted = (words: readonly string[]): string[] =>
  words
    .map((word) => ({ word, folded: word.toLowerCase() }))
    .sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
