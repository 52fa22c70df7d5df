import type { Cnf } from './grammar.ts'
import { preterminals, rulesByChild } from './rules-by-child.ts'

/** The whole parse chart of one string: for every span, the nonterminals that derive it. Valid until the next one is made. */
export interface ParseChart {
  readonly length: number
  /** Does `symbol` derive tokens from..to-1? */
  has(symbol: number, from: number, to: number): boolean
  /** The symbols over tokens from..to-1, in the order they were found; empty where none does. */
  cell(from: number, to: number): readonly number[]
  /** The ends k of spans that begin at `from` and that `symbol` derives, ascending, below `to`. */
  endsBelow(symbol: number, from: number, to: number): number[]
}

const none: readonly number[] = []

/**
 * Charts by row propagation: starts from right to left; for each a work list of ends, ascending; a symbol B ending at k
 * and a rule A -> B C give A all the ends that C has from k on, by one OR a word. All items are kept, with nothing
 * filtered, so that the chart is closed under the rules.
 */
export function chartBuilder(cnf: Cnf): (tokens: ArrayLike<number>) => ParseChart {
  const N = cnf.nonterminals.length
  const byToken = preterminals(cnf)
  const byLeft = rulesByChild(cnf, 1)
  let masks = new Int32Array(0)

  return (tokens) => {
    const n = tokens.length
    const words = (n >>> 5) + 1
    const size = (n + 1) * N * words
    if (masks.length < size) masks = new Int32Array(size)
    else masks.fill(0, 0, size)
    const rows = masks
    const cells: (number[] | undefined)[] = new Array((n + 1) * (n + 1))
    const rowOf = (symbol: number, start: number): number => (start * N + symbol) * words

    function add(symbol: number, start: number, end: number): void {
      const at = start * (n + 1) + end
      const cell = cells[at]
      if (cell === undefined) cells[at] = [symbol]
      else cell.push(symbol)
    }

    for (let start = n - 1; start >= 0; start--) {
      for (const symbol of byToken[tokens[start] as number] ?? none) {
        const at = rowOf(symbol, start) + ((start + 1) >>> 5)
        rows[at] = (rows[at] as number) | (1 << ((start + 1) & 31))
        add(symbol, start, start + 1)
      }
      for (let end = start + 1; end < n; end++) {
        const cell = cells[start * (n + 1) + end]
        if (cell === undefined) continue
        for (const left of cell) {
          const last = byLeft.start[left + 1] as number
          for (let r = byLeft.start[left] as number; r < last; r += 2) {
            const source = rowOf(byLeft.rules[r] as number, end)
            const parent = byLeft.rules[r + 1] as number
            const target = rowOf(parent, start)
            for (let w = end >>> 5; w < words; w++) {
              let fresh = (rows[source + w] as number) & ~(rows[target + w] as number)
              if (fresh === 0) continue
              rows[target + w] = (rows[target + w] as number) | fresh
              for (; fresh !== 0; fresh &= fresh - 1) add(parent, start, 32 * w + 31 - Math.clz32(fresh & -fresh))
            }
          }
        }
      }
    }

    /** The first end after `after` of a span that begins at `from` and that `symbol` derives; 0 where there is none. */
    const endAfter = (symbol: number, from: number, after: number): number => {
      const row = rowOf(symbol, from)
      let w = (after + 1) >>> 5
      if (w >= words) return 0
      let left = (rows[row + w] as number) & (-1 << ((after + 1) & 31))
      while (left === 0) {
        if (++w >= words) return 0
        left = rows[row + w] as number
      }
      return 32 * w + 31 - Math.clz32(left & -left)
    }

    return {
      length: n,
      has: (symbol, from, to) => (((rows[rowOf(symbol, from) + (to >>> 5)] as number) >>> (to & 31)) & 1) === 1,
      cell: (from, to) => cells[from * (n + 1) + to] ?? none,
      endsBelow(symbol, from, to) {
        const ends: number[] = []
        for (let end = endAfter(symbol, from, from); end > 0 && end < to; end = endAfter(symbol, from, end))
          ends.push(end)
        return ends
      },
    }
  }
}
