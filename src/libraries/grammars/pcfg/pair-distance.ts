import { type PairRule, pairRules } from './crossed.ts'
import type { Pcfg } from './grammar.ts'

/**
 * The exact edit distance (substitute, insert, delete) from a string to the language of a grammar of pairs, in either
 * reading; null where it is above `most`. The string is cut in two, once at every place; both parts are aligned at the same
 * time with the first and with the second tokens of a derivation, pair by pair. Only places within `most` of the pairs
 * written can be reached, so time grows as the length times the cube of `most`.
 */
export function pairDistance(grammar: Pcfg, tokens: readonly number[], most: number): number | null {
  const rules = pairRules(grammar)
  if (rules === null) throw new RangeError('the grammar is not made of pairs')
  let best = most + 1
  for (let cut = 0; cut <= tokens.length; cut++) {
    // Halves are of equal length: to leave the string cut elsewhere costs their difference.
    if (Math.abs(tokens.length - 2 * cut) > best) continue
    const rest = tokens.slice(cut)
    const second = grammar.reading === 'crossed' ? rest : rest.reverse()
    best = Math.min(best, aligned(rules, tokens.slice(0, cut), second, best - 1))
  }
  return best > most ? null : best
}

/** Least edits up to `most` that make two strings the first and the second tokens of one derivation; `most` + 1 where there are none. */
function aligned(
  rules: readonly (readonly PairRule[])[],
  first: readonly number[],
  second: readonly number[],
  most: number,
): number {
  const never = most + 1
  if (most < 0) return never
  let best = never
  let now: Costs = new Map([[key(0, 0, 0), 0]])
  for (let pairs = 0; now.size > 0; pairs++) {
    const next: Costs = new Map()
    for (const [place, cost] of skipped(now, first.length, second.length, most)) {
      const { q, i, j } = placeOf(place)
      for (const rule of rules[q] as readonly PairRule[])
        for (const a of steps(first, i, rule.first))
          for (const b of steps(second, j, rule.second)) {
            const total = cost + a.cost + b.cost
            if (total > most) continue
            if (rule.next === null) {
              const left = first.length - a.at + (second.length - b.at)
              best = Math.min(best, total + left)
            } else if (Math.abs(a.at - pairs - 1) <= most && Math.abs(b.at - pairs - 1) <= most)
              keep(next, key(rule.next, a.at, b.at), total)
          }
    }
    now = next
  }
  return Math.min(best, never)
}

/** Cost by nonterminal and places in both strings. */
type Costs = Map<number, number>
const wide = 1 << 13
const key = (q: number, i: number, j: number): number => (q * wide + i) * wide + j
const placeOf = (place: number) => ({
  q: Math.floor(place / (wide * wide)),
  i: Math.floor(place / wide) % wide,
  j: place % wide,
})
function keep(costs: Costs, place: number, cost: number): void {
  const known = costs.get(place)
  if (known === undefined || cost < known) costs.set(place, cost)
}

/** With the tokens that no pair writes: each costs one. */
function skipped(costs: Costs, most1: number, most2: number, most: number): Costs {
  const out: Costs = new Map()
  for (const [place, cost] of costs) {
    const { q, i, j } = placeOf(place)
    for (let a = 0; i + a <= most1 && cost + a <= most; a++)
      for (let b = 0; j + b <= most2 && cost + a + b <= most; b++) keep(out, key(q, i + a, j + b), cost + a + b)
  }
  return out
}

/** A written token stands for the next one of the string, or for none. */
const steps = (tokens: readonly number[], at: number, token: number): readonly { at: number; cost: number }[] =>
  at < tokens.length
    ? [
        { at: at + 1, cost: tokens[at] === token ? 0 : 1 },
        { at, cost: 1 },
      ]
    : [{ at, cost: 1 }]
