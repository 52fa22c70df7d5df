import { memoize } from '../../../core/memo.ts'
import { isPair, type Pcfg, PcfgError, type PcfgRule, terminalIndex } from './grammar.ts'

/**
 * A grammar read crossed is a multiple context-free grammar of fan-out 2 (a linear one). Its rules have the form
 * `Q -> x N y` or `Q -> x y`, tokens x and y; a derivation that writes x1 .. xm on the way down and y1 .. ym beside them
 * stands for the string x1 .. xm y1 .. ym, first in first out, where the context-free reading has x1 .. xm ym .. y1, last in
 * first out. Both readings have the same derivations, so the same probabilities, lengths and tokens.
 */
export interface PairRule {
  readonly first: number
  readonly second: number
  /** The nonterminal that follows, or null for the last pair. */
  readonly next: number | null
  readonly probability: number
}

/** The rules by nonterminal where all write a pair of tokens around what follows, else null. */
export const pairRules = memoize((grammar: Pcfg): readonly (readonly PairRule[])[] | null => {
  const all = grammar.rules.map(pairRule)
  return grammar.rules.every(isPair) ? grammar.rulesOf.map((numbers) => numbers.map((r) => all[r]!)) : null
})

const pairRule = ({ right, probability }: PcfgRule): PairRule => ({
  first: terminalIndex(right[0]!),
  second: terminalIndex(right.at(-1) as number),
  next: right.length === 3 ? right[1]! : null,
  probability,
})

/** The rules of a grammar that is read crossed. @throws PcfgError for another */
export function crossSerialRules(grammar: Pcfg): readonly (readonly PairRule[])[] {
  const rules = pairRules(grammar)
  if (grammar.reading === 'plain' || rules === null)
    throw new PcfgError('unsupported', 'this reads grammars of pairs read crossed (%crossed); got a context-free one')
  return rules
}

/** The string with its second half reversed: from one reading of a derivation to the other, and back. */
export function reverseSecondHalf<T>(tokens: readonly T[]): readonly T[] {
  const half = tokens.length >> 1
  return [...tokens.slice(0, half), ...tokens.slice(half).reverse()]
}

/** The same rules, read as a context-free grammar. */
export const plainReading = memoize(
  (grammar: Pcfg): Pcfg => (grammar.reading === 'plain' ? grammar : { ...grammar, reading: 'plain' }),
)

/** For what works from left to right over one context-free reading. @throws PcfgError for a grammar read crossed */
export function rejectCrossed(grammar: Pcfg, what: string): void {
  if (grammar.reading === 'crossed')
    throw new PcfgError('unsupported', `${what} reads context-free grammars; this one is read crossed (%crossed)`)
}

/** Probabilities are kept times 2^64 for each step, so those of long strings do not underflow; powers of two are exact. */
const STEP = 2 ** 64

/** Numbers by nonterminal, each over 2^(64 steps). */
interface Scaled {
  readonly values: Float64Array
  readonly steps: number
}

/** A probability: mantissa over 2^(64 steps). */
interface Part {
  readonly mantissa: number
  readonly steps: number
}

const impossible: Part = { mantissa: 0, steps: 0 }

function scaled(values: Float64Array, steps: number): Scaled {
  const most = values.reduce((a, b) => Math.max(a, b), 0)
  return most > 0 && most * STEP < 1
    ? scaled(
        values.map((v) => v * STEP),
        steps + 1,
      )
    : { values, steps }
}

/**
 * P of each token and of the end (last) given those before it, in the language of a grammar read crossed; up to the first
 * impossible one, which is 0. Exact sums: a prefix of t tokens belongs to derivations that still write first halves, or to
 * those of m <= t pairs whose second halves began to be read; for each m, forwards over the pairs read whole and backwards
 * over those of which the first half is read. Quadratic in the length.
 */
export function crossedConditionals(grammar: Pcfg, tokens: readonly number[]): number[] {
  const rules = crossSerialRules(grammar)
  const n = tokens.length
  const parts: Part[][] = Array.from({ length: n + 1 }, () => [])
  for (const [t, open] of openings(rules, tokens).entries())
    parts[t]?.push({ mantissa: sum(open.values), steps: open.steps })
  let ended = impossible
  for (let m = 1; m <= n; m++) {
    const halves = pairsOf(rules, tokens, m)
    for (const [j, half] of halves.entries()) if (m + j <= n) parts[m + j]?.push(half)
    if (2 * m === n) ended = halves[m] ?? impossible
  }
  const prefix = parts.map(total)
  const out: number[] = []
  for (let t = 0; t < n; t++) {
    const step = ratio(prefix[t + 1] as Part, prefix[t] as Part)
    out.push(step)
    if (step === 0) return out
  }
  return [...out, ratio(ended, prefix[n] as Part)]
}

type Rules = readonly (readonly PairRule[])[]

/** After t first tokens: the weights of the nonterminals that go on. */
function openings(rules: Rules, tokens: readonly number[]): Scaled[] {
  const start = new Float64Array(rules.length)
  start[0] = 1
  const out: Scaled[] = [{ values: start, steps: 0 }]
  for (const token of tokens) out.push(forward(rules, out.at(-1) as Scaled, token, null))
  return out
}

/** One pair on: its first token, and its second where it is known. */
function forward(rules: Rules, { values, steps }: Scaled, first: number, second: number | null): Scaled {
  const next = new Float64Array(rules.length)
  for (const [q, weight] of values.entries())
    if (weight > 0)
      for (const rule of rules[q] as readonly PairRule[])
        if (rule.next !== null && rule.first === first && (second === null || rule.second === second))
          next[rule.next]! += weight * rule.probability
  return scaled(next, steps)
}

/** P(there are m pairs, the first tokens are as read, and j of the second, too), for j = 0 .. m, while it is possible. */
function pairsOf(rules: Rules, tokens: readonly number[], m: number): Part[] {
  const behind = endings(rules, tokens, m)
  if (behind === null) return []
  let both: Scaled = { values: Float64Array.from(rules, (_, q) => (q === 0 ? 1 : 0)), steps: 0 }
  const out: Part[] = []
  for (let j = 0; j < m; j++) {
    const rest = behind[j] as Scaled
    out.push({ mantissa: dot(both.values, rest.values), steps: both.steps + rest.steps })
    const second = tokens[m + j]
    if (second === undefined || out.at(-1)?.mantissa === 0) return out
    if (j + 1 === m) out.push({ mantissa: last(rules, both.values, tokens[j]!, second), steps: both.steps })
    else both = forward(rules, both, tokens[j]!, second)
  }
  return out
}

function last(rules: Rules, values: Float64Array, first: number, second: number): number {
  let total = 0
  for (const [q, weight] of values.entries())
    for (const rule of rules[q] as readonly PairRule[])
      if (rule.next === null && rule.first === first && rule.second === second) total += weight * rule.probability
  return total
}

/** By pair j of m, P(first tokens j .. m-1 and the end after them | nonterminal); null where it is nowhere possible. */
function endings(rules: Rules, tokens: readonly number[], m: number): Scaled[] | null {
  const out: Scaled[] = []
  for (let j = m - 1; j >= 0; j--) {
    const after = out.at(-1)
    const values = Float64Array.from(rules, (list) => {
      let total = 0
      for (const { first, next, probability } of list) {
        if (first !== tokens[j]) continue
        if (after === undefined) total += next === null ? probability : 0
        else if (next !== null) total += probability * after.values[next]!
      }
      return total
    })
    const found = scaled(values, after?.steps ?? 0)
    if (found.values.every((value) => value === 0)) return null
    out.push(found)
  }
  return out.reverse()
}

const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0)
const dot = (a: Float64Array, b: Float64Array): number => a.reduce((total, x, i) => total + x * b[i]!, 0)

function total(parts: readonly Part[]): Part {
  const possible = parts.filter(({ mantissa }) => mantissa > 0)
  const least = possible.reduce((steps, part) => Math.min(steps, part.steps), Number.MAX_SAFE_INTEGER)
  return possible.length === 0
    ? impossible
    : { mantissa: possible.reduce((all, part) => all + shifted(part.mantissa, part.steps - least), 0), steps: least }
}

const ratio = (a: Part, b: Part): number => (a.mantissa === 0 ? 0 : shifted(a.mantissa / b.mantissa, a.steps - b.steps))

/** value / 2^(64 steps) */
function shifted(value: number, steps: number): number {
  let out = value
  for (let left = steps; left > 0 && out > 0; left--) out /= STEP
  for (let left = steps; left < 0; left++) out *= STEP
  return out
}
