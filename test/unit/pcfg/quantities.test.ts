import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accepts,
  bestDerivation,
  conditionals,
  derivationalEntropy,
  distanceToLanguage,
  dyck,
  earleyAccepts,
  earleyConditionals,
  expectedLength,
  expectedNeighbours,
  lengthDistribution,
  ln,
  mirror,
  type Pcfg,
  paperGrammar,
  parsePcfg,
  prefixAutomaton,
  randomHpcfg,
  sampleDerivation,
  sampledAmbiguity,
  sampledEntropy,
  wholeLanguage,
  yieldOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { enumerate, numbers, stringProbability, testStream } from './support.ts'

const small = (seed: number): Pcfg =>
  randomHpcfg(
    {
      depth: 2,
      breadth: 3,
      rules: 2,
      width: 2,
      tokens: ['a', 'b', 'c'],
      skip: 20,
      probabilities: { kind: 'random' },
    },
    testStream(seed),
  )

const seeds = fc.integer({ min: 0, max: 1_000_000 })

describe('exact quantities against enumeration', () => {
  it('support, entropy, length distribution and ambiguity', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const g = small(seed)
        const strings = enumerate(g)
        const whole = wholeLanguage(g)
        if (whole.kind !== 'finite') throw new Error('a hierarchical grammar is finite')
        expect(whole.support).toBe(BigInt(strings.size))
        const entropy = [...strings.values()].reduce((sum, p) => sum - p * Math.log(p), 0)
        expect(whole.entropy).toBeCloseTo(entropy, 9)
        const derivational = derivationalEntropy(g)
        if (whole.ambiguous) expect(derivational).toBeGreaterThan(entropy + 1e-12)
        else expect(derivational).toBeCloseTo(entropy, 9)
        const lengths = new Map<number, number>()
        let mean = 0
        for (const [text, p] of strings) {
          const n = numbers(text).length
          lengths.set(n, (lengths.get(n) ?? 0) + p)
          mean += p * n
        }
        const exact = lengthDistribution(g)
        expect(exact.rest).toBeCloseTo(0, 12)
        for (const [n, p] of exact.probability.entries()) expect(p).toBeCloseTo(lengths.get(n) ?? 0, 12)
        expect(expectedLength(g)).toBeCloseTo(mean, 9)
      }),
      { numRuns: 60 },
    )
  })

  it('neighbouring tokens', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const g = small(seed)
        const counts = new Map<string, number>()
        let total = 0
        for (const [text, p] of enumerate(g)) {
          const names = numbers(text).map((t) => g.terminals[t] as string)
          for (const [i, name] of [...names, ''].entries()) {
            const key = `${names[i - 1] ?? ''} ${name}`
            counts.set(key, (counts.get(key) ?? 0) + p)
            total += p
          }
        }
        const exact = expectedNeighbours(g)
        expect(new Set(exact.keys())).toEqual(new Set(counts.keys()))
        for (const [key, share] of exact) expect(share).toBeCloseTo((counts.get(key) as number) / total, 9)
      }),
      { numRuns: 30 },
    )
  })

  it('string and prefix probabilities, by automaton and by chart', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const g = small(seed)
        const automaton = prefixAutomaton(g)
        const strings = [...enumerate(g)].map(([text, p]) => ({ tokens: numbers(text), p }))
        for (const { tokens, p } of strings.slice(0, 20)) {
          expect(stringProbability(automaton, tokens) / p).toBeCloseTo(1, 9)
          const steps = conditionals(automaton, tokens)
          let prefix = 1
          for (const [i, token] of tokens.entries()) {
            const mass = strings
              .filter((s) => [...tokens.slice(0, i), token].every((t, j) => s.tokens[j] === t))
              .reduce((sum, s) => sum + s.p, 0)
            expect(steps[i]).toBeCloseTo(mass / prefix, 9)
            prefix = mass
          }
          for (const [i, q] of earleyConditionals(g, tokens).entries()) expect(q).toBeCloseTo(steps[i] as number, 9)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('membership agrees on strings next to the language, and the distance is the nearest string’s', () => {
    const levenshtein = (a: readonly number[], b: readonly number[]) => {
      let row = b.map((_, j) => j + 1)
      row.unshift(0)
      for (const [i, x] of a.entries()) {
        const next = [i + 1]
        for (const [j, y] of b.entries())
          next.push(Math.min(row[j]! + (x === y ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
        row = next
      }
      return row.at(-1) as number
    }
    fc.assert(
      fc.property(seeds, fc.array(fc.nat(2), { maxLength: 9 }), (seed, raw) => {
        const g = small(seed)
        const tokens = raw.filter((t) => t < g.terminals.length)
        const strings = [...enumerate(g).keys()].map(numbers)
        const nearest = Math.min(...strings.map((s) => levenshtein(s, tokens)))
        expect(accepts(prefixAutomaton(g), tokens)).toBe(nearest === 0)
        expect(earleyAccepts(g, tokens)).toBe(nearest === 0)
        expect(distanceToLanguage(prefixAutomaton(g), tokens, 30)).toBe(nearest)
        expect(distanceToLanguage(prefixAutomaton(g), tokens, nearest - 1)).toBeNull()
      }),
      { numRuns: 60 },
    )
  })
})

describe('large and recursive grammars', () => {
  it.each(['g3', 'g6', 'g9'] as const)(
    '%s: mean loss of sampled strings is the entropy within 4 standard errors',
    (name) => {
      const g = paperGrammar(name)
      const whole = wholeLanguage(g)
      if (whole.kind !== 'finite') throw new Error('finite')
      const losses = Array.from({ length: 3000 }, (_, i) => {
        const tokens = yieldOf(g, sampleDerivation(g, testStream(i))) ?? []
        return -Math.log(stringProbability(prefixAutomaton(g), tokens))
      })
      const mean = losses.reduce((a, b) => a + b, 0) / losses.length
      const sd = Math.sqrt(losses.reduce((a, b) => a + (b - mean) ** 2, 0) / (losses.length - 1))
      expect(Math.abs(mean - whole.entropy)).toBeLessThan((4 * sd) / Math.sqrt(losses.length))
    },
  )

  it('Earley handles left recursion and unit cycles in closed form', () => {
    // Geometric: a^n with probability 0.5^n.
    const left = parsePcfg("S -> S 'a' [0.5] | 'a' [0.5]")
    const right = parsePcfg("S -> 'a' S [0.5] | 'a' [0.5]")
    for (const n of [1, 2, 5]) {
      const tokens = Array.from({ length: n }, () => 0)
      const product = earleyConditionals(left, tokens).reduce((a, b) => a * b, 1)
      expect(product).toBeCloseTo(0.5 ** n, 12)
      expect(stringProbability(prefixAutomaton(right), tokens)).toBeCloseTo(0.5 ** n, 12)
    }
    const cycle = parsePcfg("S -> A [1]\nA -> B [0.5] | 'a' [0.5]\nB -> A [0.5] | 'b' [0.5]")
    expect(earleyConditionals(cycle, [0])[0]).toBeCloseTo(0.5 / (1 - 0.25), 12)
    expect(() => prefixAutomaton(left)).toThrow(/left-recursive/u)
  })

  it('Earley equals the automaton on Dyck and mirror languages, and long strings do not underflow', () => {
    for (const g of [dyck(2), mirror()])
      for (let i = 0; i < 20; i++) {
        const tokens = yieldOf(g, sampleDerivation(g, testStream(i))) ?? []
        const expected = conditionals(prefixAutomaton(g), tokens)
        for (const [j, p] of earleyConditionals(g, tokens).entries()) expect(p).toBeCloseTo(expected[j] as number, 9)
      }
    const deep = Array.from({ length: 301 }, (_, i) => (i === 150 ? 2 : 0))
    const g = mirror()
    const steps = earleyConditionals(g, deep)
    expect(steps).toHaveLength(302)
    expect(steps.at(-1)).toBeCloseTo(1, 9)
  })

  it('sampled entropy covers the exact one, and knows the closed form of an infinite language', () => {
    for (const name of ['g4', 'g9'] as const) {
      const whole = wholeLanguage(paperGrammar(name))
      if (whole.kind !== 'finite') throw new Error('finite')
      const { value, standardError } = sampledEntropy(paperGrammar(name), testStream(3), 300)
      expect(standardError).toBeLessThan(0.4)
      expect(Math.abs(value - whole.entropy)).toBeLessThan(4 * standardError)
    }
    // Geometric: H = ln 2 / (1 - 1/2).
    const geometric = sampledEntropy(parsePcfg("S -> S 'a' [0.5] | 'a' [0.5]"), testStream(4), 2000)
    expect(Math.abs(geometric.value - 2 * Math.LN2)).toBeLessThan(4 * geometric.standardError)
  })

  it('sampled ambiguity is proved by a string, and not seen where each has one derivation', () => {
    expect(sampledAmbiguity(parsePcfg("S -> S S [0.3] | 'a' [0.7]"), testStream(5), 200).ambiguous).toBe('yes')
    expect(sampledAmbiguity(paperGrammar('g3'), testStream(5), 50).ambiguous).toBe('yes')
    expect(sampledAmbiguity(paperGrammar('g1'), testStream(5), 20)).toEqual({ ambiguous: 'not-seen', strings: 20 })
    expect(sampledAmbiguity(dyck(2), testStream(5), 100).ambiguous).toBe('not-seen')
    const doubled = parsePcfg("S -> 'a' S [0.25] | 'a' S [0.25] | 'a' [0.5]")
    expect(sampledAmbiguity(doubled, testStream(5), 50).ambiguous).toBe('not-seen')
  })

  it('length distribution of an infinite language leaves its tail in `rest`', () => {
    const { probability, rest } = lengthDistribution(parsePcfg("S -> 'a' S [0.5] | 'a' [0.5]"), 10)
    expect(probability.slice(0, 4)).toEqual([0, 0.5, 0.25, 0.125])
    expect(rest).toBeCloseTo(0.5 ** 10, 12)
  })

  it('the best derivation yields the string and is the most probable one', () => {
    for (const name of ['g1', 'g3', 'g9'] as const) {
      const g = paperGrammar(name)
      for (let i = 0; i < 5; i++) {
        const sampled = sampleDerivation(g, testStream(i))
        const tokens = yieldOf(g, sampled) ?? []
        const best = bestDerivation(g, tokens)
        if (best === null) throw new Error('a sampled string has a derivation')
        expect(yieldOf(g, best)).toEqual(tokens)
        const logp = (d: readonly number[]) => d.reduce((sum, r) => sum + Math.log(g.rules[r]!.probability), 0)
        expect(logp(best)).toBeGreaterThanOrEqual(logp(sampled) - 1e-9)
      }
      expect(bestDerivation(g, [0, 0, 0])).toBeNull()
    }
  })
})

describe('ln', () => {
  it('agrees with Math.log to 1e-15', () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, max: 1.7e308, noNaN: true }), (x) => {
        expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(2e-15 * Math.max(1, Math.abs(Math.log(x))))
      }),
    )
    expect(ln(0)).toBe(Number.NEGATIVE_INFINITY)
    expect(ln(1)).toBe(0)
    expect(ln(-1)).toBeNaN()
  })
})
