import type { Cnf } from '../grammar/cnf.ts'
import { useful } from '../grammar/trim.ts'

/**
 * A trigram model of the strings of a language, counted from a sample, with one boundary mark at either end. Its scores
 * tell how ordinary a token looks between its neighbours; counts are integers and scores use + * / in a fixed order.
 */
export interface NgramModel {
  /** the number that stands for "outside the string" */
  readonly boundary: number
  /** The chance of b after a: a bigram probability, above 0 for every pair. */
  after(a: number, b: number): number
  /** How likely `a2 a t b b2` is around t: the product of the trigram probabilities that involve t. */
  around(a2: number, a: number, t: number, b: number, b2: number): number
  /** The trigram probability of a whole string over that of uniform tokens; kept within 1e-300 and 1e300. */
  ordinariness(tokens: ArrayLike<number>): number
}

/** Weight of the bigram estimate in a trigram probability, and of the flat estimate in a bigram probability, in counts. */
const BACKOFF = 2
const FLAT = 0.02

/** Count a model from strings over terminals 0..terminals-1. */
export function ngramModel(strings: Iterable<ArrayLike<number>>, terminals: number): NgramModel {
  const side = terminals + 1
  const single = new Int32Array(side)
  const double = new Int32Array(side * side)
  const triple = new Map<number, number>()
  for (const tokens of strings) {
    const n = tokens.length
    let x = terminals
    for (let i = 0; i <= n; i++) {
      const y = i < n ? tokens[i]! : terminals
      single[x]!++
      double[x * side + y]!++
      const key = (x * side + y) * side + (i + 1 < n ? tokens[i + 1]! : terminals)
      if (i < n) triple.set(key, (triple.get(key) ?? 0) + 1)
      x = y
    }
  }
  const flat = FLAT * side
  const second = (x: number, y: number) => (double[x * side + y]! + FLAT) / (single[x]! + flat)
  const third = (x: number, y: number, z: number) =>
    ((triple.get((x * side + y) * side + z) ?? 0) + BACKOFF * second(y, z)) / (double[x * side + y]! + BACKOFF)
  return {
    boundary: terminals,
    after: second,
    around(a2, a, t, b, b2) {
      const left = a === terminals ? second(a, t) : third(a2, a, t)
      const right = b === terminals ? 1 : third(t, b, b2)
      return left * third(a, t, b) * right
    },
    ordinariness(tokens) {
      const n = tokens.length
      let product = n === 0 ? 1 : second(terminals, tokens[0]!) * side
      for (let i = 1; i <= n; i++) {
        const x = i > 1 ? tokens[i - 2]! : terminals
        product *= third(x, tokens[i - 1]!, i < n ? tokens[i]! : terminals) * side
        product = Math.min(1e300, Math.max(1e-300, product))
      }
      return product
    },
  }
}

/** Shares of tokens and of pairs of neighbours in the strings of a grammar. T = terminals. */
export interface NgramProbabilities {
  /** T: share among all tokens. */
  readonly token: Float64Array
  /** T: chance that a string begins, or ends, with the token. */
  readonly first: Float64Array
  readonly last: Float64Array
  /** T x T, row-major: chance that the second follows the first, among all that stands after it, the end included. */
  readonly next: Float64Array
  /** T: how many symbols have a rule that makes the token. */
  readonly parents: Int32Array
}

/** What a binary rule weighs beside a lexical one: less than one keeps derivations finite. */
const damping = 0.5
const rounds = 200
const close = 1e-9

/**
 * Shares under the damped uniform PCFG: all rules of a symbol weigh the same, but for binary ones, which are damped, and
 * derivations are drawn in proportion to the product of the weights (so symbols without lexical rules come to an end as
 * well). Exact up to fixpoints of 200 rounds. O(rounds x rules x T + pairs).
 */
export function ngramProbabilities(cnf: Cnf): NgramProbabilities {
  const T = cnf.terminals.length
  const N = cnf.nonterminals.length
  const { binary, lexical } = weighed(cnf)
  const expected = iterate(new Float64Array(N), (now, to) => {
    to[0] = 1
    for (const { a, b, c, p } of binary) {
      to[b]! += p * now[a]!
      to[c]! += p * now[a]!
    }
  })
  const edge = (side: 'b' | 'c') =>
    iterate(new Float64Array(N * T), (now, to) => {
      for (const { a, t, p } of lexical) to[a * T + t]! += p
      for (const rule of binary) {
        const from = rule[side] * T
        for (let t = 0; t < T; t++) to[rule.a * T + t] = to[rule.a * T + t]! + rule.p * now[from + t]!
      }
    })
  const begins = edge('b')
  const ends = edge('c')
  const token = new Float64Array(T)
  const parents = new Int32Array(T)
  for (const { a, t, p } of lexical) {
    token[t]! += p * expected[a]!
    parents[t]! += 1
  }
  const next = new Float64Array(T * T)
  for (const { a, b, c, p } of binary)
    for (let t = 0; t < T; t++) {
      const share = p * expected[a]! * ends[b * T + t]!
      if (share > 0) for (let u = 0; u < T; u++) next[t * T + u] = next[t * T + u]! + share * begins[c * T + u]!
    }
  for (let t = 0; t < T; t++)
    if (token[t]! > 0) for (let u = 0; u < T; u++) next[t * T + u] = next[t * T + u]! / token[t]!
  const all = token.reduce((sum, share) => sum + share, 0)
  return { token: token.map((share) => share / all), first: begins.slice(0, T), last: ends.slice(0, T), next, parents }
}

interface Weighed {
  readonly binary: readonly { readonly a: number; readonly b: number; readonly c: number; readonly p: number }[]
  readonly lexical: readonly { readonly a: number; readonly t: number; readonly p: number }[]
}

/** Useful rules with their probabilities: weight times what its symbols sum to, over what the left one sums to. */
function weighed(cnf: Cnf): Weighed {
  const keep = useful(cnf)
  const N = cnf.nonterminals.length
  const rules = new Int32Array(N)
  const binary: { a: number; b: number; c: number }[] = []
  const lexical: { a: number; t: number }[] = []
  for (let at = 0; at < cnf.binary.length; at += 3) {
    const [a, b, c] = [cnf.binary[at] as number, cnf.binary[at + 1]!, cnf.binary[at + 2] as number]
    if (keep[a] && keep[b] && keep[c]) binary.push({ a, b, c })
  }
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const [a, t] = [cnf.lexical[at] as number, cnf.lexical[at + 1] as number]
    if (keep[a]) lexical.push({ a, t })
  }
  for (const { a } of [...binary, ...lexical]) rules[a]! += 1
  const weight = (a: number) => 1 / rules[a]!
  const inside = iterate(new Float64Array(N), (now, to) => {
    for (const { a } of lexical) to[a]! += weight(a)
    for (const { a, b, c } of binary) to[a]! += damping * weight(a) * now[b]! * now[c]!
  })
  // Sums that are too small for a double leave their symbol without rules.
  const z = (a: number) => inside[a]!
  const share = (weight: number, a: number) => (z(a) > 0 ? weight / z(a) : 0)
  return {
    binary: binary.map((rule) => ({ ...rule, p: share(damping * weight(rule.a) * z(rule.b) * z(rule.c), rule.a) })),
    lexical: lexical.map((rule) => ({ ...rule, p: share(weight(rule.a), rule.a) })),
  }
}

/** Fills a vector from itself until it stands still. */
function iterate(start: Float64Array, step: (now: Float64Array, to: Float64Array) => void): Float64Array {
  let now = start
  for (let round = 0; round < rounds; round++) {
    const to = new Float64Array(now.length)
    step(now, to)
    const moved = to.some((value, i) => Math.abs(value - now[i]!) > close * value)
    now = to
    if (!moved) break
  }
  return now
}
