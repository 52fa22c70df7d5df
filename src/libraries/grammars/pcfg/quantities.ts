import { plainReading } from './crossed.ts'
import { heights, isTerminal, isUnit, meanMatrix, type Pcfg, PcfgError, type PcfgRule, wholeRight } from './grammar.ts'
import { postorder, series, transposed, unit, zeros } from './linear.ts'
import { entropyOf } from './ln.ts'
import { prefixAutomaton } from './prefix-automaton.ts'

/** Exact quantities of a probabilistic grammar; entropies in nats. */

/** Expected number of expansions of each nonterminal in one derivation. */
export function expectedCounts(grammar: Pcfg): number[] {
  const counts = series(transposed(meanMatrix(grammar, wholeRight)))
  if (counts.kind === 'diverges') throw new PcfgError('not-terminating', 'the expected rule counts are not finite')
  return counts.of(unit(grammar.nonterminals.length, 0))
}

/** Expected number of tokens of a string. */
export function expectedLength(grammar: Pcfg): number {
  const counts = expectedCounts(grammar)
  let sum = 0
  for (const rule of grammar.rules) sum += counts[rule.left]! * rule.probability * rule.right.filter(isTerminal).length
  return sum
}

/**
 * Entropy of the derivation: expected expansions times the entropy of the choice, duplicated rules counted as one. An
 * upper bound of the string entropy, equal to it when the grammar is unambiguous.
 */
export function derivationalEntropy(grammar: Pcfg): number {
  const counts = expectedCounts(grammar)
  return grammar.nonterminals.reduce((sum, _, n) => sum + counts[n]! * entropyOf(choices(grammar, n).values()), 0)
}

/** Probability by distinct right-hand side. */
function choices(grammar: Pcfg, nonterminal: number): Map<string, number> {
  const merged = new Map<string, number>()
  for (const r of grammar.rulesOf[nonterminal] as readonly number[]) {
    const rule = grammar.rules[r] as PcfgRule
    const key = rule.right.join()
    merged.set(key, (merged.get(key) ?? 0) + rule.probability)
  }
  return merged
}

/** What the whole automaton of a finite language tells. */
export interface FiniteLanguage {
  readonly kind: 'finite'
  /** Distinct strings. */
  readonly support: bigint
  /** Distinct derivations, duplicated rules counted once. */
  readonly derivations: bigint
  /** H(L) of the strings, exact up to rounding. */
  readonly entropy: number
  readonly ambiguous: boolean
  readonly longest: number
  readonly states: number
}
export interface InfiniteLanguage {
  readonly kind: 'infinite'
}

/** @throws PcfgError where the language is left-recursive or too large for its automaton. */
export function wholeLanguage(grammar: Pcfg): FiniteLanguage | InfiniteLanguage {
  const height = heights(grammar)
  if (height === null) return { kind: 'infinite' }
  // Strings of both readings correspond one to one.
  const automaton = prefixAutomaton(plainReading(grammar))
  const order = postorder([0], (state) => [...automaton.state(state).next.values()].map(({ to }) => to).values())
  const support: bigint[] = []
  const entropy: number[] = []
  const longest: number[] = []
  for (const at of order) {
    const { end, next } = automaton.state(at)
    let strings = end > 0 ? 1n : 0n
    let most = 0
    const local = [end]
    let later = 0
    for (const { probability, to } of next.values()) {
      strings += support[to] as bigint
      most = Math.max(most, 1 + longest[to]!)
      local.push(probability)
      later += probability * entropy[to]!
    }
    support[at] = strings
    longest[at] = most
    entropy[at] = entropyOf(local) + later
  }
  const derivations = countDerivations(grammar, height)
  return {
    kind: 'finite',
    support: support[0] as bigint,
    derivations,
    entropy: entropy[0]!,
    ambiguous: derivations > (support[0] as bigint),
    longest: longest[0]!,
    states: order.length,
  }
}

function countDerivations(grammar: Pcfg, height: readonly number[]): bigint {
  const count: bigint[] = []
  const order = height.map((_, n) => n).sort((a, b) => height[a]! - height[b]!)
  for (const n of order) {
    let sum = 0n
    for (const right of choices(grammar, n).keys())
      sum += right
        .split(',')
        .map(Number)
        .reduce((product, symbol) => (isTerminal(symbol) ? product : product * (count[symbol] as bigint)), 1n)
    count[n] = sum
  }
  return count[0] as bigint
}

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
  // products[i][n]: P(the first i + 1 nonterminals have n tokens together), without the tokens of the rule itself.
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
