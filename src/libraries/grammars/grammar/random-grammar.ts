import { below, between, sampleIndices } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Cnf } from './cnf.ts'
import { trim } from './trim.ts'

/** What the raw sampler is asked for. All four are integers >= 1; the start symbol is not counted. */
export interface GrammarSize {
  readonly terminals: number
  readonly nonterminals: number
  readonly lexical: number
  readonly binary: number
}

/**
 * How many distinct rules a size allows: lexical pairs of N x T; binary triples (N + 1) x N x N, for the start symbol may be
 * a parent but never a child.
 */
export function ruleCapacity(size: GrammarSize): { readonly lexical: number; readonly binary: number } {
  const { terminals, nonterminals } = size
  return { lexical: nonterminals * terminals, binary: (nonterminals + 1) * nonterminals * nonterminals }
}

/**
 * A raw random grammar as RELIC samples it (paper, section 3.1; Clark's synthetic CNF sampler): lexical pairs and
 * binary triples, each uniform without replacement. The start symbol `S` has no lexical rule and is on no right-hand
 * side. A number of rules above {@link ruleCapacity} is lowered to it. Rules come in drawn, that is random, order.
 */
export function rawGrammar(stream: Stream, size: GrammarSize): Cnf {
  for (const [name, value] of Object.entries(size))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`a grammar size needs integers >= 1, got ${name} = ${value}`)
  const n = size.nonterminals
  const capacity = ruleCapacity(size)
  if (capacity.binary > Number.MAX_SAFE_INTEGER || capacity.lexical > Number.MAX_SAFE_INTEGER)
    throw new RangeError(`${n} nonterminals and ${size.terminals} terminals allow more rules than can be numbered`)
  const lexical: number[] = []
  for (const pair of sampleIndices(stream, capacity.lexical, Math.min(size.lexical, capacity.lexical)))
    lexical.push(1 + Math.floor(pair / size.terminals), pair % size.terminals)
  const binary: number[] = []
  for (const triple of sampleIndices(stream, capacity.binary, Math.min(size.binary, capacity.binary)))
    binary.push(Math.floor(triple / (n * n)), 1 + (Math.floor(triple / n) % n), 1 + (triple % n))
  return {
    nonterminals: ['S', ...Array.from({ length: n }, (_, i) => `NT${i}`)],
    terminals: Array.from({ length: size.terminals }, (_, i) => `t${i}`),
    binary: Int32Array.from(binary),
    lexical: Int32Array.from(lexical),
  }
}

/**
 * A trimmed random grammar with a non-empty language: raw grammars are drawn until one survives trimming, at most
 * `tries` times (RELIC: 100). `null` when none did, which small sizes make likely: the expected number of start rules
 * is binary / (nonterminals + 1).
 *
 * @example
 * import { namedStream, randomGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const grammar = randomGrammar(namedStream('my grammars', '1'), { terminals: 5, nonterminals: 5, lexical: 12, binary: 12 })
 * console.log(grammar === null ? 'none in 100 tries' : grammar.lexical.length <= 24) // true
 */
export function randomGrammar(stream: Stream, size: GrammarSize, tries = 100): Cnf | null {
  for (let i = 0; i < tries; i++) {
    const grammar = trim(rawGrammar(stream, size))
    if (grammar !== null) return grammar
  }
  return null
}

/**
 * How one size parameter of a random grammar is drawn. All numbers are integers.
 * - `fixed`: always `value`.
 * - `uniform`: `low`..`high`, both included.
 * - `grid`: one of `low`, `low + step`, ... not above `high`.
 * - `exponential`: the integer part of an exponential of mean `mean`, clamped to `low`..`high` (RELIC: mean 100, 5..400).
 */
export type Parameter =
  | { readonly kind: 'fixed'; readonly value: number }
  | { readonly kind: 'uniform'; readonly low: number; readonly high: number }
  | { readonly kind: 'grid'; readonly low: number; readonly high: number; readonly step: number }
  | { readonly kind: 'exponential'; readonly mean: number; readonly low: number; readonly high: number }

/** One value of a {@link Parameter}. */
export function drawParameter(stream: Stream, parameter: Parameter): number {
  switch (parameter.kind) {
    case 'fixed':
      return parameter.value
    case 'uniform':
      return between(stream, parameter.low, parameter.high)
    case 'grid':
      return (
        parameter.low +
        parameter.step * below(stream, Math.floor((parameter.high - parameter.low) / parameter.step) + 1)
      )
    case 'exponential':
      return Math.min(Math.max(integerExponential(stream, parameter.mean), parameter.low), parameter.high)
  }
}

/**
 * The integer part of an exponential of integer mean: P(X >= k) = e^(-k / mean), exactly and with integers only.
 * A remainder u uniform on 0..mean-1 is kept with probability e^(-u / mean); the quotient counts successes of
 * probability 1/e (Canonne, Kamath, Steinke 2020, algorithm 2).
 */
export function integerExponential(stream: Stream, mean: number): number {
  let remainder = below(stream, mean)
  while (!bernoulliExp(stream, remainder, mean)) remainder = below(stream, mean)
  let quotient = 0
  while (bernoulliExp(stream, 1, 1)) quotient++
  return remainder + mean * quotient
}

/**
 * True with probability e^(-numerator / denominator), for 0 <= numerator <= denominator: the number of successes in a
 * row of probability g, g/2, g/3, ... is even with just that probability (von Neumann's series).
 */
function bernoulliExp(stream: Stream, numerator: number, denominator: number): boolean {
  let k = 1
  while (below(stream, denominator * k) < numerator) k++
  return k % 2 === 1
}
