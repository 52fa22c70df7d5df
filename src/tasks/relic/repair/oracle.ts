import { memoize } from '../../../core/index.ts'
import { beginReading, isMember, nextTokens, type Reading, readString, readToken } from '../grammars/text-earley.ts'
import type { RepairQuestion } from './prompt.ts'

/** Least number of edits (a token put in, taken out or replaced) between two rows of tokens. */
export function editDistance(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

/**
 * Is a string of the language within so many edits of the tokens? All ways to edit from the left, each as far as some string
 * of the language begins so.
 */
function hasMemberWithin(shared: RepairQuestion['shared'], tokens: readonly string[], most: number): boolean {
  const search = (reading: Reading, at: number, left: number): boolean => {
    if (at === tokens.length && isMember(reading)) return true
    if (at < tokens.length) {
      const kept = readToken(shared, reading, tokens[at] as string)
      if (kept !== null && search(kept, at + 1, left)) return true
      if (left > 0 && search(reading, at + 1, left - 1)) return true
    }
    if (left === 0) return false
    return nextTokens(shared, reading).some((token) => {
      const longer = readToken(shared, reading, token)
      if (longer === null) return false
      return search(longer, at, left - 1) || (at < tokens.length && search(longer, at + 1, left - 1))
    })
  }
  return search(beginReading(shared), 0, most)
}

/** Whether some string of the language is nearer than a distance, remembered by question. */
const nearerOf = memoize((_given: RepairQuestion['given']) => new Map<number, boolean>())
/** Farther strings are never asked for. */
const MAX_DISTANCE = 3

export function oracle({ shared, given }: RepairQuestion, answer: readonly string[]): boolean {
  const tokens = given.string.split(' ')
  const distance = editDistance(tokens, answer)
  if (distance === 0 || distance > MAX_DISTANCE || !isMember(readString(shared, answer))) return false
  const known = nearerOf(given)
  const nearer = known.get(distance) ?? hasMemberWithin(shared, tokens, distance - 1)
  known.set(distance, nearer)
  return !nearer
}
