import type { ParseChart } from './chart.ts'
import type { Cnf } from './grammar.ts'
import { rulesByChild } from './rules-by-child.ts'

/** What an outside pass may be asked besides its masks. */
export interface OutsideRequest {
  /** Set to 1 at p where the string without position p is in the language; 0 < p < n - 1. Null: not asked for. */
  readonly omissions: Uint8Array | null
  /** Asked after each start; true ends the pass, with the masks of that start and those before it complete. */
  readonly enough: (masks: Int32Array) => boolean
}

/**
 * Outside masks over a chart: like the chart's, the ends j, in word w, such that S =>* tokens 0..i, A, tokens j..n:
 * masks[(w * places + i) * symbols + A]. Valid until the next pass. What is outside a span does not depend on the tokens
 * inside it, and (g, g) may be outside too.
 *
 * Starts from left to right; at one start first the left children, then the right ones, all ends of a parent at once,
 * in an order that completes every mask before it is read; so nothing is queued.
 */
export function outsidePass(grammar: Cnf): (chart: ParseChart, request: OutsideRequest) => Int32Array {
  const symbols = grammar.nonterminals.length
  const byLeft = rulesByChild(grammar, 1)
  const byRight = rulesByChild(grammar, 2)
  let buffer = new Int32Array(0)
  // The ends j, in word w, at which some symbol is outside (i, j): wanted[w * places + i].
  let wanted = new Int32Array(0)

  // Both halves keep what they use in local constants, for these loops are the whole cost.

  /**
   * From (i, j) of a parent to (i, k) of its left child, for every right child inside (k, j). Splits from right to left:
   * what is outside (i, j) is complete when a k < j is reached.
   */
  function leftChildren({ length: n, words, places, ends, rows, rowCount, reach }: ParseChart, i: number): void {
    const masks = buffer
    const { start, rules } = byRight
    for (let k = n - 1; k >= i; k--) {
      const to = ((k >>> 5) * places + i) * symbols
      const bit = k & 31
      let any = 0
      for (let w = k >>> 5; w < words; w++) {
        const sought = wanted[w * places + i]!
        if ((sought & reach[w * places + k]!) === 0) continue
        const parents = (w * places + i) * symbols
        const list = (w * places + k) * symbols
        const listed = rowCount[w * places + k]!
        for (let s = 0; s < listed; s++) {
          const c = rows[list + s]!
          const inner = ends[list + c]!
          if ((inner & sought) === 0) continue
          const last = start[c + 1]!
          for (let r = start[c]!; r < last; r += 2) {
            const both = masks[parents + rules[r + 1]!]! & inner
            const found = ((both | -both) >>> 31) << bit
            masks[to + rules[r]!]! |= found
            any |= found
          }
        }
      }
      wanted[(k >>> 5) * places + i]! |= any
    }
  }

  /** From (i, j) of a parent to (k, j) of its right child, for every left child inside (i, k); and k itself left out. */
  function rightChildren(
    { length: n, words, places, ends, rows, rowCount, reach }: ParseChart,
    i: number,
    omissions: Uint8Array | null,
  ): void {
    const masks = buffer
    const { start, rules } = byLeft
    for (let k = i + 1; k <= n; k++) {
      const here = (k >>> 5) * places + i
      const bit = 1 << (k & 31)
      if ((reach[here]! & bit) === 0) continue
      const list = here * symbols
      const listed = rowCount[here]!
      const open = omissions !== null && k + 1 < n && omissions[k] === 0
      let omitted = 0
      for (let w = k >>> 5; w < words; w++) {
        const above = w === k >>> 5 ? -1 << (k & 31) : -1
        if ((wanted[w * places + i]! & above) === 0) continue
        const parents = (w * places + i) * symbols
        const to = (w * places + k) * symbols
        let sought = 0
        for (let s = 0; s < listed; s++) {
          const b = rows[list + s]!
          if ((ends[list + b]! & bit) === 0) continue
          const last = start[b + 1]!
          for (let r = start[b]!; r < last; r += 2) {
            const outer = masks[parents + rules[r + 1]!]! & above
            const at = to + rules[r]!
            masks[at]! |= outer
            sought |= outer
            if (open) omitted |= outer & ends[at + symbols]!
          }
        }
        wanted[w * places + k]! |= sought
      }
      if (omitted !== 0) omissions![k] = 1
    }
  }

  return (chart, { omissions, enough }) => {
    const { length: n, words, places } = chart
    const size = words * places * symbols
    if (buffer.length < size) buffer = new Int32Array(size)
    else buffer.fill(0, 0, size)
    wanted = new Int32Array(words * places)
    buffer[(n >>> 5) * places * symbols] = 1 << (n & 31)
    wanted[(n >>> 5) * places] = 1 << (n & 31)
    for (let i = 0; i < n; i++) {
      leftChildren(chart, i)
      rightChildren(chart, i, omissions)
      if (enough(buffer)) break
    }
    return buffer
  }
}
