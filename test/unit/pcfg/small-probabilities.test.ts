import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  accepts,
  bestDerivation,
  conditionals,
  EarleyReader,
  earleyAccepts,
  earleyConditionals,
  lengthDistribution,
  type Pcfg,
  PrefixAutomaton,
  parsePcfg,
  prefixAutomaton,
  regular,
  sampleDerivation,
  yieldOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { anyGrammar, insideProbability, stringProbability, testStream } from './support.ts'

const repeated = (n: number, last: number) => [...Array.from({ length: n }, () => 0), last]
const sum = (a: number, b: number) => a + b

/** X and Y begin alike, and a^n makes Y ever less likely: a share of (1/2)^n. */
const fading = parsePcfg("S -> X [0.5] | Y [0.5]\nX -> 'a' X [0.9] | 'b' [0.1]\nY -> 'a' Y [0.45] | 'c' [0.55]")
/** The same at a share of about 10^-3n, past the least double at n = 110. */
const vanishing = parsePcfg(
  "S -> X [0.5] | Y [0.5]\nX -> 'a' X [0.999] | 'b' [0.001]\nY -> 'a' Y [0.001] | 'c' [0.999]",
)
/** As `vanishing`, left-recursive. */
const vanishingLeft = parsePcfg(
  "S -> X 'b' [0.5] | Y 'c' [0.5]\nX -> X 'a' [0.999] | 'a' [0.001]\nY -> Y 'a' [0.001] | 'a' [0.999]",
)

describe('any grammar against the equations of its spans', () => {
  const strings = (g: Pcfg, length: number) =>
    Array.from({ length: g.terminals.length ** length }, (_, code) =>
      Array.from({ length }, (__, i) => Math.floor(code / g.terminals.length ** i) % g.terminals.length),
    )
  const close = (got: number, expected: number) =>
    expect(Math.abs(got - expected)).toBeLessThanOrEqual(1e-9 * Math.max(got, expected))

  it('probability, membership, best derivation and lengths, with left recursion and unit cycles', () => {
    fc.assert(
      fc.property(anyGrammar, (g) => {
        const automaton = automatonOf(g)
        const lengths = lengthDistribution(g, 3).probability
        for (let length = 1; length <= 3; length++) {
          let mass = 0
          for (const tokens of strings(g, length)) {
            const p = insideProbability(g, tokens, sum)
            mass += p
            const steps = earleyConditionals(g, tokens)
            close(steps.length === length + 1 ? steps.reduce((a, b) => a * b, 1) : 0, p)
            expect(earleyAccepts(g, tokens)).toBe(p > 0)
            if (automaton !== null) {
              close(stringProbability(automaton, tokens), p)
              expect(accepts(automaton, tokens)).toBe(p > 0)
            }
            const best = bestDerivation(g, tokens)
            expect(best === null).toBe(p === 0)
            if (best === null) continue
            expect(yieldOf(g, best)).toEqual(tokens)
            close(
              best.reduce((product, r) => product * (g.rules[r]?.probability ?? 0), 1),
              insideProbability(g, tokens, Math.max),
            )
          }
          expect(lengths[length] ?? 0).toBeCloseTo(mass, 9)
        }
      }),
      { numRuns: 60 },
    )
  })

  function automatonOf(g: Pcfg): PrefixAutomaton | null {
    try {
      return new PrefixAutomaton(g, 10_000)
    } catch (error) {
      expect((error as Error).message).toMatch(/left-recursive/u)
      return null
    }
  }
})

describe('very small probabilities', () => {
  it('beliefs that differ only in a small weight are different states', () => {
    for (const n of [20, 50, 100, 200]) {
      const tokens = repeated(n, 2)
      const exact = 0.5 * 0.45 ** n * 0.55
      expect(stringProbability(prefixAutomaton(fading), tokens) / exact).toBeCloseTo(1, 9)
      expect(earleyConditionals(fading, tokens).reduce((a, b) => a * b, 1) / exact).toBeCloseTo(1, 9)
    }
    const [walked, charted] = [
      conditionals(prefixAutomaton(fading), repeated(300, 2)),
      earleyConditionals(fading, repeated(300, 2)),
    ]
    for (const [i, p] of charted.entries()) expect((walked[i] as number) / p).toBeCloseTo(1, 9)
  })

  it('what is possible stays possible where its share is below the least double', () => {
    for (const n of [100, 200, 400]) {
      expect(accepts(prefixAutomaton(vanishing), repeated(n, 2))).toBe(true)
      expect(earleyAccepts(vanishing, repeated(n, 2))).toBe(true)
      expect(earleyAccepts(vanishingLeft, repeated(n, 2))).toBe(true)
      for (const g of [vanishing, vanishingLeft])
        for (const p of earleyConditionals(g, repeated(n, 2))) {
          expect(p).toBeGreaterThan(0)
          expect(p).toBeLessThanOrEqual(1 + 1e-9)
        }
    }
    expect(accepts(prefixAutomaton(vanishing), [...repeated(400, 2), 2])).toBe(false)
    expect(earleyAccepts(vanishing, [...repeated(400, 2), 2])).toBe(false)
    expect(earleyAccepts(vanishing, repeated(400, 0))).toBe(false)
  })

  it('a chain of unlikely unit rules still leads somewhere', () => {
    const chain = Array.from({ length: 40 }, (_, i) => `N${i} -> N${i + 1} [1/1000000000] | 'a' [999999999/1000000000]`)
    const g = parsePcfg(`${chain.join('\n')}\nN40 -> 'b' [1]`)
    expect(earleyAccepts(g, [1])).toBe(true)
    expect(accepts(prefixAutomaton(g), [1])).toBe(true)
    expect(bestDerivation(g, [1])).toHaveLength(41)
    expect(new EarleyReader(g).next()[1]).toBeGreaterThan(0)
  })

  it('the best derivation neither under- nor overflows', () => {
    const rare = parsePcfg("S -> 'a' S [1/1000] | 'b' S [498/1000] | 'c' [501/1000]")
    for (const n of [100, 150, 400])
      expect(yieldOf(rare, bestDerivation(rare, repeated(n, 2)) ?? [])).toEqual(repeated(n, 2))
    const sure = parsePcfg(
      "S -> A [1/10] | B [9/10]\nA -> 'a' A [999/1000] | 'b' [1/1000]\nB -> 'a' B [999/1000] | 'b' [1/1000]",
    )
    for (const n of [100, 600]) expect(bestDerivation(sure, repeated(n, 1))?.slice(0, 2)).toEqual([1, 4])
  })

  it('the best derivation of a string of a random automaton is its only one', () => {
    const g = regular({ states: 100, tokens: [...'abcd'], degree: 2, stop: 2 }, testStream(1))
    const sampled = Array.from({ length: 20 }, (_, i) => sampleDerivation(g, testStream(i)))
    expect(Math.max(...sampled.map((derivation) => derivation.length))).toBeGreaterThan(100)
    for (const derivation of sampled) expect(bestDerivation(g, yieldOf(g, derivation) ?? [])).toEqual(derivation)
  })

  it('lengths are exact whatever the probability of unit cycles, and far out', () => {
    const { probability, rest } = lengthDistribution(parsePcfg("S -> S [99/100] | 'a' [1/100]"), 10)
    expect(probability).toHaveLength(2)
    expect(probability[1]).toBeCloseTo(1, 12)
    expect(rest).toBeCloseTo(0, 12)
    const mutual = lengthDistribution(
      parsePcfg("S -> A [1]\nA -> B [999/1000] | 'a' [1/1000]\nB -> A [999/1000] | 'b' 'b' [1/1000]"),
      5,
    )
    expect(mutual.probability[1]).toBeCloseTo(0.001 / (1 - 0.998001), 12)
    const geometric = lengthDistribution(parsePcfg("S -> S 'a' [0.9] | 'a' [0.1]"), 500)
    for (const n of [1, 100, 500])
      expect((geometric.probability[n] as number) / (0.1 * 0.9 ** (n - 1))).toBeCloseTo(1, 9)
  })
})
