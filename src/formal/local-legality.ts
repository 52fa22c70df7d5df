import type { Cnf } from './grammar.ts'
import { useful } from './trim.ts'

/**
 * Local legality of grade k: a string is legal when each of its k consecutive tokens, counting one boundary mark at
 * either end, occurs so in some string of the language. Grade 1 allows every token anywhere; grade 2 is the bigram test.
 * Contexts are terminal numbers, or `boundary` outside the string.
 */
export interface LocalLegality {
  readonly grade: 1 | 2
  readonly terminals: number
  /** the number that stands for "outside the string": one more than the largest terminal */
  readonly boundary: number
  /** words of a token bit set */
  readonly words: number
  /** Fill `out` with the tokens that may stand between `a` and `b`. */
  between(a: number, b: number, out: Int32Array): void
  /** May `b` follow `a`? */
  join(a: number, b: number): boolean
}

/** The legality tables of a grammar, from its useful rules only. */
export function localLegality(grammar: Cnf, grade: 1 | 2): LocalLegality {
  const terminals = grammar.terminals.length
  return grade === 1 ? anything(terminals) : pairLegality(terminals, edges(grammar))
}

function anything(terminals: number): LocalLegality {
  const words = (terminals + 31) >>> 5
  const all = new Int32Array(words)
  for (let t = 0; t < terminals; t++) all[t >>> 5]! |= 1 << (t & 31)
  return {
    grade: 1,
    terminals,
    boundary: terminals,
    words,
    between: (_a, _b, out) => out.set(all),
    join: () => true,
  }
}

/** Token bit sets, one row of `words` words a symbol. */
type Rows = Int32Array

/** What the legality tables are built from: useful rules, and the tokens at the edges of what each symbol derives. */
interface Edges {
  readonly words: number
  readonly rules: readonly (readonly [number, number, number])[]
  /** tokens with which A can begin; with which it can end */
  readonly firsts: Rows
  readonly lasts: Rows
}

function edges(grammar: Cnf): Edges {
  const words = (grammar.terminals.length + 31) >>> 5
  const symbols = grammar.nonterminals.length
  const keep = useful(grammar)
  const rules: [number, number, number][] = []
  for (let at = 0; at < grammar.binary.length; at += 3) {
    const rule: [number, number, number] = [grammar.binary[at]!, grammar.binary[at + 1]!, grammar.binary[at + 2]!]
    if (rule.every((symbol) => keep[symbol])) rules.push(rule)
  }
  const firsts = new Int32Array(symbols * words)
  for (let at = 0; at < grammar.lexical.length; at += 2) {
    const a = grammar.lexical[at]!
    const t = grammar.lexical[at + 1]!
    if (keep[a]) firsts[a * words + (t >>> 5)]! |= 1 << (t & 31)
  }
  const lasts = firsts.slice()
  inherit(firsts, words, rules, 1)
  inherit(lasts, words, rules, 2)
  return { words, rules, firsts, lasts }
}

/** Rows of `width` words grow along the rules until nothing changes: a parent has what its left (1) or right (2) child has. */
function inherit(rows: Rows, width: number, rules: Edges['rules'], child: 1 | 2): void {
  for (let grown = true; grown; ) {
    grown = false
    for (const rule of rules) if (absorb(rows, rule[0] * width, rows, rule[child] * width, width)) grown = true
  }
}

/** to[at..] |= from[source..] over `width` words; whether anything changed. */
function absorb(to: Rows, at: number, from: Rows, source: number, width: number): boolean {
  let changed = 0
  for (let w = 0; w < width; w++) {
    const added = from[source + w]! & ~to[at + w]!
    changed |= added
    to[at + w]! |= added
  }
  return changed !== 0
}

/** Call `visit` with every token of the bit set at `at`. */
function forEachToken(rows: Rows, at: number, words: number, visit: (token: number) => void): void {
  for (let w = 0; w < words; w++)
    for (let left = rows[at + w]!; left !== 0; left &= left - 1) visit((w << 5) + (31 - Math.clz32(left & -left)))
}

/** successors[a] and predecessors[b] as token bit sets, with the boundary as context `terminals`. */
function pairLegality(terminals: number, { words, rules, firsts, lasts }: Edges): LocalLegality {
  const successors = new Int32Array((terminals + 1) * words)
  const predecessors = new Int32Array((terminals + 1) * words)
  successors.set(firsts.subarray(0, words), terminals * words)
  predecessors.set(lasts.subarray(0, words), terminals * words)
  for (const [, b, c] of rules) {
    forEachToken(lasts, b * words, words, (t) => absorb(successors, t * words, firsts, c * words, words))
    forEachToken(firsts, c * words, words, (t) => absorb(predecessors, t * words, lasts, b * words, words))
  }
  return {
    grade: 2,
    terminals,
    boundary: terminals,
    words,
    between(a, b, out) {
      for (let w = 0; w < words; w++) out[w] = successors[a * words + w]! & predecessors[b * words + w]!
    },
    join: (a, b) =>
      a < terminals
        ? (predecessors[b * words + (a >>> 5)]! & (1 << (a & 31))) !== 0
        : b < terminals && (successors[a * words + (b >>> 5)]! & (1 << (b & 31))) !== 0,
  }
}
