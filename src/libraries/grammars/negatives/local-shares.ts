import type { Cnf } from '../grammar/cnf.ts'
import { useful } from '../grammar/trim.ts'

/** Shares of tokens and of pairs of neighbours in the strings of a grammar. T = terminals. */
export interface LocalShares {
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
export function localShares(cnf: Cnf): LocalShares {
  const T = cnf.terminals.length
  const N = cnf.nonterminals.length
  const { binary, lexical } = weighed(cnf)
  const expected = iterate(new Float64Array(N), (now, to) => {
    to[0] = 1
    for (const { a, b, c, p } of binary) {
      to[b] = (to[b] as number) + p * (now[a] as number)
      to[c] = (to[c] as number) + p * (now[a] as number)
    }
  })
  const edge = (side: 'b' | 'c') =>
    iterate(new Float64Array(N * T), (now, to) => {
      for (const { a, t, p } of lexical) to[a * T + t] = (to[a * T + t] as number) + p
      for (const rule of binary) {
        const from = rule[side] * T
        for (let t = 0; t < T; t++)
          to[rule.a * T + t] = (to[rule.a * T + t] as number) + rule.p * (now[from + t] as number)
      }
    })
  const begins = edge('b')
  const ends = edge('c')
  const token = new Float64Array(T)
  const parents = new Int32Array(T)
  for (const { a, t, p } of lexical) {
    token[t] = (token[t] as number) + p * (expected[a] as number)
    parents[t] = (parents[t] as number) + 1
  }
  const next = new Float64Array(T * T)
  for (const { a, b, c, p } of binary)
    for (let t = 0; t < T; t++) {
      const share = p * (expected[a] as number) * (ends[b * T + t] as number)
      if (share > 0)
        for (let u = 0; u < T; u++)
          next[t * T + u] = (next[t * T + u] as number) + share * (begins[c * T + u] as number)
    }
  for (let t = 0; t < T; t++)
    if ((token[t] as number) > 0)
      for (let u = 0; u < T; u++) next[t * T + u] = (next[t * T + u] as number) / (token[t] as number)
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
    const [a, b, c] = [cnf.binary[at] as number, cnf.binary[at + 1] as number, cnf.binary[at + 2] as number]
    if (keep[a] && keep[b] && keep[c]) binary.push({ a, b, c })
  }
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const [a, t] = [cnf.lexical[at] as number, cnf.lexical[at + 1] as number]
    if (keep[a]) lexical.push({ a, t })
  }
  for (const { a } of [...binary, ...lexical]) rules[a] = (rules[a] as number) + 1
  const weight = (a: number) => 1 / (rules[a] as number)
  const inside = iterate(new Float64Array(N), (now, to) => {
    for (const { a } of lexical) to[a] = (to[a] as number) + weight(a)
    for (const { a, b, c } of binary)
      to[a] = (to[a] as number) + damping * weight(a) * (now[b] as number) * (now[c] as number)
  })
  // Sums that are too small for a double leave their symbol without rules.
  const z = (a: number) => inside[a] as number
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
    const moved = to.some((value, i) => Math.abs(value - (now[i] as number)) > close * value)
    now = to
    if (!moved) break
  }
  return now
}
