import { chartBuilder, type ParseChart } from './chart.ts'
import { firstDerivation } from './first-derivation.ts'
import type { Cnf } from './grammar.ts'
import { type ParentRule, rulesByParent } from './rule-lists.ts'
import { treeCounter } from './tree-counts.ts'

/** How many parse trees a string has. */
export interface ParseCount {
  /** As a double: exact below 2^53, else rounded; Infinity past 10^308. */
  readonly approximate: number
  /** Is `approximate` exact? */
  readonly exact: boolean
}

/** Parses of one grammar's strings: charts, counts, trees. Terminal numbers throughout. */
export interface ParseAnalyzer {
  chart(tokens: ArrayLike<number>): ParseChart
  count(tokens: ArrayLike<number>): ParseCount
  countExactly(tokens: ArrayLike<number>): bigint
  /**
   * One deterministic derivation as the numbers of its rules, left to right and top down: binary rule r is r, lexical
   * rule l is (number of binary rules) + l. Of several trees, the one with the first rule and, for it, the leftmost
   * split. Null outside the language.
   */
  derivation(tokens: ArrayLike<number>): number[] | null
  /** Mean over all parses of the tree's height, a word counting 1 (nltk's `Tree.height`); null outside the language. */
  meanHeight(tokens: ArrayLike<number>): number | null
}

export function parseAnalyzer(cnf: Cnf): ParseAnalyzer {
  const build = chartBuilder(cnf)
  const trees = treeCounter(cnf)
  const rules = rulesByParent(cnf)
  const derive = firstDerivation(cnf, rules)
  // Count, derivation and witness of one string are mostly asked for one after another.
  const parsed = lastOf((tokens) => {
    const chart = build(tokens)
    return { chart, count: chart.has(0, 0, tokens.length) ? trees(tokens) : 0 }
  })
  const chartOf = (tokens: ArrayLike<number>): ParseChart => parsed(tokens).chart
  const countExactly = (tokens: ArrayLike<number>): bigint => countTrees(rules, chartOf(tokens), bigints).total
  return {
    chart: chartOf,
    count(tokens) {
      const approximate = parsed(tokens).count ?? Number(countExactly(tokens))
      return { approximate, exact: approximate <= Number.MAX_SAFE_INTEGER }
    },
    countExactly,
    derivation: (tokens) => derive(chartOf(tokens).has, tokens),
    meanHeight: (tokens) => meanHeight(rules, chartOf(tokens)),
  }
}

/** Remembers what a function made of the last string. */
function lastOf<T>(make: (tokens: ArrayLike<number>) => T): (tokens: ArrayLike<number>) => T {
  let last: { readonly tokens: readonly number[]; readonly made: T } | null = null
  return (tokens) => {
    if (last === null || !sameTokens(last.tokens, tokens)) last = { tokens: Array.from(tokens), made: make(tokens) }
    return last.made
  }
}

const sameTokens = (a: readonly number[], b: ArrayLike<number>): boolean =>
  a.length === b.length && a.every((token, i) => token === b[i])

interface Arithmetic<T> {
  readonly zero: T
  readonly one: T
  plusProduct(sum: T, a: T, b: T): T
}
const numbers: Arithmetic<number> = { zero: 0, one: 1, plusProduct: (sum, a, b) => sum + a * b }
const bigints: Arithmetic<bigint> = { zero: 0n, one: 1n, plusProduct: (sum, a, b) => sum + a * b }

/** Trees below every symbol and span that is part of some parse, children before parents. */
interface TreeCounts<T> {
  readonly total: T
  readonly nodes: ReadonlyMap<number, T>
  /** Of a node: symbol, from, to. */
  read(node: number): readonly [symbol: number, from: number, to: number]
}

/** Top-down from the start symbol, so that only what belongs to a parse is counted. */
function countTrees<T>(
  rules: readonly (readonly ParentRule[])[],
  chart: ParseChart,
  arithmetic: Arithmetic<T>,
): TreeCounts<T> {
  const n = chart.length
  const nodes = new Map<number, T>()
  const nodeOf = (symbol: number, from: number, to: number): number => (symbol * (n + 1) + from) * (n + 1) + to
  function below(symbol: number, from: number, to: number): T {
    const node = nodeOf(symbol, from, to)
    const known = nodes.get(node)
    if (known !== undefined) return known
    let sum = to - from === 1 ? arithmetic.one : arithmetic.zero
    if (to - from > 1)
      for (const { left, right } of rules[symbol] as readonly ParentRule[])
        for (const split of chart.endsBelow(left, from, to))
          if (chart.has(right, split, to))
            sum = arithmetic.plusProduct(sum, below(left, from, split), below(right, split, to))
    nodes.set(node, sum)
    return sum
  }
  const total = n > 0 && chart.has(0, 0, n) ? below(0, 0, n) : arithmetic.zero
  const read = (node: number): readonly [number, number, number] => {
    const span = node % ((n + 1) * (n + 1))
    return [Math.floor(node / ((n + 1) * (n + 1))), Math.floor(span / (n + 1)), span % (n + 1)]
  }
  return { total, nodes, read }
}

/** Counts of trees of height at most h, for growing h, until all are in. */
function meanHeight(rules: readonly (readonly ParentRule[])[], chart: ParseChart): number | null {
  const n = chart.length
  const { total, nodes, read } = countTrees(rules, chart, numbers)
  if (total === 0) return null
  const all = [...nodes.keys()]
  const nodeOf = (symbol: number, from: number, to: number): number => (symbol * (n + 1) + from) * (n + 1) + to
  let shorter = new Map<number, number>()
  let counted = 0
  let sum = 0
  for (let height = 2; counted < total && height <= n + 1; height++) {
    const now = new Map<number, number>()
    for (const node of all) {
      const [symbol, from, to] = read(node)
      let trees = to - from === 1 ? 1 : 0
      if (to - from > 1)
        for (const { left, right } of rules[symbol] as readonly ParentRule[])
          for (const split of chart.endsBelow(left, from, to))
            trees += (shorter.get(nodeOf(left, from, split)) ?? 0) * (shorter.get(nodeOf(right, split, to)) ?? 0)
      if (trees > 0) now.set(node, trees)
    }
    const reached = now.get(nodeOf(0, 0, n)) ?? 0
    sum += height * (reached - counted)
    counted = reached
    shorter = now
  }
  return sum / total
}
