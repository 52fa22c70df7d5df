import { plainReading } from './crossed.ts'
import { PcfgError } from './error.ts'
import { heights, isTerminal, meanMatrix, type Pcfg, type PcfgRule, wholeRight } from './grammar.ts'
import { series, transposed, unit } from './linear.ts'
import { entropyOf } from './ln.ts'
import { type PrefixAutomaton, prefixAutomaton } from './prefix-automaton.ts'

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

/** States in an order where every arc goes forward; null past a cycle (an infinite language). */
function topological(automaton: PrefixAutomaton): number[] | null {
  const order: number[] = []
  const mark: ('open' | 'done' | undefined)[] = []
  const stack: { state: number; arcs: Iterator<{ readonly to: number }> }[] = []
  const enter = (state: number) => {
    mark[state] = 'open'
    stack.push({ state, arcs: automaton.state(state).next.values() })
  }
  enter(0)
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const step = top.arcs.next()
    if (step.done === true) {
      mark[top.state] = 'done'
      order.push(top.state)
      stack.pop()
    } else if (mark[step.value.to] === undefined) enter(step.value.to)
    else if (mark[step.value.to] === 'open') return null
  }
  return order.reverse()
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
  const order = topological(automaton)
  if (order === null) return { kind: 'infinite' }
  const support: bigint[] = []
  const entropy: number[] = []
  const longest: number[] = []
  for (const at of order.toReversed()) {
    const { end, next } = automaton.state(at)
    let strings = end > 0 ? 1n : 0n
    let most = 0
    const local = [end]
    let later = 0
    for (const { probability, to } of next.values()) {
      strings += support[to] as bigint
      most = Math.max(most, 1 + (longest[to] as number))
      local.push(probability)
      later += probability * (entropy[to] as number)
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
    entropy: entropy[0] as number,
    ambiguous: derivations > (support[0] as bigint),
    longest: longest[0] as number,
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
