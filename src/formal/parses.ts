import { chartBuilder, type ParseChart } from './chart.ts'
import type { Cnf } from './grammar.ts'

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
  const rules = rulesByParent(cnf)
  const fastCount = fastCounter(cnf.nonterminals.length, rules)
  // Counts, derivation and witness of one string are mostly asked for one after another.
  let last: { readonly tokens: readonly number[]; readonly chart: ParseChart } | null = null
  const chartOf = (tokens: ArrayLike<number>): ParseChart => {
    if (last === null || !sameTokens(last.tokens, tokens)) last = { tokens: Array.from(tokens), chart: build(tokens) }
    return last.chart
  }
  return {
    chart: chartOf,
    count(tokens) {
      const approximate = fastCount(chartOf(tokens))
      return { approximate, exact: approximate <= Number.MAX_SAFE_INTEGER }
    },
    countExactly: (tokens) => countTrees(rules, chartOf(tokens), bigints).total,
    derivation: (tokens) => firstDerivation(cnf, rules, chartOf(tokens), tokens),
    meanHeight: (tokens) => meanHeight(rules, chartOf(tokens)),
  }
}

const sameTokens = (a: readonly number[], b: ArrayLike<number>): boolean =>
  a.length === b.length && a.every((token, i) => token === b[i])

/** For every symbol, [left child, right child, rule number] of its binary rules, in the grammar's order; a repeated rule counts once. */
function rulesByParent(cnf: Cnf): readonly (readonly number[])[] {
  const out: number[][] = cnf.nonterminals.map(() => [])
  const seen = new Set<string>()
  for (let r = 0; 3 * r < cnf.binary.length; r++) {
    const [parent, left, right] = cnf.binary.subarray(3 * r, 3 * r + 3) as unknown as [number, number, number]
    const key = `${parent} ${left} ${right}`
    if (seen.has(key)) continue
    seen.add(key)
    ;(out[parent] as number[]).push(left, right, r)
  }
  return out
}

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
  rules: readonly (readonly number[])[],
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
    const own = rules[symbol] as readonly number[]
    for (let r = 0; to - from > 1 && r < own.length; r += 3) {
      const right = own[r + 1] as number
      for (const split of chart.endsBelow(own[r] as number, from, to))
        if (chart.has(right, split, to))
          sum = arithmetic.plusProduct(sum, below(own[r] as number, from, split), below(right, split, to))
    }
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

/**
 * Counts in doubles, bottom-up over all chart items: what every positive of a dataset is counted by. The counts of one
 * symbol lie side by side by end (for a fixed start) and by start (for a fixed end), so that a rule's sum over split
 * points is a dot product.
 */
function fastCounter(symbols: number, rules: readonly (readonly number[])[]): (chart: ParseChart) => number {
  let byEnd = new Float64Array(0)
  let byStart = new Float64Array(0)
  return (chart) => {
    const n = chart.length
    if (n === 0 || !chart.has(0, 0, n)) return 0
    const side = n + 1
    const size = symbols * side * side
    if (byEnd.length < size) {
      byEnd = new Float64Array(size)
      byStart = new Float64Array(size)
    }
    for (let width = 1; width <= n; width++)
      for (let from = 0; from + width <= n; from++) {
        const to = from + width
        for (const symbol of chart.cell(from, to)) {
          let sum = width === 1 ? 1 : 0
          const own = rules[symbol] as readonly number[]
          for (let r = 0; width > 1 && r < own.length; r += 3) {
            const first = chart.endAfter(own[r] as number, from, from)
            if (first === 0 || first >= to) continue
            const left = ((own[r] as number) * side + from) * side
            const right = ((own[r + 1] as number) * side + to) * side
            for (let split = first; split < to; split++)
              sum += (byEnd[left + split] as number) * (byStart[right + split] as number)
          }
          byEnd[(symbol * side + from) * side + to] = sum
          byStart[(symbol * side + to) * side + from] = sum
        }
      }
    const total = byEnd[n] as number
    for (let from = 0; from < n; from++)
      for (let to = from + 1; to <= n; to++)
        for (const symbol of chart.cell(from, to)) {
          byEnd[(symbol * side + from) * side + to] = 0
          byStart[(symbol * side + to) * side + from] = 0
        }
    return total
  }
}

/** Counts of trees of height at most h, for growing h, until all are in. */
function meanHeight(rules: readonly (readonly number[])[], chart: ParseChart): number | null {
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
      const own = rules[symbol] as readonly number[]
      for (let r = 0; to - from > 1 && r < own.length; r += 3)
        for (const split of chart.endsBelow(own[r] as number, from, to))
          trees +=
            (shorter.get(nodeOf(own[r] as number, from, split)) ?? 0) *
            (shorter.get(nodeOf(own[r + 1] as number, split, to)) ?? 0)
      if (trees > 0) now.set(node, trees)
    }
    const reached = now.get(nodeOf(0, 0, n)) ?? 0
    sum += height * (reached - counted)
    counted = reached
    shorter = now
  }
  return sum / total
}

function firstDerivation(
  cnf: Cnf,
  rules: readonly (readonly number[])[],
  chart: ParseChart,
  tokens: ArrayLike<number>,
): number[] | null {
  const n = chart.length
  if (n === 0 || !chart.has(0, 0, n)) return null
  const out: number[] = []
  const todo: (readonly [symbol: number, from: number, to: number])[] = [[0, 0, n]]
  while (todo.length > 0) {
    const [symbol, from, to] = todo.pop() as readonly [number, number, number]
    if (to - from === 1) {
      out.push(cnf.binary.length / 3 + lexicalRule(cnf, symbol, tokens[from] as number))
      continue
    }
    const [rule, split] = firstSplit(rules[symbol] as readonly number[], chart, from, to)
    out.push(rule)
    todo.push([cnf.binary[3 * rule + 2] as number, split, to], [cnf.binary[3 * rule + 1] as number, from, split])
  }
  return out
}

function lexicalRule(cnf: Cnf, symbol: number, token: number): number {
  for (let at = 0; at < cnf.lexical.length; at += 2)
    if (cnf.lexical[at] === symbol && cnf.lexical[at + 1] === token) return at / 2
  throw new Error('the chart holds a preterminal without its rule')
}

function firstSplit(own: readonly number[], chart: ParseChart, from: number, to: number): readonly [number, number] {
  for (let r = 0; r < own.length; r += 3)
    for (const split of chart.endsBelow(own[r] as number, from, to))
      if (chart.has(own[r + 1] as number, split, to)) return [own[r + 2] as number, split]
  throw new Error('the chart holds a symbol that no rule explains')
}

/** The height of a derivation's tree, a word counting 1. */
export function derivationHeight(cnf: Cnf, rules: readonly number[]): number {
  const binary = cnf.binary.length / 3
  const depths = [1]
  let height = 0
  for (const rule of rules) {
    const depth = depths.pop() as number
    if (rule < binary) depths.push(depth + 1, depth + 1)
    else height = Math.max(height, depth + 1)
  }
  return height
}
