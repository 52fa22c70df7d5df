import fc from 'fast-check'
import { type Stream, streamFromKey } from '../../../src/core/index.ts'
import { buildPcfg } from '../../../src/libraries/grammars/pcfg/grammar.ts'
import {
  conditionals,
  type Pcfg,
  type PrefixAutomaton,
  type randomHpcfg,
} from '../../../src/libraries/grammars/pcfg/index.ts'

/** Figure 10's caption: depth 4, breadth 4, 2 rules a nonterminal, 5 tokens; 13 nonterminals below S in levels of four. */
export const g9Parameters: Parameters<typeof randomHpcfg>[0] = {
  depth: 4,
  breadth: 4,
  rules: 2,
  width: 4,
  tokens: ['0', '1', '2', '3', '4'],
  skip: 30,
  probabilities: { kind: 'peaked', percent: 84 },
}

/** P(string); 0 outside the language. */
export function stringProbability(automaton: PrefixAutomaton, tokens: readonly number[]): number {
  const steps = conditionals(automaton, tokens)
  return steps.length < tokens.length + 1 ? 0 : steps.reduce((product, p) => product * p, 1)
}

/** A stream from a small number, for tests. */
export function testStream(seed: number): Stream {
  const key = new Uint8Array(16)
  new DataView(key.buffer).setUint32(0, seed)
  key[15] = 77
  return streamFromKey(key)
}

/** Every string of a finite grammar with its probability, by expanding all derivations: slow and obviously right. */
export function enumerate(grammar: Pcfg): Map<string, number> {
  const memo = new Map<number, Map<string, number>>()
  const ofSymbol = (symbol: number): Map<string, number> => {
    if (symbol < 0) return new Map([[String(-1 - symbol), 1]])
    let found = memo.get(symbol)
    if (found === undefined) {
      found = new Map()
      for (const rule of grammar.rules.filter((r) => r.left === symbol)) {
        let strings = new Map([['', rule.probability]])
        for (const part of rule.right) {
          const next = new Map<string, number>()
          for (const [a, p] of strings)
            for (const [b, q] of ofSymbol(part)) {
              const joined = a === '' ? b : `${a} ${b}`
              next.set(joined, (next.get(joined) ?? 0) + p * q)
            }
          strings = next
        }
        for (const [text, p] of strings) found.set(text, (found.get(text) ?? 0) + p)
      }
      memo.set(symbol, found)
    }
    return found
  }
  return ofSymbol(0)
}

export const numbers = (text: string): number[] => text.split(' ').map(Number)

/** A random grammar of up to four nonterminals, recursive on the left, on the right and through unit rules. */
export const anyGrammar: fc.Arbitrary<Pcfg> = fc
  .record({
    weights: fc.constantFrom(1, 30, 1_000_000_000),
    draws: fc.array(fc.nat(1 << 30), { minLength: 80, maxLength: 80 }),
    size: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ weights, draws, size }) => {
    let at = 0
    const below = (n: number) => (draws[at++ % draws.length] as number) % n
    const names = Array.from({ length: size }, (_, i) => `N${i}`)
    const token = () => ({ name: 'abc'[below(3)] as string, terminal: true })
    const rules = names.flatMap((left) => [
      ...Array.from({ length: below(4) }, () => ({
        left,
        weight: 1 + below(weights),
        right: Array.from({ length: 1 + below(3) }, () =>
          below(2) === 0 ? token() : { name: names[below(size)] as string, terminal: false },
        ),
      })),
      // Weighty, so that the equations of unit cycles settle soon.
      { left, weight: weights, right: [token()] },
    ])
    try {
      return buildPcfg(rules, { unreachable: names })
    } catch {
      return null
    }
  })
  .filter((grammar) => grammar !== null)

/**
 * The inside probability of a string, summed over its derivations or that of the likeliest, by iterating the equations
 * of its spans until they stand: slow and obviously right.
 */
export function insideProbability(
  grammar: Pcfg,
  tokens: readonly number[],
  joined: (a: number, b: number) => number,
): number {
  const n = tokens.length
  let table = new Map<string, number>()
  for (let change = 1; change > 1e-14; ) {
    const next = new Map<string, number>()
    for (const { left, right, probability } of grammar.rules)
      for (let start = 0; start < n; start++) {
        let ends = new Map([[start, probability]])
        for (const symbol of right) {
          const further = new Map<number, number>()
          for (const [from, p] of ends)
            for (let to = from + 1; to <= n; to++) {
              const own = to === from + 1 && tokens[from] === -1 - symbol ? 1 : 0
              const q = symbol < 0 ? own : (table.get(`${symbol} ${from} ${to}`) ?? 0)
              if (q > 0) further.set(to, joined(further.get(to) ?? 0, p * q))
            }
          ends = further
        }
        for (const [to, p] of ends) {
          const key = `${left} ${start} ${to}`
          next.set(key, joined(next.get(key) ?? 0, p))
        }
      }
    change = 0
    for (const [key, p] of next) change = Math.max(change, Math.abs(1 - (table.get(key) ?? 0) / p))
    table = next
  }
  return table.get(`0 0 ${n}`) ?? 0
}
