import { PcfgError } from './error.ts'
import { isTerminal, isUnit, meanMatrix, type Pcfg, type PcfgRule } from './grammar.ts'
import { series, zeros } from './linear.ts'

/** P(length = n) for n = 0..; `rest` is the probability beyond the last entry (0 for a finite language). */
export interface LengthDistribution {
  readonly probability: readonly number[]
  readonly rest: number
}

/**
 * The exact distribution of the string length up to `most`. A right-hand side of two symbols or more has n tokens only
 * where each symbol has fewer, and unit rules are summed in closed form, so one pass by length does, recursion or not.
 */
export function lengthDistribution(grammar: Pcfg, most = 512): LengthDistribution {
  const units = series(meanMatrix(grammar, (rule) => (isUnit(rule) ? rule.right : [])))
  if (units.kind === 'diverges') throw new PcfgError('not-terminating', 'unit recursion has probability 1')
  const table = grammar.nonterminals.map(() => new Float64Array(most + 1))
  const longer = grammar.rules
    .filter((rule) => !isUnit(rule))
    .map((rule) => ({ rule, length: ofRight(rule, table, most) }))
  for (let n = 1; n <= most; n++) {
    const direct = zeros(table.length)
    for (const { rule, length } of longer) direct[rule.left]! += rule.probability * length(n)
    for (const [i, p] of units.of(direct).entries()) (table[i] as Float64Array)[n] = p
  }
  const probability = [...(table[0] as Float64Array)]
  while (probability.length > 1 && probability.at(-1) === 0) probability.pop()
  let sum = 0
  for (const p of probability) sum += p
  return { probability, rest: Math.max(0, 1 - sum) }
}

/** P(a right-hand side has n tokens), asked for n = 1, 2, .. in turn, from a table filled up to n - 1. */
function ofRight({ right }: PcfgRule, table: readonly Float64Array[], most: number): (n: number) => number {
  const parts = right.filter((symbol) => !isTerminal(symbol)).map((symbol) => table[symbol] as Float64Array)
  const tokens = right.length - parts.length
  const [first, ...others] = parts
  if (first === undefined) return (n) => (n === tokens ? 1 : 0)
  // products[i][n]: P(the first i + 1 nonterminals have n tokens together), the tokens of the rule itself left out.
  const products = [first, ...others.map(() => new Float64Array(most + 1))]
  return (n) => {
    const own = n - tokens
    if (own < 1) return 0
    for (const [i, part] of others.entries()) {
      const before = products[i] as Float64Array
      let sum = 0
      for (let m = 1; m < own; m++) sum += before[own - m]! * part[m]!
      ;(products[i + 1] as Float64Array)[own] = sum
    }
    return (products.at(-1) as Float64Array)[own] as number
  }
}
