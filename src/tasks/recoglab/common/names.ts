import { z } from 'zod'
import { LruCache } from '../../../core/memo.ts'
import type { RandomStreams } from '../../../core/task.ts'
import {
  bucketMask,
  type Partitioned,
  withBuckets,
  wordDomain,
  wordKey,
} from '../../../libraries/language/word-partition.ts'

/** A name that a reader of answers can find: it begins with a letter or digit and has no mark that ends a name. */
const name = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’. -]{0,59}$/u

const splitNames = (text: string): string[] =>
  text
    .split(/[,\n]/u)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Entities of the user's own, as one text with a comma or a line break between them. */
export const namesParameter = z
  .string()
  .max(200_000)
  .default('')
  .superRefine((text, context) => {
    const entries = splitNames(text)
    const wrong = entries.find((entry) => !name.test(entry))
    const folded = entries.map((entry) => entry.toLowerCase())
    const twice = entries.find((_, i) => folded.indexOf(folded[i] as string) < i)
    const message =
      wrong !== undefined
        ? `"${wrong.slice(0, 60)}" is not a valid name: expected at most 60 letters, digits, spaces, apostrophes, periods and hyphens`
        : twice === undefined
          ? null
          : `"${twice}" is a duplicate`
    if (message !== null) context.addIssue({ code: 'custom', message })
  })

const lists = new LruCache<Partitioned<string>, string>(16)

/**
 * The user's entities, each of one split for good like ours: an item of the test split uses some
 * of about a quarter of them.
 */
export const givenNames = (names: string): Partitioned<string> =>
  lists.get(names, () =>
    withBuckets(
      splitNames(names).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      (entry) => entry,
    ),
  )

/**
 * The split partition of this family: every name (of a person, place, thing or class) belongs to one split, and an item
 * uses only names of its split. So items of different splits share no name. Words inside names and hobbies are not
 * divided.
 */
export const wordPartition = <Q>(firstWord: (question: Q) => string) =>
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
export const sortNames = (words: readonly string[]): string[] =>
  words
    .map((word) => ({ word, folded: word.toLowerCase() }))
    .sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
