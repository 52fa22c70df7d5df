import type { ParentRule } from '../grammar/cnf.ts'
import type { ParseChart } from './chart.ts'

/** Spans of all symbols that are looked up in one table, shared by all grammars of the thread: 64 MiB. */
const PLACES = 2 ** 23

/** Trees of (symbol, from, to); 0: not counted yet. */
let counts = new Float64Array(0)

/**
 * How many trees the start symbol has over the string of a chart, which derives it, from the top: only spans that belong to a
 * tree of the whole string are counted, each once. Exact below 2^53, Infinity past the doubles; null for strings too long for a
 * table. `rules`: the binary rules of every symbol; the start symbol is 0.
 */
export function treeCounter(rules: readonly (readonly ParentRule[])[]): (chart: ParseChart) => number | null {
  const [lefts, rights, firsts] = flat(rules)
  const counted: number[] = []
  return ({ length: n, word, has }) => {
    const places = n + 1
    const size = rules.length * places * places
    if (size > PLACES) return null
    if (counts.length < size) counts = new Float64Array(size)
    const trees = (symbol: number, from: number, to: number): number => {
      const at = (symbol * places + from) * places + to
      const known = counts[at]!
      if (known > 0) return known
      const end = firsts[symbol + 1]!
      let sum = to - from === 1 ? 1 : 0
      for (let w = (from + 1) >>> 5; w <= (to - 1) >>> 5; w++) {
        const below = w === to >>> 5 ? ~(-1 << (to & 31)) : -1
        for (let rule = firsts[symbol]!; rule < end; rule++)
          for (let ends = word(lefts[rule]!, from, w) & below; ends !== 0; ends &= ends - 1) {
            const split = 32 * w + 31 - Math.clz32(ends & -ends)
            if (has(rights[rule]!, split, to)) sum += trees(lefts[rule]!, from, split) * trees(rights[rule]!, split, to)
          }
      }
      counts[at] = sum
      counted.push(at)
      return sum
    }
    const all = trees(0, 0, n)
    for (const at of counted) counts[at] = 0
    counted.length = 0
    return all
  }
}

/** Left and right children of all rules, and where those of each symbol begin. */
function flat(rules: readonly (readonly ParentRule[])[]): readonly [Int32Array, Int32Array, Int32Array] {
  const all = rules.flat()
  const firsts = new Int32Array(rules.length + 1)
  for (const [symbol, own] of rules.entries()) firsts[symbol + 1] = firsts[symbol]! + own.length
  return [Int32Array.from(all, ({ left }) => left), Int32Array.from(all, ({ right }) => right), firsts]
}

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
