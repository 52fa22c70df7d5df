import type { Cnf } from './cnf.ts'
import { absorb, forEachToken, type TokenSets } from './token-sets.ts'
import { useful } from './trim.ts'

/** The useful rules of a grammar, and the tokens at the edges of what each symbol derives. */
export interface TokenEdges {
  readonly symbols: number
  readonly words: number
  readonly rules: readonly (readonly [parent: number, left: number, right: number])[]
  /** By symbol: tokens that it derives alone; with which it can begin; with which it can end. */
  readonly units: TokenSets
  readonly firsts: TokenSets
  readonly lasts: TokenSets
}

export function tokenEdges({ nonterminals, terminals, binary, lexical }: Cnf, isUseful: Uint8Array): TokenEdges {
  const words = (terminals.length + 31) >>> 5
  const rules: [number, number, number][] = []
  for (let at = 0; at < binary.length; at += 3) {
    const rule: [number, number, number] = [binary[at]!, binary[at + 1]!, binary[at + 2]!]
    if (rule.every((symbol) => isUseful[symbol])) rules.push(rule)
  }
  const units = new Int32Array(nonterminals.length * words)
  for (let at = 0; at < lexical.length; at += 2)
    if (isUseful[lexical[at]!]) units[lexical[at]! * words + (lexical[at + 1]! >>> 5)]! |= 1 << (lexical[at + 1]! & 31)
  const firsts = units.slice()
  const lasts = units.slice()
  inherit(firsts, words, rules, 1)
  inherit(lasts, words, rules, 2)
  return { symbols: nonterminals.length, words, rules, units, firsts, lasts }
}

/** Rows of `width` words grow along the rules until nothing changes: a parent has what its left (1) or right (2) child has. */
export function inherit(rows: TokenSets, width: number, rules: TokenEdges['rules'], child: 1 | 2): void {
  for (let grown = true; grown; ) {
    grown = false
    for (const rule of rules) if (absorb(rows, rule[0] * width, rows, rule[child] * width, width)) grown = true
  }
}

/**
 * Which tokens may stand next to what, in strings of the language. Only rules and symbols that occur in some
 * derivation of a string count, so every entry is realised by a string. T = terminals.
 */
export interface Adjacency {
  /** T flags: can a string begin with t? */
  readonly begins: Uint8Array
  /** T flags: can a string end with t? */
  readonly ends: Uint8Array
  /** T x T flags, row-major: can u directly follow t? */
  readonly pairs: Uint8Array
}

export function adjacency(cnf: Cnf): Adjacency {
  const T = cnf.terminals.length
  const { symbols, words, rules, firsts, lasts } = tokenEdges(cnf, useful(cnf))
  const next = new Int32Array(symbols * words)
  for (const [, b, c] of rules) absorb(next, b * words, firsts, c * words, words)
  const pairs = new Int32Array(T * words)
  for (let b = 0; b < symbols; b++)
    forEachToken(lasts, b * words, words, (t) => absorb(pairs, t * words, next, b * words, words))
  const flags = (sets: TokenSets, count: number): Uint8Array => {
    const out = new Uint8Array(count * T)
    for (let row = 0; row < count; row++)
      forEachToken(sets, row * words, words, (t) => {
        out[row * T + t] = 1
      })
    return out
  }
  return { begins: flags(firsts, 1), ends: flags(lasts, 1), pairs: flags(pairs, T) }
}

/** Where a string stops being locally legal; positions are 0-based tokens. */
export type BigramVerdict =
  | { readonly kind: 'legal' }
  /** the empty string: no string of the language is empty */
  | { readonly kind: 'empty' }
  /** not a terminal of the grammar */
  | { readonly kind: 'unknown'; readonly at: number }
  /** no string begins with the first token */
  | { readonly kind: 'first'; readonly at: number }
  /** no string has the tokens at `at - 1` and `at` side by side */
  | { readonly kind: 'pair'; readonly at: number }
  /** no string ends with the last token */
  | { readonly kind: 'last'; readonly at: number }

/**
 * The bigram test: the first token can begin a string, the last can end one, every adjacent pair can occur. Necessary
 * for membership, not sufficient. Reports the leftmost offence. Linear in the tokens (terminal numbers).
 */
export function bigramVerdict(tables: Adjacency, tokens: ArrayLike<number>): BigramVerdict {
  const T = tables.begins.length
  const n = tokens.length
  if (n === 0) return { kind: 'empty' }
  for (let at = 0; at < n; at++) {
    const token = tokens[at]!
    if (!(token >= 0 && token < T)) return { kind: 'unknown', at }
    if (at === 0 && !tables.begins[token]) return { kind: 'first', at }
    if (at > 0 && !tables.pairs[tokens[at - 1]! * T + token]) return { kind: 'pair', at }
    if (at === n - 1 && !tables.ends[token]) return { kind: 'last', at }
  }
  return { kind: 'legal' }
}
