import type { Cnf } from '../grammar/cnf.ts'
import { rulesByParent } from '../grammar/rule-lists.ts'
import { chartBuilder, type ParseChart } from './chart.ts'
import { exactCount } from './exact-counts.ts'
import { firstDerivation } from './first-derivation.ts'
import { meanHeight } from './mean-height.ts'
import { type ScaledCount, type TreeCounter, treeCounter } from './tree-counts.ts'
import { usefulTreeCounter } from './useful-trees.ts'

/** How many parse trees a string has: exact below 2^53, else rounded. */
export interface ParseCount extends ScaledCount {
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

/**
 * Charts, numbers of parses and trees of one grammar's strings, given as numbers of terminals. Strings outside the language
 * have no parses.
 *
 * @example
 * import { parseAnalyzer, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const analyzer = parseAnalyzer(parseRelicGrammar("S -> S1 S1\nS1 -> S1 S1\nS1 -> 'a'"))
 * // Catalan numbers: the ways to put brackets.
 * console.log(analyzer.countExactly([0, 0, 0, 0]), analyzer.meanHeight([0, 0, 0])) // 5n 4
 */
export function parseAnalyzer(cnf: Cnf): ParseAnalyzer {
  const build = chartBuilder(cnf)
  const rules = rulesByParent(cnf)
  const fewTrees = usefulTreeCounter(rules)
  let manyTrees: TreeCounter | null = null
  const derive = firstDerivation(cnf, rules)
  // Count, derivation and witness of one string are mostly asked for one after another.
  const parsed = lastOf((tokens) => {
    const chart = build(tokens)
    return { chart, count: chart.has(0, 0, tokens.length) ? countOf(chart, tokens) : none }
  })
  const countOf = (chart: ParseChart, tokens: ArrayLike<number>): ScaledCount | null => {
    const few = fewTrees(chart)
    if (few !== null) return { mantissa: few, exponent: 0 }
    manyTrees ??= treeCounter(cnf)
    return manyTrees(tokens)
  }
  const chartOf = (tokens: ArrayLike<number>): ParseChart => parsed(tokens).chart
  const countExactly = (tokens: ArrayLike<number>): bigint => exactCount(rules, chartOf(tokens))
  return {
    chart: chartOf,
    count(tokens) {
      const count = parsed(tokens).count ?? scaled(countExactly(tokens))
      return { ...count, exact: count.exponent === 0 && count.mantissa <= Number.MAX_SAFE_INTEGER }
    },
    countExactly,
    derivation: (tokens) => derive(chartOf(tokens), tokens),
    meanHeight: (tokens) => meanHeight(rules, chartOf(tokens)),
  }
}

const none: ScaledCount = { mantissa: 0, exponent: 0 }

/** Bits that a double holds whatever they are. */
const held = 1000

function scaled(count: bigint): ScaledCount {
  const exponent = Math.max(0, 4 * count.toString(16).length - held)
  return { mantissa: Number(count >> BigInt(exponent)), exponent }
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
