import { inherit, type TokenEdges, tokenEdges } from '../grammar/adjacency.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { absorb, forEachToken, type TokenSets } from '../grammar/token-sets.ts'
import { useful } from '../grammar/trim.ts'

/**
 * Strictly k-local: a string is legal when each of its k consecutive tokens, counting one boundary mark at
 * either end, occurs so in some string of the language. With k = 1 every token is allowed anywhere; k = 2 is the bigram
 * test, k = 3 the trigram test. Contexts are terminal numbers, or `boundary` outside the string.
 */
export interface StrictlyLocalTest {
  readonly k: 1 | 2 | 3
  readonly terminals: number
  /** the number that stands for "outside the string": one more than the largest terminal */
  readonly boundary: number
  /** words of a token bit set */
  readonly words: number
  /** Fill `out` with the tokens that may stand between `a2 a` and `b b2`. */
  between(a2: number, a: number, b: number, b2: number, out: Int32Array): void
  /** May `a2 a` and `b b2` meet? */
  join(a2: number, a: number, b: number, b2: number): boolean
}

/** The legality tables of a grammar, from its useful rules only. With k = 3 it keeps a bit per legal trigram. */
export function strictlyLocalTest(grammar: Cnf, k: 1 | 2 | 3): StrictlyLocalTest {
  const terminals = grammar.terminals.length
  if (k === 1) return anything(terminals)
  const edges = tokenEdges(grammar, useful(grammar))
  const pairs = pairLegality(terminals, edges)
  return k === 2 ? pairs : tripleLegality(terminals, edges, pairs)
}

function anything(terminals: number): StrictlyLocalTest {
  const words = (terminals + 31) >>> 5
  const all = new Int32Array(words)
  for (let t = 0; t < terminals; t++) all[t >>> 5]! |= 1 << (t & 31)
  return {
    k: 1,
    terminals,
    boundary: terminals,
    words,
    between: (_a2, _a, _b, _b2, out) => out.set(all),
    join: () => true,
  }
}

/** successors[a] and predecessors[b] as token bit sets, with the boundary as context `terminals`. */
function pairLegality(terminals: number, { words, rules, firsts, lasts }: TokenEdges): StrictlyLocalTest {
  const successors = new Int32Array((terminals + 1) * words)
  const predecessors = new Int32Array((terminals + 1) * words)
  successors.set(firsts.subarray(0, words), terminals * words)
  predecessors.set(lasts.subarray(0, words), terminals * words)
  for (const [, b, c] of rules) {
    forEachToken(lasts, b * words, words, (t) => absorb(successors, t * words, firsts, c * words, words))
    forEachToken(firsts, c * words, words, (t) => absorb(predecessors, t * words, lasts, b * words, words))
  }
  return {
    k: 2,
    terminals,
    boundary: terminals,
    words,
    between(_a2, a, b, _b2, out) {
      for (let w = 0; w < words; w++) out[w] = successors[a * words + w]! & predecessors[b * words + w]!
    },
    join: (_a2, a, b) =>
      a < terminals
        ? (predecessors[b * words + (a >>> 5)]! & (1 << (a & 31))) !== 0
        : b < terminals && (successors[a * words + (b >>> 5)]! & (1 << (b & 31))) !== 0,
  }
}

/**
 * The legal trigrams: three adjacent tokens split 2 + 1 or 1 + 2 at the lowest node above them all, so they are a
 * suffix pair of B before a first token of C, or a last token of B before a prefix pair of C, for a rule A -> B C.
 */
function tripleLegality(terminals: number, edges: TokenEdges, pairs: StrictlyLocalTest): StrictlyLocalTest {
  const { symbols, words, rules, units, firsts, lasts } = edges
  const side = terminals + 1
  const table = side * side * words
  // after[a, b]: tokens c; before[b, c]: tokens a; middle[a, c]: tokens b. The boundary is a context, never a member.
  const after = new Int32Array(table)
  const before = new Int32Array(table)
  const middle = new Int32Array(table)
  const row = (x: number, y: number) => (x * side + y) * words
  const put = (to: TokenSets, x: number, y: number, token: number) => {
    to[row(x, y) + (token >>> 5)]! |= 1 << (token & 31)
  }
  const has = (rows: TokenSets, x: number, y: number, token: number) =>
    (rows[row(x, y) + (token >>> 5)]! & (1 << (token & 31))) !== 0

  // prefixes[A]: for each token t, the tokens u such that A derives t u ...; suffixes[A]: for each u, the t of ... t u.
  const width = terminals * words
  const prefixes = new Int32Array(symbols * width)
  const suffixes = new Int32Array(symbols * width)
  const next = new Int32Array(symbols * words)
  const previous = new Int32Array(symbols * words)
  for (const [a, b, c] of rules) {
    forEachToken(units, b * words, words, (t) => absorb(prefixes, a * width + t * words, firsts, c * words, words))
    forEachToken(units, c * words, words, (u) => absorb(suffixes, a * width + u * words, lasts, b * words, words))
    absorb(next, b * words, firsts, c * words, words)
    absorb(previous, c * words, lasts, b * words, words)
  }
  inherit(prefixes, width, rules, 1)
  inherit(suffixes, width, rules, 2)
  for (let s = 0; s < symbols; s++)
    for (let t = 0; t < terminals; t++) {
      const at = s * width + t * words
      forEachToken(suffixes, at, words, (a) => absorb(after, row(a, t), next, s * words, words))
      forEachToken(prefixes, at, words, (c) => absorb(before, row(t, c), previous, s * words, words))
    }
  for (let t = 0; t < terminals; t++) {
    absorb(after, row(terminals, t), prefixes, t * words, words)
    absorb(before, row(t, terminals), suffixes, t * words, words)
  }
  // Each table knows some trigrams that the others do not yet.
  for (let x = 0; x < side; x++)
    for (let y = 0; y < side; y++) {
      forEachToken(after, row(x, y), words, (c) => {
        if (x < terminals) put(before, y, c, x)
        put(middle, x, c, y)
      })
      forEachToken(before, row(x, y), words, (a) => {
        if (y < terminals) put(after, a, x, y)
        put(middle, a, y, x)
      })
    }
  absorb(middle, row(terminals, terminals), units, 0, words)

  const legal = (a: number, b: number, c: number) =>
    b === terminals ||
    (c < terminals ? has(after, a, b, c) : a < terminals ? has(before, b, c, a) : has(middle, a, c, b))
  return {
    k: 3,
    terminals,
    boundary: terminals,
    words,
    between(a2, a, b, b2, out) {
      const x = row(a2, a)
      const y = row(a, b)
      const z = row(b, b2)
      for (let w = 0; w < words; w++) {
        let mask = middle[y + w]!
        if (a < terminals) mask &= after[x + w]!
        if (b < terminals) mask &= before[z + w]!
        out[w] = mask
      }
    },
    join: (a2, a, b, b2) => pairs.join(a2, a, b, b2) && legal(a2, a, b) && legal(a, b, b2),
  }
}
