import { type Cnf, preterminals as symbolsByToken } from '../grammar/cnf.ts'
import type { EditKind } from '../negatives/edit-negatives.ts'
import { type SpanMasks, spanPasses } from './span-passes.ts'

/**
 * Which strings one edit away from a string are in the language. Token sets are bit sets of `tokenWords` 32-bit words;
 * positions count tokens, gaps count the places between them.
 */
export interface Neighbourhood {
  readonly tokens: Int32Array
  /** Is the string itself in the language? */
  readonly member: boolean
  readonly tokenWords: number
  /** position p: tokens t such that the string with t at p is in the language (the unchanged string included) */
  readonly substitutions: Int32Array
  /** gap g = 0..n: tokens t such that the string with t put before position g is in the language */
  readonly insertions: Int32Array
  /** position p: 1 iff the string without p is in the language */
  readonly deletions: Uint8Array
}

/**
 * Computes edit-1 neighbourhoods for one grammar. Where `only` one kind of edit is asked for, the parts for the others
 * mean nothing, and the work ends as soon as every edit of that kind is known to stay in the language. Buffers are reused;
 * results are fresh.
 */
export type NeighbourhoodKernel = (tokens: ArrayLike<number>, only?: EditKind) => Neighbourhood

/**
 * One inside and one outside pass. The outside of a span does not depend on what is inside it, so A outside (p, p+1) and
 * a rule A -> t say that t may stand at p; A outside (g, g), that t may be inserted; and A outside (p, j) and inside
 * (p+1, j), that p may go.
 *
 * @example
 * import { neighbourhoodKernel, parseRelicGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const neighbours = neighbourhoodKernel(parseRelicGrammar("S -> A B\nA -> A A\nA -> 'a'\nB -> 'b'"))
 * const { member, deletions } = neighbours([0, 0, 1])
 * console.log(member, [...deletions]) // true [ 1, 1, 0 ]
 */
export function neighbourhoodKernel(grammar: Cnf): NeighbourhoodKernel {
  const symbols = grammar.nonterminals.length
  const terminals = grammar.terminals.length
  const { preterminals, tokenWords, sets } = terminalSets(grammar)
  const byToken = symbolsByToken(grammar)
  const allTokens = new Int32Array(tokenWords)
  for (let t = 0; t < terminals; t++) allTokens[t >>> 5]! |= 1 << (t & 31)
  const union = new Int32Array(tokenWords)

  /** The terminals that may stand between places i and j, added to `target` from `at`. */
  function between(outer: SpanMasks, i: number, j: number, target: Int32Array, at: number): void {
    for (let l = 0; l < preterminals.length; l++)
      if (outer.has(preterminals[l]!, i, j))
        for (let w = 0; w < tokenWords; w++) target[at + w]! |= sets[l * tokenWords + w]!
  }

  function isFree(outer: SpanMasks, i: number, j: number): boolean {
    union.fill(0)
    between(outer, i, j, union, 0)
    return union.every((set, w) => set === allTokens[w])
  }

  return (given, only) => {
    const tokens = Int32Array.from(given)
    const n = tokens.length
    if (n === 0) throw new RangeError('the neighbourhood of the empty string is not defined; give at least one token')
    for (const token of tokens)
      if (token < 0 || token >= terminals)
        throw new RangeError(`token ${token} is not one of the grammar's ${terminals} terminals`)
    const passes = spanPasses(grammar)
    const inner = passes.inside(tokens)

    /** May p go, as far as the outside masks are known? */
    function isOmissible(outer: SpanMasks, p: number): boolean {
      if (p === n - 1) return n > 1 && inner.has(0, 0, p)
      for (let symbol = 0; symbol < symbols; symbol++)
        for (let w = (p + 2) >>> 5; w <= n >>> 5; w++)
          if ((outer.word(symbol, p, w) & inner.word(symbol, p + 1, w)) !== 0) return true
      return false
    }
    /** The same where they are all known: the next token then takes the place of both. */
    const isSkipped = (outer: SpanMasks, p: number): boolean =>
      p === n - 1 ? isOmissible(outer, p) : byToken[tokens[p + 1]!]!.some((symbol) => outer.has(symbol, p, p + 2))
    const settled: { readonly [kind in EditKind]: (outer: SpanMasks, place: number) => boolean } = {
      substitute: (outer, p) => isFree(outer, p, p + 1),
      insert: (outer, g) => isFree(outer, g, g),
      delete: isOmissible,
    }
    const last = only === 'insert' ? n : n - 1
    let place = 0
    const outer = passes.outside((masks) => {
      if (only === undefined) return false
      while (place <= last && settled[only](masks, place)) place++
      return place > last
    })
    const substitutions = new Int32Array(n * tokenWords)
    const insertions = new Int32Array((n + 1) * tokenWords)
    const deletions = new Uint8Array(n)
    if (only === undefined || only === 'substitute')
      for (let p = 0; p < n; p++) between(outer, p, p + 1, substitutions, p * tokenWords)
    if (only === undefined || only === 'insert')
      for (let g = 0; g <= n; g++) between(outer, g, g, insertions, g * tokenWords)
    if (only === undefined || only === 'delete')
      for (let p = 0; p < n; p++) deletions[p] = place > last || isSkipped(outer, p) ? 1 : 0
    return { tokens, member: inner.has(0, 0, n), tokenWords, substitutions, insertions, deletions }
  }
}

/** The symbols with lexical rules, and the terminals of each as a bit set of `tokenWords` words. */
function terminalSets({ lexical, terminals }: Cnf) {
  const tokenWords = (terminals.length + 31) >>> 5
  const preterminals = Int32Array.from(new Set(lexical.filter((_, i) => i % 2 === 0))).sort()
  const sets = new Int32Array(preterminals.length * tokenWords)
  for (let at = 0; at < lexical.length; at += 2) {
    const t = lexical[at + 1]!
    sets[preterminals.indexOf(lexical[at]!) * tokenWords + (t >>> 5)]! |= 1 << (t & 31)
  }
  return { preterminals, tokenWords, sets }
}
