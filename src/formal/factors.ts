import type { Cnf } from './grammar.ts'
import { trim } from './trim.ts'

/** Where a window of tokens stands in a string of the language. */
export type WindowPlace = 'inside' | 'first' | 'last' | 'whole'

/** Tests of short windows against the strings of a language, exact for any width. */
export interface FactorTest {
  /**
   * Does some string of the language contain these tokens in a row (`inside`), begin with them (`first`), end with
   * them (`last`), or consist of them (`whole`)? Answers are kept, so that asking again is a look-up.
   */
  occurs(window: readonly number[], place: WindowPlace): boolean
  /**
   * The k-gram test: with a mark set before and after the string, does every window of k symbols occur? k = 2 is the
   * bigram test of `bigramVerdict`. Gives the 0-based index of the first token of the first window that does not, in
   * the unmarked string, or null when all do. Necessary for membership; sufficient once k >= length + 2.
   */
  firstIllegal(tokens: readonly number[], k: number): number | null
}

/** Kept answers are dropped when there are more than this. */
const KEPT = 1_000_000

/**
 * Windows are decided by a small chart with three more kinds of item: A derives a string that begins with tokens
 * i.. of the window, that ends with tokens ..j, or that contains all of it.
 */
export function factorTest(cnf: Cnf): FactorTest {
  const trimmed = trim(cnf)
  const numberOf = new Map(trimmed?.terminals.map((name, index) => [name, index]))
  const renamed = cnf.terminals.map((name) => numberOf.get(name) ?? -1)
  const kept = new Map<string, boolean>()

  const occurs = (window: readonly number[], place: WindowPlace): boolean => {
    if (trimmed === null) return false
    const inner = window.map((token) => renamed[token] ?? -1)
    if (inner.includes(-1)) return false
    if (inner.length === 0) return place !== 'whole'
    const key = `${place} ${inner.join(' ')}`
    const found = kept.get(key)
    if (found !== undefined) return found
    if (kept.size >= KEPT) kept.clear()
    const answer = decide(trimmed, inner, place)
    kept.set(key, answer)
    return answer
  }

  return {
    occurs,
    firstIllegal(tokens, k) {
      if (!Number.isInteger(k) || k < 1) throw new RangeError(`k-grams need an integer k >= 1, got ${k}`)
      const n = tokens.length
      if (k === 1) {
        const at = tokens.findIndex((token) => !occurs([token], 'inside'))
        return at < 0 ? null : at
      }
      if (n + 2 <= k) return occurs(tokens, 'whole') ? null : 0
      // Windows of the marked string: position 0 is the mark before it, n + 1 the mark after it.
      for (let from = 0; from + k <= n + 2; from++) {
        const window = tokens.slice(Math.max(0, from - 1), Math.min(n, from + k - 1))
        const place = from === 0 ? 'first' : from + k === n + 2 ? 'last' : 'inside'
        if (!occurs(window, place)) return Math.max(0, from - 1)
      }
      return null
    },
  }
}

function decide(cnf: Cnf, window: readonly number[], place: WindowPlace): boolean {
  const k = window.length
  const N = cnf.nonterminals.length
  const { binary, lexical } = cnf
  /** exact[i * (k + 1) + j]: the A that derive window[i..j) */
  const exact = Array.from({ length: k * (k + 1) }, () => new Uint8Array(N))
  const span = (i: number, j: number) => exact[i * (k + 1) + j] as Uint8Array
  for (let i = 0; i < k; i++)
    for (let at = 0; at < lexical.length; at += 2)
      if (lexical[at + 1] === window[i]) span(i, i + 1)[lexical[at] as number] = 1
  /** to gets the A of rules A -> B C with B in left and C in right; whether it grew */
  const join = (to: Uint8Array, left: Uint8Array | null, right: Uint8Array | null): boolean => {
    let grown = false
    for (let at = 0; at < binary.length; at += 3) {
      if (to[binary[at] as number]) continue
      if (left !== null && !left[binary[at + 1] as number]) continue
      if (right !== null && !right[binary[at + 2] as number]) continue
      to[binary[at] as number] = 1
      grown = true
    }
    return grown
  }
  for (let width = 2; width <= k; width++)
    for (let i = 0; i + width <= k; i++)
      for (let m = i + 1; m < i + width; m++) join(span(i, i + width), span(i, m), span(m, i + width))
  if (place === 'whole') return span(0, k)[0] === 1

  // Every nonterminal is productive, so one child alone may carry the window: the other derives something.
  const begins = Array.from({ length: k }, () => new Uint8Array(N))
  if (place !== 'last')
    for (let i = k - 1; i >= 0; i--) {
      const set = begins[i] as Uint8Array
      set.set(span(i, k))
      for (let m = i + 1; m < k; m++) join(set, span(i, m), begins[m] as Uint8Array)
      while (join(set, set, null));
    }
  if (place === 'first') return (begins[0] as Uint8Array)[0] === 1
  const ends = Array.from({ length: k + 1 }, () => new Uint8Array(N))
  for (let j = 1; j <= k; j++) {
    const set = ends[j] as Uint8Array
    set.set(span(0, j))
    for (let m = 1; m < j; m++) join(set, ends[m] as Uint8Array, span(m, j))
    while (join(set, null, set));
  }
  if (place === 'last') return (ends[k] as Uint8Array)[0] === 1

  // Every nonterminal is reachable, so any that contains the window will do.
  const contains = new Uint8Array(N)
  contains.set(begins[0] as Uint8Array)
  for (let at = 0; at < N; at++) if ((ends[k] as Uint8Array)[at]) contains[at] = 1
  for (let m = 1; m < k; m++) join(contains, ends[m] as Uint8Array, begins[m] as Uint8Array)
  return contains.includes(1)
}
