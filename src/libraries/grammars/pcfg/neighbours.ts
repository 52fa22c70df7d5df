import { crossedNeighbours } from './crossed-neighbours.ts'
import { PcfgError } from './error.ts'
import { isTerminal, meanMatrix, type Pcfg, terminalIndex } from './grammar.ts'
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
  const first = edgeDistributions(grammar, (right) => right[0] as number)
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
      add(of(last, right[i] as number), of(first, right[i + 1] as number), (counts[left] as number) * probability)
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
