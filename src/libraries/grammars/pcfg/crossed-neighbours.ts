import { crossedRules, type PairRule } from './crossed.ts'
import { meanMatrix, type Pcfg, wholeRight } from './grammar.ts'
import { series } from './linear.ts'
import { expectedCounts } from './quantities.ts'

/** How often `left` stands before `right` in a string, in expectation; null is the end of string. */
export type Neighbour = readonly [left: number | null, right: number | null, count: number]

/**
 * Expected neighbours in strings of a grammar read crossed: tokens of successive pairs, first with first and second with
 * second; the last first token with the first second one; the ends.
 */
export function crossedNeighbours(grammar: Pcfg): Neighbour[] {
  const rules = crossedRules(grammar)
  const counts = expectedCounts(grammar)
  const out: Neighbour[] = []
  for (const [q, list] of rules.entries())
    for (const { first, second, next, probability } of list)
      for (const after of next === null ? [] : (rules[next] as readonly PairRule[])) {
        const count = (counts[q] as number) * probability * after.probability
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
    byToken.flatMap((shares, token) => ((shares[q] as number) > 0 ? [[token, shares[q] as number] as const] : []))
}
