import { sampleIndices } from '../../../core/random.ts'
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
 *
 * @example
 * import { ruleCapacity } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(ruleCapacity({ terminals: 5, nonterminals: 4, lexical: 1, binary: 1 })) // { lexical: 20, binary: 80 }
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
