import { crossSerialRules, type PairRule } from './crossed.ts'
import { isTerminal, meanMatrix, type Pcfg, PcfgError, terminalIndex, wholeRight } from './grammar.ts'
import { series, unit, zeros } from './linear.ts'
import { expectedCounts } from './quantities.ts'

/**
 * The exact shares of neighbouring tokens `left right` among all neighbours in strings of the language; the empty name
 * stands for the end of string, before the first token and after the last. Neighbours inside a rule's right-hand side are
 * the last token of one symbol and the first of the next, independent of one another given the rule.
 */
export function expectedNeighbours(grammar: Pcfg): Map<string, number> {
  const pairs = grammar.reading === 'crossed' ? crossedCounts(grammar) : plainCounts(grammar)
  const names = [...grammar.terminals, '']
  let total = 0
  for (const row of pairs) for (const count of row) total += count
  return new Map(
    pairs.flatMap((row, a) =>
      row.flatMap((count, b) => (count > 0 ? [[`${names[a]} ${names[b]}`, count / total] as const] : [])),
    ),
  )
}

/** Expected counts by left and right token; the last row and column are the end of string. */
function plainCounts(grammar: Pcfg): number[][] {
  const counts = expectedCounts(grammar)
  const first = edgeDistributions(grammar, (right) => right[0]!)
  const last = edgeDistributions(grammar, (right) => right.at(-1) as number)
  const size = grammar.terminals.length
  const of = (edge: readonly (readonly number[])[], symbol: number): readonly number[] =>
    isTerminal(symbol) ? unit(size, terminalIndex(symbol)) : (edge[symbol] as readonly number[])
  const pairs = Array.from({ length: size + 1 }, () => zeros(size + 1))
  const add = (left: readonly number[], right: readonly number[], weight: number) => {
    for (const [a, p] of left.entries())
      if (p > 0) for (const [b, q] of right.entries()) if (q > 0) (pairs[a] as number[])[b]! += weight * p * q
  }
  const end = unit(size + 1, size)
  add(end, first[0] as readonly number[], 1)
  add(last[0] as readonly number[], end, 1)
  for (const { left, right, probability } of grammar.rules)
    for (let i = 0; i + 1 < right.length; i++)
      add(of(last, right[i]!), of(first, right[i + 1]!), counts[left]! * probability)
  return pairs
}

function crossedCounts(grammar: Pcfg): number[][] {
  const size = grammar.terminals.length
  const pairs = Array.from({ length: size + 1 }, () => zeros(size + 1))
  for (const [left, right, count] of crossedNeighbours(grammar))
    (pairs[left ?? size] as number[])[right ?? size]! += count
  return pairs
}

/** By nonterminal, the distribution of the token at one edge of its strings: a linear system a terminal. */
function edgeDistributions(grammar: Pcfg, edge: (right: readonly number[]) => number): number[][] {
  const edges = series(meanMatrix(grammar, ({ right }) => [edge(right)]))
  if (edges.kind === 'diverges') throw new PcfgError('not-terminating', 'left or right recursion has probability 1')
  const out = grammar.nonterminals.map(() => zeros(grammar.terminals.length))
  const direct = grammar.terminals.map(() => zeros(grammar.nonterminals.length))
  for (const { left, right, probability } of grammar.rules) {
    const symbol = edge(right)
    if (isTerminal(symbol)) (direct[terminalIndex(symbol)] as number[])[left]! += probability
  }
  for (const [t, column] of direct.entries())
    for (const [i, p] of edges.of(column).entries()) (out[i] as number[])[t] = p
  return out
}

/** How often `left` stands before `right` in a string, in expectation; null is the end of string. */
export type Neighbour = readonly [left: number | null, right: number | null, count: number]

/**
 * Expected neighbours in strings of a grammar read crossed: tokens of successive pairs, first with first and second with
 * second; the last first token with the first second one; the ends.
 */
export function crossedNeighbours(grammar: Pcfg): Neighbour[] {
  const rules = crossSerialRules(grammar)
  const counts = expectedCounts(grammar)
  const out: Neighbour[] = []
  for (const [q, list] of rules.entries())
    for (const { first, second, next, probability } of list)
      for (const after of next === null ? [] : (rules[next] as readonly PairRule[])) {
        const count = counts[q]! * probability * after.probability
        out.push([first, after.first, count], [second, after.second, count])
      }
  const lastFirst = lastTokens(grammar, rules, ({ first }) => first)
  const lastSecond = lastTokens(grammar, rules, ({ second }) => second)
  for (const { first, second, next, probability } of rules[0] as readonly PairRule[]) {
    out.push([null, first, probability])
    for (const [token, share] of next === null ? [[first, 1] as const] : lastFirst(next))
      out.push([token, second, probability * share])
  }
  for (const [token, share] of lastSecond(0)) out.push([token, null, share])
  return out
}

/** By nonterminal, the distribution of a token of its derivations' last pair: a linear system a token. */
function lastTokens(grammar: Pcfg, rules: readonly (readonly PairRule[])[], tokenOf: (rule: PairRule) => number) {
  const solution = series(meanMatrix(grammar, wholeRight))
  if (solution.kind === 'diverges') throw new RangeError('the expected rule counts are not finite')
  const byToken = grammar.terminals.map((_, token) =>
    solution.of(
      rules.map((list) =>
        list.reduce((sum, rule) => sum + (rule.next === null && tokenOf(rule) === token ? rule.probability : 0), 0),
      ),
    ),
  )
  return (q: number): (readonly [token: number, share: number])[] =>
    byToken.flatMap((shares, token) => (shares[q]! > 0 ? [[token, shares[q] as number] as const] : []))
}
