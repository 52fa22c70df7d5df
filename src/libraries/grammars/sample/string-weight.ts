import { type Cnf, preterminals, rulesByLeftChild } from '../grammar/cnf.ts'
import type { InsideTable } from './inside.ts'

/**
 * The summed weight of all derivation trees of a string, every rule of a symbol as likely as any other: its probability. Only + and *
 * in a fixed order.
 */
export function stringWeight(grammar: Cnf, { share }: InsideTable): (tokens: ArrayLike<number>) => number {
  const byLeft = rulesByLeftChild(grammar)
  const above = preterminals(grammar)
  return (tokens) => {
    const n = tokens.length
    /** By start and end: the weight of each symbol over the span. */
    const spans = Array.from({ length: n }, () => [] as Map<number, number>[])
    for (let start = n - 1; start >= 0; start--) {
      const row = spans[start]!
      row[start + 1] = new Map(above[tokens[start]!]!.map((symbol) => [symbol, share[symbol]!]))
      for (let end = start + 2; end <= n; end++) {
        const cell = new Map<number, number>()
        for (let middle = start + 1; middle < end; middle++) {
          const rights = spans[middle]![end]!
          if (rights.size === 0) continue
          for (const [left, weight] of row[middle]!)
            for (const { parent, right } of byLeft[left]!) {
              const other = rights.get(right)
              if (other !== undefined) cell.set(parent, (cell.get(parent) ?? 0) + share[parent]! * weight * other)
            }
        }
        row[end] = cell
      }
    }
    return spans[0]?.[n]?.get(0) ?? 0
  }
}
