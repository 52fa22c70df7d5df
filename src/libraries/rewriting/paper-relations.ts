import { countApart, type Rule } from './replace.ts'

/**
 * The released detector of PBEBench, bit for bit (its equation 1 with the left side of the later rule in the third
 * case, and non-overlapping counts). It is neither sound nor complete; the exact definition is in `exact-relations.ts`.
 *
 * @example
 * import { exactFeeds, paperFeeds } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(paperFeeds(['t', 'd'], 'da')) // true
 * // Where the two differ: to delete every a makes no aa.
 * console.log(paperFeeds(['a', ''], 'aa'), exactFeeds(['a', ''], 'aa')) // true false
 */
export function paperFeeds([left, right]: Rule, target: string): boolean {
  if (left === right) return false
  if (right === '') return target.length > 1
  if (target.includes(right) && !left.includes(right)) return true
  if (right.includes(target) && countApart(right, target) > (left === '' ? 0 : countApart(left, target))) return true
  // The end of what is written begins the target, or its start ends it, and that part was not there before. The letters
  // where they would meet are compared first: most differ, and a part is cut out only where they do not.
  const longest = Math.min(right.length, target.length)
  const [first, last] = [target.charCodeAt(0), target.charCodeAt(target.length - 1)]
  for (let n = 1; n <= longest; n++) {
    if (right.charCodeAt(n - 1) === last) {
      const head = right.slice(0, n)
      if (target.endsWith(head) && !left.includes(head)) return true
    }
    if (right.charCodeAt(right.length - n) === first) {
      const tail = right.slice(right.length - n)
      if (target.startsWith(tail) && !left.includes(tail)) return true
    }
  }
  return false
}

/**
 * Bleeding as released: feeding with the two sides exchanged (the paper's Theorem 4).
 *
 * @example
 * import { paperBleeds } from '@touchstone-eval/touchstone/rewriting'
 *
 * console.log(paperBleeds(['t', 'd'], 'ta')) // true
 */
export const paperBleeds = ([left, right]: Rule, target: string): boolean => paperFeeds([right, left], target)
