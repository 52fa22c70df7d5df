import { type Cnf, type ParentRule, rulesByParent } from '../grammar/cnf.ts'
import { chartBuilder, type ParseChart } from './chart.ts'
import { exactCount, treeCounter } from './tree-counts.ts'

/** How many parse trees a string has, mantissa * 2^exponent: exact below 2^53, else rounded; the exponent is 0 where a double holds it. */
export interface ParseCount {
  readonly mantissa: number
  readonly exponent: number
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
}

/**
 * Charts, numbers of parses and trees of one grammar's strings, given as numbers of terminals. Strings outside the language
 * have no parses.
 *
 * @example
 * import { parseAnalyzer, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const analyzer = parseAnalyzer(parseRelicGrammar("S -> S1 S1\nS1 -> S1 S1\nS1 -> 'a'"))
 * // Catalan numbers: the ways to put brackets.
 * console.log(analyzer.countExactly([0, 0, 0, 0])) // 5n
 */
export function parseAnalyzer(cnf: Cnf): ParseAnalyzer {
  const build = chartBuilder(cnf)
  const rules = rulesByParent(cnf)
  const treesOf = treeCounter(rules)
  const derive = firstDerivation(cnf, rules)
  // Count, derivation and witness of one string are mostly asked for one after another.
  const parsed = lastOf((tokens) => {
    const chart = build(tokens)
    return { chart, count: chart.has(0, 0, tokens.length) ? treesOf(chart) : 0 }
  })
  const chartOf = (tokens: ArrayLike<number>): ParseChart => parsed(tokens).chart
  const countExactly = (tokens: ArrayLike<number>): bigint => exactCount(rules, chartOf(tokens))
  return {
    chart: chartOf,
    count(tokens) {
      const { count } = parsed(tokens)
      if (count === null || count === Number.POSITIVE_INFINITY) return scaled(countExactly(tokens))
      return { mantissa: count, exponent: 0, exact: count <= Number.MAX_SAFE_INTEGER }
    },
    countExactly,
    derivation: (tokens) => derive(chartOf(tokens), tokens),
  }
}

/** Bits that a double holds whatever they are. */
const held = 1000

function scaled(count: bigint): ParseCount {
  const exponent = Math.max(0, 4 * count.toString(16).length - held)
  return { mantissa: Number(count >> BigInt(exponent)), exponent, exact: count <= Number.MAX_SAFE_INTEGER }
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

/**
 * The derivation with the first rule and, for it, the leftmost split everywhere, as rule numbers from left to right and
 * top down; null outside the language. `rules`: the binary rules of every symbol.
 */
function firstDerivation(cnf: Cnf, rules: readonly (readonly ParentRule[])[]) {
  const binary = cnf.binary.length / 3
  const lexical = rulesByTerminal(cnf)
  return (chart: ParseChart, tokens: ArrayLike<number>): number[] | null => {
    const n = tokens.length
    if (n === 0 || !chart.has(0, 0, n)) return null
    const out: number[] = []
    // Symbols still to be derived, the leftmost on top, each up to its end: where it begins is where the last one ended.
    const symbols = [0]
    const ends = [n]
    for (let from = 0; from < n; ) {
      const symbol = symbols.pop() as number
      const to = ends.pop() as number
      if (to - from === 1) {
        out.push(binary + (lexical[symbol]?.get(tokens[from]!) as number))
        from = to
        continue
      }
      const { rule, split } = firstSplit(rules[symbol] as readonly ParentRule[], chart, from, to)
      out.push(rule)
      symbols.push(cnf.binary[3 * rule + 2]!, cnf.binary[3 * rule + 1]!)
      ends.push(to, split)
    }
    return out
  }
}

/** For every symbol, the number of its first lexical rule for each terminal. */
function rulesByTerminal({ lexical, nonterminals }: Cnf): readonly ReadonlyMap<number, number>[] {
  const out = nonterminals.map(() => new Map<number, number>())
  for (let at = lexical.length - 2; at >= 0; at -= 2) out[lexical[at] as number]?.set(lexical[at + 1]!, at / 2)
  return out
}

function firstSplit(
  own: readonly ParentRule[],
  chart: ParseChart,
  from: number,
  to: number,
): { readonly rule: number; readonly split: number } {
  for (const { left, right, rule } of own) {
    const split = chart.firstSplit(left, right, from, to)
    if (split !== null) return { rule, split }
  }
  throw new Error('a span holds a symbol that no rule explains')
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
