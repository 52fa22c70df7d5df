import {
  BLEEDING,
  BLEEDS,
  COUNTERBLEEDING,
  COUNTERFEEDING,
  FEEDING,
  FEEDS,
} from '../../../libraries/rewriting/index.ts'

/** What an earlier rule does to a later left side, as category bits. */
export const forward = (related: number): number => (related & FEEDS ? FEEDING : 0) | (related & BLEEDS ? BLEEDING : 0)

/** What a later rule does to an earlier left side, as category bits. */
export const backward = (related: number): number =>
  (related & FEEDS ? COUNTERFEEDING : 0) | (related & BLEEDS ? COUNTERBLEEDING : 0)

/** How many of the four relations a category holds. */
export function relationCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}
