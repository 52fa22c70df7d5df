import { indexPairs, type PairIndex, type SparseChart, sparseChart } from './chart.ts'
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
  chart(tokens: ArrayLike<number>): SparseChart
  count(tokens: ArrayLike<number>): ParseCount
  countExactly(tokens: ArrayLike<number>): bigint
  /** The derivation of {@link firstDerivation}; null outside the language. */
  derivation(tokens: ArrayLike<number>): number[] | null
  /** Mean over all parses of the tree's height, a word counting 1 (nltk's `Tree.height`); null outside the language. */
  meanHeight(tokens: ArrayLike<number>): number | null
}

export function parseAnalyzer(cnf: Cnf): ParseAnalyzer {
  const index = indexPairs(cnf)
  const self: ParseAnalyzer = {
    chart: (tokens) => sparseChart(index, tokens),
    count(tokens) {
      const approximate = total(index, self.chart(tokens), numbers)
      return { approximate, exact: approximate <= Number.MAX_SAFE_INTEGER }
    },
    countExactly: (tokens) => total(index, self.chart(tokens), bigints),
    derivation: (tokens) => firstDerivation(cnf, self.chart(tokens), tokens),
    meanHeight: (tokens) => meanHeight(index, self.chart(tokens)),
  }
  return self
}

interface Arithmetic<T> {
  readonly zero: T
  readonly one: T
  plusProduct(sum: T, a: T, b: T): T
}
const numbers: Arithmetic<number> = { zero: 0, one: 1, plusProduct: (sum, a, b) => sum + a * b }
const bigints: Arithmetic<bigint> = { zero: 0n, one: 1n, plusProduct: (sum, a, b) => sum + a * b }

type Cells<T> = readonly (ReadonlyMap<number, T> | undefined)[]

/** Counts per span and symbol; `keep` may cut trees by their children's counts (for heights). */
function fill<T>(index: PairIndex, chart: SparseChart, arithmetic: Arithmetic<T>, below: Cells<T> | null): Cells<T> {
  const n = chart.length
  const { symbols: N, first, parents } = index
  const cells = new Array<Map<number, T> | undefined>((n + 1) * (n + 1))
  for (let i = 0; i < n; i++)
    cells[i * (n + 1) + i + 1] = new Map(Array.from(chart.cell(i, i + 1), (symbol) => [symbol, arithmetic.one]))
  for (let width = 2; width <= n; width++)
    for (let from = 0; from + width <= n; from++) {
      const to = from + width
      if (chart.cell(from, to).length === 0) continue
      const counts = new Map<number, T>()
      for (let split = from + 1; split < to; split++) {
        const left = (below ?? cells)[from * (n + 1) + split]
        const right = (below ?? cells)[split * (n + 1) + to]
        if (left === undefined || right === undefined) continue
        for (const [b, leftCount] of left)
          for (const [c, rightCount] of right) {
            const pair = b * N + c
            for (let p = first[pair] as number; p < (first[pair + 1] as number); p++) {
              const parent = parents[p] as number
              const sum = counts.get(parent) ?? arithmetic.zero
              counts.set(parent, arithmetic.plusProduct(sum, leftCount, rightCount))
            }
          }
      }
      cells[from * (n + 1) + to] = counts
    }
  return cells
}

function total<T>(index: PairIndex, chart: SparseChart, arithmetic: Arithmetic<T>): T {
  const n = chart.length
  if (n === 0 || !chart.cell(0, n).includes(0)) return arithmetic.zero
  return fill(index, chart, arithmetic, null)[n]?.get(0) ?? arithmetic.zero
}

/** Counts of trees of height at most h, for growing h, until all are in. */
function meanHeight(index: PairIndex, chart: SparseChart): number | null {
  const n = chart.length
  const all = total(index, chart, numbers)
  if (all === 0) return null
  let below: Cells<number> = []
  let counted = 0
  let sum = 0
  for (let height = 2; counted < all; height++) {
    below = fill(index, chart, numbers, below)
    const now = below[n]?.get(0) ?? 0
    sum += height * (now - counted)
    // Rounding may leave a trace that no height fills.
    if (height > n + 1) break
    counted = now
  }
  return sum / all
}

/**
 * One deterministic derivation as the numbers of its rules, left to right and top down: binary rule r is r, lexical rule
 * l is (number of binary rules) + l. Of several trees, the one with the first rule and, for it, the leftmost split.
 */
export function firstDerivation(cnf: Cnf, chart: SparseChart, tokens: ArrayLike<number>): number[] | null {
  const n = chart.length
  if (n === 0 || !chart.cell(0, n).includes(0)) return null
  const rules: number[] = []
  const todo: (readonly [symbol: number, from: number, to: number])[] = [[0, 0, n]]
  const byParent = rulesByParent(cnf)
  while (todo.length > 0) {
    const [symbol, from, to] = todo.pop() as readonly [number, number, number]
    if (to - from === 1) {
      rules.push(cnf.binary.length / 3 + lexicalRule(cnf, symbol, tokens[from] as number))
      continue
    }
    const [rule, split] = firstSplit(cnf, byParent[symbol] as number[], chart, from, to)
    rules.push(rule)
    todo.push([cnf.binary[3 * rule + 2] as number, split, to], [cnf.binary[3 * rule + 1] as number, from, split])
  }
  return rules
}

function rulesByParent(cnf: Cnf): number[][] {
  const out: number[][] = cnf.nonterminals.map(() => [])
  for (let r = 0; 3 * r < cnf.binary.length; r++) (out[cnf.binary[3 * r] as number] as number[]).push(r)
  return out
}

function lexicalRule(cnf: Cnf, symbol: number, token: number): number {
  for (let at = 0; at < cnf.lexical.length; at += 2)
    if (cnf.lexical[at] === symbol && cnf.lexical[at + 1] === token) return at / 2
  throw new Error('the chart holds a preterminal without its rule')
}

function firstSplit(
  cnf: Cnf,
  rules: readonly number[],
  chart: SparseChart,
  from: number,
  to: number,
): readonly [rule: number, split: number] {
  for (const rule of rules)
    for (let split = from + 1; split < to; split++)
      if (
        chart.cell(from, split).includes(cnf.binary[3 * rule + 1] as number) &&
        chart.cell(split, to).includes(cnf.binary[3 * rule + 2] as number)
      )
        return [rule, split]
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
