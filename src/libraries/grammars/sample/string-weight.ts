import { type Cnf, preterminals, rulesByLeftChild } from '../grammar/cnf.ts'
import type { InsideTable } from './inside.ts'

/**
 * The summed weight of all derivation trees of a string, every rule of a symbol as likely as any other: its probability. Only + and *
 * in a fixed order.
 */
export function stringWeight(grammar: Cnf, { share }: InsideTable): (tokens: ArrayLike<number>) => number {
  const byLeft = rulesByLeftChild(grammar)
  const above = preterminals(grammar)
  const symbols = share.length
  return (tokens) => {
    const n = tokens.length
    /** By start, end and symbol: its weight over the span; and the symbols that have one, in the order in which they came. */
    const weights = new Float64Array(n * (n + 1) * symbols)
    const present = Array.from({ length: n * (n + 1) }, (): number[] => [])
    const cellOf = (start: number, end: number): number => start * (n + 1) + end
    function add(cell: number, symbol: number, weight: number): void {
      const at = cell * symbols + symbol
      if (weights[at] === 0) present[cell]!.push(symbol)
      weights[at]! += weight
    }
    for (let start = n - 1; start >= 0; start--) {
      for (const symbol of above[tokens[start]!]!) add(cellOf(start, start + 1), symbol, share[symbol]!)
      for (let end = start + 2; end <= n; end++) {
        const cell = cellOf(start, end)
        for (let middle = start + 1; middle < end; middle++) {
          const rights = cellOf(middle, end)
          if (present[rights]!.length === 0) continue
          const lefts = cellOf(start, middle)
          for (const left of present[lefts]!) {
            const weight = weights[lefts * symbols + left]!
            for (const { parent, right } of byLeft[left]!) {
              const other = weights[rights * symbols + right]!
              if (other > 0) add(cell, parent, share[parent]! * weight * other)
            }
          }
        }
      }
    }
    return n === 0 ? 0 : weights[cellOf(0, n) * symbols]!
  }
}
