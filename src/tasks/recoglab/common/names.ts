import { z } from 'zod'
import { LruCache } from '../../../core/memo.ts'
import { type Partitioned, withBuckets } from '../../../libraries/language/word-partition.ts'

/** A name that a reader of answers can find: it begins with a letter or digit and has no mark that ends a name. */
const name = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’. -]{0,59}$/u

const listed = (text: string): string[] =>
  text
    .split(/[,\n]/u)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Entities of the user's own, as one text with a comma or a line break between them. */
export const namesKnob = z
  .string()
  .max(200_000)
  .default('')
  .superRefine((text, context) => {
    const entries = listed(text)
    const wrong = entries.find((entry) => !name.test(entry))
    const folded = entries.map((entry) => entry.toLowerCase())
    const twice = entries.find((_, i) => folded.indexOf(folded[i] as string) < i)
    const message =
      wrong !== undefined
        ? `"${wrong.slice(0, 60)}" is no name: letters, digits, blanks, apostrophes, points and hyphens, 60 at most`
        : twice === undefined
          ? null
          : `"${twice}" stands twice in the list`
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
      listed(names).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      (entry) => entry,
    ),
  )
