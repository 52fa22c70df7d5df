import type { ParentRule } from '../grammar/cnf.ts'
import type { ParseChart } from './chart.ts'

/**
 * How many trees the start symbol has over the string of a chart, from the top: only spans that belong to a tree of the
 * whole string are counted, each once, which mostly are few. Null where they are not, for strings too long for a table of
 * them, and from 2^53 trees on, where sums are no longer exact.
 */
export type TopDownTreeCounter = (chart: ParseChart) => number | null

/** Products of two counts, for each token, from which on compiled code over all spans is faster (measured). */
const PATIENCE = 40

/** Spans of all symbols that are looked up in one table, shared by all grammars of the thread: 16 MiB. */
const PLACES = 2 ** 21

/** Trees of (symbol, from, to); 0: not counted yet. */
let counts = new Float64Array(0)

/** @param rules - the binary rules of every symbol; the start symbol is 0 and derives the string. */
export function topDownTreeCounter(rules: readonly (readonly ParentRule[])[]): TopDownTreeCounter {
  const [lefts, rights, firsts] = flat(rules)
  const counted: number[] = []
  return (chart) => {
    const { length: n, word, has } = chart
    const places = n + 1
    const size = rules.length * places * places
    if (size > PLACES) return null
    if (counts.length < size) counts = new Float64Array(size)
    let spare = PATIENCE * n
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
            if (!has(rights[rule]!, split, to)) continue
            if (--spare < 0) return Number.NaN
            sum += trees(lefts[rule]!, from, split) * trees(rights[rule]!, split, to)
          }
      }
      counts[at] = sum
      counted.push(at)
      return sum
    }
    const all = trees(0, 0, n)
    for (const at of counted) counts[at] = 0
    counted.length = 0
    return spare >= 0 && all <= Number.MAX_SAFE_INTEGER ? all : null
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
