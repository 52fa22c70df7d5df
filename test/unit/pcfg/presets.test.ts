import { describe, expect, it } from 'vitest'
import {
  heights,
  type PaperGrammar,
  paperGrammar,
  paperGrammars,
  prefixAutomaton,
  reachable,
  sampleDerivation,
  textOf,
  tokensOf,
  wholeLanguage,
  yieldOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { stringProbability, testStream } from './support.ts'

const rule = (grammar: PaperGrammar, left: string) => {
  const g = paperGrammar(grammar)
  const n = g.nonterminals.indexOf(left)
  return g.rules
    .filter((r) => r.left === n)
    .map((r) => r.right.map((s) => (s < 0 ? g.terminals[-1 - s] : g.nonterminals[s])).join(' '))
}

describe('the paper’s grammars', () => {
  it.each(['g1', 'g2'] as const)('every string of %s has 72 tokens', (name) => {
    const g = paperGrammar(name)
    for (let i = 0; i < 50; i++) expect(yieldOf(g, sampleDerivation(g, testStream(i)))).toHaveLength(72)
  })

  it('every string of g1 has probability 2^-36, and there are 2^36', () => {
    const g = paperGrammar('g1')
    const automaton = prefixAutomaton(g)
    for (let i = 0; i < 50; i++) {
      const tokens = yieldOf(g, sampleDerivation(g, testStream(i))) ?? []
      expect(stringProbability(automaton, tokens)).toBeCloseTo(2 ** -36, 24)
    }
    expect(wholeLanguage(g)).toMatchObject({ support: 2n ** 36n, ambiguous: false, longest: 72 })
  })

  it('figure 2’s string has 2^-23 under the grammar of figure 1, which is not g1', () => {
    const g = paperGrammar('g1-figure-1')
    const short = g.rules.findIndex((r) => g.nonterminals[r.left] === 'A16' && r.right.length === 2)
    let seen = 0
    for (let i = 0; i < 40; i++) {
      const derivation = sampleDerivation(g, testStream(i))
      if (derivation[1] !== short) continue
      seen++
      const p = stringProbability(prefixAutomaton(g), yieldOf(g, derivation) ?? [])
      expect(p / 2 ** -23).toBeCloseTo(1, 10)
    }
    expect(seen).toBeGreaterThan(5)
    expect(rule('g1', 'A16')).toEqual(['A15 A14 A13', 'A13 A15 A14'])
    expect(rule('g1-figure-1', 'A16')).toEqual(['A15 A13', 'A13 A15 A14'])
  })

  it('g1 and g2, g3 and g4 have the same support', () => {
    for (const [a, b] of [
      ['g1', 'g2'],
      ['g3', 'g4'],
    ] as const) {
      const [ga, gb] = [paperGrammar(a), paperGrammar(b)]
      const [wa, wb] = [wholeLanguage(ga), wholeLanguage(gb)]
      if (wa.kind !== 'finite' || wb.kind !== 'finite') throw new Error('these languages are finite')
      expect(wa.support).toBe(wb.support)
      for (let i = 0; i < 100; i++) {
        const text = textOf(ga, yieldOf(ga, sampleDerivation(ga, testStream(i))) ?? [])
        expect(stringProbability(prefixAutomaton(gb), tokensOf(gb, text) ?? [])).toBeGreaterThan(0)
      }
    }
  })

  it.each(['g3', 'g4', 'g6', 'g8'] as const)(
    '%s keeps its duplicated rules, its ambiguity and the unreachable C1_5',
    (name) => {
      const g = paperGrammar(name)
      expect(rule(name, 'B3')).toEqual(['B2', 'B2', 'B2 B2'])
      expect(rule(name, 'B2')).toEqual(['B1', 'B1', 'B1 B1 B1'])
      expect(rule(name, 'E3')).toEqual(['E2', 'E2 E2', 'E2'])
      expect(rule(name, 'E2')).toEqual(['E1 E1', 'E1', 'E1 E1 E1'])
      expect(g.nonterminals.filter((_, i) => !reachable(g)[i])).toEqual(['C1_5'])
      expect(wholeLanguage(g)).toMatchObject({ ambiguous: true })
      expect(g.rules.filter((r) => g.nonterminals[r.left] === 'B3').map((r) => r.probability)).toEqual([
        1 / 3,
        1 / 3,
        1 / 3,
      ])
    },
  )

  it('string entropies of g3 and g4 are the published ones', () => {
    expect(wholeLanguage(paperGrammar('g3'))).toMatchObject({ entropy: expect.closeTo(16.7916, 4) })
    expect(wholeLanguage(paperGrammar('g4'))).toMatchObject({ entropy: expect.closeTo(8.3295, 4) })
  })

  it('g9 has depth 4 below S, breadth 4, two rules a nonterminal and the unreachable A11', () => {
    const g = paperGrammar('g9')
    expect(g.nonterminals.filter((_, i) => !reachable(g)[i])).toEqual(['A11'])
    expect(Math.max(...g.rules.map((r) => r.right.length))).toBe(4)
    for (const [n, rules] of g.rulesOf.entries()) expect(rules).toHaveLength(n === 0 ? 1 : 2)
    expect(g.terminals).toEqual(['0', '1', '2', '3', '4'])
    expect(g.rules[1]?.probability).toBe(0.8413447461)
    expect(heights(g)?.[0]).toBe(5)
  })

  it('g7 and g8 are g5 and g6 in letters', () => {
    const letters: Record<string, string> = Object.fromEntries(
      [...'123456789'].map((d, i) => [d, 'abcdefghi'[i] as string]),
    )
    for (const [digits, latin] of [
      ['g5', 'g7'],
      ['g6', 'g8'],
    ] as const) {
      const mapped = paperGrammars[digits].replace(/'(\d)'/gu, (_, d: string) => `'${letters[d]}'`)
      expect(paperGrammars[latin].replaceAll(' ', '')).toBe(mapped.replaceAll(' ', ''))
    }
  })
})
