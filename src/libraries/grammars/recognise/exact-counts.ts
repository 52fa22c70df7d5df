import type { ParentRule } from '../grammar/rule-lists.ts'
import type { ParseChart } from './chart.ts'

/**
 * How many trees the start symbol has over the string of a chart. Marked from the top first, so that only what belongs to
 * a tree is counted, then counted from the short spans to the long ones. `rules`: the binary rules of every symbol.
 */
export function exactCount(rules: readonly (readonly ParentRule[])[], chart: ParseChart): bigint {
  const n = chart.length
  if (n === 0 || !chart.has(0, 0, n)) return 0n
  const places = n + 1
  const nodeOf = (symbol: number, from: number, to: number): number => (symbol * places + from) * places + to
  /** The two children of a node, by every rule and split that explain it. */
  const eachSplit = (node: number, visit: (left: number, right: number) => void): void => {
    const to = node % places
    const from = Math.floor(node / places) % places
    for (const { left, right } of rules[Math.floor(node / (places * places))] as readonly ParentRule[])
      for (const split of chart.endsBelow(left, from, to))
        if (chart.has(right, split, to)) visit(nodeOf(left, from, split), nodeOf(right, split, to))
  }
  const byLength = Array.from({ length: n + 1 }, () => new Set<number>())
  const lengthOf = (node: number): number => (node % places) - (Math.floor(node / places) % places)
  const mark = (node: number): void => {
    byLength[lengthOf(node)]?.add(node)
  }
  mark(nodeOf(0, 0, n))
  for (let length = n; length > 1; length--)
    for (const node of byLength[length] as ReadonlySet<number>)
      eachSplit(node, (left, right) => {
        mark(left)
        mark(right)
      })
  const counts = new Map<number, bigint>()
  for (const [length, nodes] of byLength.entries())
    for (const node of nodes) {
      let sum = length === 1 ? 1n : 0n
      if (length > 1)
        eachSplit(node, (left, right) => {
          sum += (counts.get(left) as bigint) * (counts.get(right) as bigint)
        })
      counts.set(node, sum)
    }
  return counts.get(nodeOf(0, 0, n)) as bigint
}
