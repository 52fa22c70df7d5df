import type { Cnf } from './grammar.ts'
import { useful } from './trim.ts'

/**
 * Which tokens may stand next to what, in strings of the language. Only rules and symbols that occur in some
 * derivation of a string count, so every entry is realised by a string. T = terminals, N = nonterminals.
 */
export interface Adjacency {
  /** T flags: can a string begin with t? */
  readonly begins: Uint8Array
  /** T flags: can a string end with t? */
  readonly ends: Uint8Array
  /** T x T flags, row-major: can u directly follow t? */
  readonly pairs: Uint8Array
  /** N x (T + 1) flags: can t stand directly after what A derives? Column T: can the string end there? */
  readonly follow: Uint8Array
  /** N x (T + 1) flags: can t stand directly before what A derives? Column T: can the string begin there? */
  readonly precede: Uint8Array
  /** N x T flags: can A derive something that begins with t? */
  readonly first: Uint8Array
  /** N x T flags: can A derive something that ends with t? */
  readonly last: Uint8Array
}

/** All tables by fixpoints over the rules; O(T^2 + rounds x rules x T). */
export function adjacency(cnf: Cnf): Adjacency {
  const keep = useful(cnf)
  const T = cnf.terminals.length
  const N = cnf.nonterminals.length
  const rules: (readonly [number, number, number])[] = []
  for (let at = 0; at < cnf.binary.length; at += 3) {
    const [a, b, c] = cnf.binary.subarray(at, at + 3) as unknown as [number, number, number]
    if (keep[a] && keep[b] && keep[c]) rules.push([a, b, c])
  }
  const first = new Uint8Array(N * T)
  const last = new Uint8Array(N * T)
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const a = cnf.lexical[at] as number
    if (!keep[a]) continue
    first[a * T + (cnf.lexical[at + 1] as number)] = 1
    last[a * T + (cnf.lexical[at + 1] as number)] = 1
  }
  fixpoint(() => {
    let grown = false
    for (const [a, b, c] of rules) {
      if (absorb(first, a * T, first, b * T, T)) grown = true
      if (absorb(last, a * T, last, c * T, T)) grown = true
    }
    return grown
  })
  const W = T + 1
  const follow = new Uint8Array(N * W)
  const precede = new Uint8Array(N * W)
  if (keep[0]) {
    follow[T] = 1
    precede[T] = 1
  }
  for (const [, b, c] of rules) {
    absorb(follow, b * W, first, c * T, T)
    absorb(precede, c * W, last, b * T, T)
  }
  fixpoint(() => {
    let grown = false
    for (const [a, b, c] of rules) {
      if (absorb(follow, c * W, follow, a * W, W)) grown = true
      if (absorb(precede, b * W, precede, a * W, W)) grown = true
    }
    return grown
  })
  const pairs = new Uint8Array(T * T)
  const joined = new Set<number>()
  for (const [, b, c] of rules) {
    if (joined.has(b * N + c)) continue
    joined.add(b * N + c)
    for (let t = 0; t < T; t++) if (last[b * T + t]) absorb(pairs, t * T, first, c * T, T)
  }
  return { begins: first.slice(0, T), ends: last.slice(0, T), pairs, follow, precede, first, last }
}

function fixpoint(round: () => boolean): void {
  while (round());
}

/** to[i] |= from[i] over `length` flags; whether anything changed. */
function absorb(to: Uint8Array, at: number, from: Uint8Array, source: number, length: number): boolean {
  let grown = false
  for (let i = 0; i < length; i++) {
    if (from[source + i] && !to[at + i]) {
      to[at + i] = 1
      grown = true
    }
  }
  return grown
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
    const token = tokens[at] as number
    if (!(token >= 0 && token < T)) return { kind: 'unknown', at }
    if (at === 0 && !tables.begins[token]) return { kind: 'first', at }
    if (at > 0 && !tables.pairs[(tokens[at - 1] as number) * T + token]) return { kind: 'pair', at }
    if (at === n - 1 && !tables.ends[token]) return { kind: 'last', at }
  }
  return { kind: 'legal' }
}
