import type { SuffixTables } from './recognition-tables.ts'

/**
 * Which symbols may end where, given all that follows: the mirror image of Earley's prediction. B is wanted at k iff
 * some rule A -> B C has C from k to an end e at which A is wanted, or B is the last symbol of something wanted at k.
 * An item that is not wanted is in no derivation of the string, and when nothing is wanted at k no string ends so.
 */
export interface SuffixFilter {
  /** a set of symbols for every end e, at (e - 1) * setWords */
  readonly wanted: Int32Array
  /** Starts on a string of n tokens: what the start symbol may end with is wanted at n. */
  begin(n: number): void
  /**
   * Fills the set at end k, 0 < k < n, from the finished rows at start k: cells touched[from..to-1]. `before` is the
   * token before k. False when nothing that ends in that token is wanted.
   */
  step(k: number, before: number, touched: Int32Array, from: number, to: number): boolean
}

/** `low` and `high` are the kernel's rows: per start and symbol a mask of ends, end e at bit 31 - (e - 1) % 32. */
export function compileSuffixFilter(
  tables: SuffixTables,
  size: { readonly nonterminals: number; readonly setWords: number; readonly length: number },
  low: Int32Array,
  high: Int32Array,
): SuffixFilter {
  const { rightFrom, right, corners, endingIn } = tables
  const { nonterminals: N, setWords } = size
  const wanted = new Int32Array(setWords * size.length)

  const reaches = (mask: number, first: number, a: number): boolean => {
    const word = first * setWords + (a >>> 5)
    const bit = 1 << (a & 31)
    while (mask !== 0) {
      const at = Math.clz32(mask)
      mask ^= 1 << (31 - at)
      if (((wanted[word + at * setWords] as number) & bit) !== 0) return true
    }
    return false
  }

  return {
    wanted,
    begin(n) {
      for (let word = 0; word < setWords; word++) wanted[(n - 1) * setWords + word] = corners[word] as number
    },
    step(k, before, touched, from, to) {
      const here = (k - 1) * setWords
      const possible = before * setWords
      for (let word = 0; word < setWords; word++) wanted[here + word] = 0
      for (let at = from; at < to; at++) {
        const cell = touched[at] as number
        const c = cell - k * N
        const end = rightFrom[c + 1] as number
        for (let rule = rightFrom[c] as number; rule < end; rule += 2) {
          const b = right[rule + 1] as number
          if (((wanted[here + (b >>> 5)] as number) & (1 << (b & 31))) !== 0) continue
          const a = right[rule] as number
          if (!reaches(low[cell] as number, 0, a) && !reaches(high[cell] as number, 32, a)) continue
          let lacking = 0
          for (let word = 0; word < setWords; word++) {
            const set = (wanted[here + word] as number) | (corners[b * setWords + word] as number)
            wanted[here + word] = set
            lacking |= (endingIn[possible + word] as number) & ~set
          }
          if (lacking === 0) return true
        }
      }
      let some = 0
      for (let word = 0; word < setWords; word++)
        some |= (wanted[here + word] as number) & (endingIn[possible + word] as number)
      return some !== 0
    },
  }
}
