import { editDistance } from '../../../core/edit-distance.ts'
import { memoize, type Question } from '../../../core/index.ts'
import type { Reading } from '../../../libraries/grammars/recognise/earley.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from '../grammars/strings.ts'
import { parserOf } from '../grammars/text-parser.ts'
import type { Answer } from './draw.ts'

/** Farther strings are never asked for. */
export const MAX_DISTANCE = 3

/**
 * Is a string of the language within this many edits of the tokens? All ways to edit from the left, each as far as some string
 * of the language begins so.
 */
function hasMemberWithin(shared: Shared, tokens: readonly string[], most: number): boolean {
  const parser = parserOf(shared)
  const search = (reading: Reading, at: number, left: number): boolean => {
    if (at === tokens.length && reading.at(-1)?.member === true) return true
    if (at < tokens.length) {
      const kept = parser.read(reading, tokens[at] as string)
      if (kept !== null && search(kept, at + 1, left)) return true
      if (left > 0 && search(reading, at + 1, left - 1)) return true
    }
    if (left === 0) return false
    return parser.next(reading).some((token) => {
      const longer = parser.read(reading, token)
      if (longer === null) return false
      return search(longer, at, left - 1) || (at < tokens.length && search(longer, at + 1, left - 1))
    })
  }
  return search(parser.begin, 0, most)
}

/** Whether some string of the language is nearer than a distance, remembered by question. */
const nearerOf = memoize((_given: Given) => new Map<number, boolean>())

export function oracle({ shared, given }: Question<Shared, Given>, answer: Answer): boolean {
  const tokens = given.string.split(' ')
  const distance = editDistance(tokens, answer)
  if (distance === 0 || distance > MAX_DISTANCE || !parserOf(shared).accepts(answer)) return false
  const known = nearerOf(given)
  const nearer = known.get(distance) ?? hasMemberWithin(shared, tokens, distance - 1)
  known.set(distance, nearer)
  return !nearer
}
