import type { Cnf } from './cnf.ts'
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

/** All tables by fixpoints over the rules, on rows of 32 flags a word. */
export function adjacency(cnf: Cnf): Adjacency {
  const keep = useful(cnf)
  const T = cnf.terminals.length
  const N = cnf.nonterminals.length
  // One column more than terminals: what stands outside the string.
  const words = (T >>> 5) + 1
  const rules: (readonly [number, number, number])[] = []
  for (let at = 0; at < cnf.binary.length; at += 3) {
    const [a, b, c] = cnf.binary.subarray(at, at + 3) as unknown as [number, number, number]
    if (keep[a] && keep[b] && keep[c]) rules.push([a, b, c])
  }
  const first = new Int32Array(N * words)
  const last = new Int32Array(N * words)
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const a = cnf.lexical[at] as number
    const t = cnf.lexical[at + 1] as number
    if (!keep[a]) continue
    put(first, a * words, t)
    put(last, a * words, t)
  }
  inherit(rules, words, [first, 0, 1], [last, 0, 2])
  const follow = new Int32Array(N * words)
  const precede = new Int32Array(N * words)
  if (keep[0]) {
    put(follow, 0, T)
    put(precede, 0, T)
  }
  for (const [, b, c] of rules) {
    absorb(follow, b * words, first, c * words, words)
    absorb(precede, c * words, last, b * words, words)
  }
  inherit(rules, words, [follow, 2, 0], [precede, 1, 0])
  // A pair (t, u) stands side by side where t ends B and u begins C: the union of FOLLOW-like rows of the B that t ends.
  const after = new Int32Array(N * words)
  for (const [, b, c] of rules) absorb(after, b * words, first, c * words, words)
  const pairs = new Int32Array(T * words)
  for (let b = 0; b < N; b++)
    for (let w = 0; w < words; w++)
      for (let left = last[b * words + w] as number; left !== 0; left &= left - 1) {
        const t = 32 * w + 31 - Math.clz32(left & -left)
        if (t < T) absorb(pairs, t * words, after, b * words, words)
      }
  const flags = (rows: Int32Array, count: number, width: number): Uint8Array => {
    const out = new Uint8Array(count * width)
    for (let row = 0; row < count; row++)
      for (let i = 0; i < width; i++)
        out[row * width + i] = ((rows[row * words + (i >>> 5)] as number) >>> (i & 31)) & 1
    return out
  }
  return {
    begins: flags(first, 1, T),
    ends: flags(last, 1, T),
    pairs: flags(pairs, T, T),
    follow: flags(follow, N, T + 1),
    precede: flags(precede, N, T + 1),
    first: flags(first, N, T),
    last: flags(last, N, T),
  }
}

/** A table, and which member of a rule [A, B, C] takes over the row of which other. */
type Inheritance = readonly [rows: Int32Array, heir: 0 | 1 | 2, from: 0 | 1 | 2]

/** Rows grow along the rules until nothing changes. */
function inherit(
  rules: readonly (readonly [number, number, number])[],
  words: number,
  ...tables: readonly Inheritance[]
): void {
  for (let grown = true; grown; ) {
    grown = false
    for (const rule of rules)
      for (const [rows, heir, from] of tables)
        if (absorb(rows, rule[heir] * words, rows, rule[from] * words, words)) grown = true
  }
}

function put(rows: Int32Array, at: number, column: number): void {
  rows[at + (column >>> 5)] = (rows[at + (column >>> 5)] as number) | (1 << (column & 31))
}

/** to[at..] |= from[source..] over `words` words; whether anything changed. */
function absorb(to: Int32Array, at: number, from: Int32Array, source: number, words: number): boolean {
  let changed = 0
  for (let w = 0; w < words; w++) {
    const added = (from[source + w] as number) & ~(to[at + w] as number)
    changed |= added
    to[at + w] = (to[at + w] as number) | added
  }
  return changed !== 0
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
