import { chartBuilder } from './chart.ts'
import type { EditKind } from './edits.ts'
import type { Cnf } from './grammar.ts'
import { outsidePass } from './outside.ts'

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
 * One chart and one outside pass over it. The outside of a span does not depend on what is inside it, so A outside
 * (p, p+1) and a rule A -> t say that t may stand at p; outside (g, g), that t may be inserted; and a rule A -> B C with
 * A outside (i, j), B inside (i, p) and C inside (p+1, j) says that p may go.
 */
export function neighbourhoodKernel(grammar: Cnf): NeighbourhoodKernel {
  const symbols = grammar.nonterminals.length
  const terminals = grammar.terminals.length
  const chartOf = chartBuilder(grammar)
  const outside = outsidePass(grammar)
  const { preterminals, tokenWords, sets } = terminalSets(grammar)
  const allTokens = new Int32Array(tokenWords)
  for (let t = 0; t < terminals; t++) allTokens[t >>> 5]! |= 1 << (t & 31)
  const union = new Int32Array(tokenWords)

  /** Union of the terminals of every symbol whose mask from `row` on has `bit`, into `target` from `at`. */
  function collect(masks: Int32Array, row: number, bit: number, target: Int32Array, at: number): void {
    for (let l = 0; l < preterminals.length; l++)
      if ((masks[row + preterminals[l]!]! & bit) !== 0)
        for (let w = 0; w < tokenWords; w++) target[at + w]! |= sets[l * tokenWords + w]!
  }

  return (given, only) => {
    const tokens = Int32Array.from(given)
    const n = tokens.length
    if (n === 0) throw new RangeError('the neighbourhood of the empty string is not defined; give at least one token')
    for (const token of tokens)
      if (token < 0 || token >= terminals)
        throw new RangeError(`token ${token} is not one of the grammar's ${terminals} terminals`)
    const chart = chartOf(tokens)
    const deletions = new Uint8Array(n)
    deletions[0] = n > 1 && chart.has(0, 1, n) ? 1 : 0
    deletions[n - 1] = n > 1 && chart.has(0, 0, n - 1) ? 1 : 0

    /** The terminals that may stand between places i and j. */
    const between = (masks: Int32Array, i: number, j: number, target: Int32Array, at: number): void =>
      collect(masks, ((j >>> 5) * (n + 1) + i) * symbols, 1 << (j & 31), target, at)
    const isFree = (masks: Int32Array, i: number, j: number): boolean => {
      union.fill(0)
      between(masks, i, j, union, 0)
      return union.every((set, w) => set === allTokens[w])
    }
    const settled: { readonly [kind in EditKind]: (masks: Int32Array, place: number) => boolean } = {
      substitute: (masks, p) => isFree(masks, p, p + 1),
      insert: (masks, g) => isFree(masks, g, g),
      delete: (_, p) => deletions[p] === 1,
    }
    const last = only === 'insert' ? n : n - 1
    let place = 0
    const masks = outside(chart, {
      omissions: only === undefined || only === 'delete' ? deletions : null,
      enough(found) {
        if (only === undefined) return false
        while (place <= last && settled[only](found, place)) place++
        return place > last
      },
    })
    const substitutions = new Int32Array(n * tokenWords)
    const insertions = new Int32Array((n + 1) * tokenWords)
    if (only === undefined || only === 'substitute')
      for (let p = 0; p < n; p++) between(masks, p, p + 1, substitutions, p * tokenWords)
    if (only === undefined || only === 'insert')
      for (let g = 0; g <= n; g++) between(masks, g, g, insertions, g * tokenWords)
    return { tokens, member: chart.has(0, 0, n), tokenWords, substitutions, insertions, deletions }
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
