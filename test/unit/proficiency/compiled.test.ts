import { describe, expect, it } from 'vitest'
import {
  earleyConditionals,
  lengthDistribution,
  mirror,
  parsePcfg,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { compileLanguage } from '../../../src/tasks/proficiency/languages/compiled.ts'

describe('a compiled language', () => {
  const [a, b, c] = [0, 1, 2]
  const strings = [
    [a, b, a, b, c, b, a, b, b],
    [a, a, b, c, a, a, b],
    [a, c, a],
    [b, b, b, b, a, c, a, b, b, a, b],
  ]

  it('says the same of a string whatever it was asked about before', () => {
    const alone = strings.map((tokens) => compileLanguage(mirror(), 60).distance(tokens, 2))
    expect(alone).toContain(undefined)
    expect(alone).toContain(0)
    expect(alone).toContain(1)
    const shared = compileLanguage(mirror(), 60)
    for (const order of [strings, strings.toReversed()])
      for (const tokens of order) {
        expect(shared.distance(tokens, 2)).toBe(alone[strings.indexOf(tokens)])
        expect(shared.accepts(tokens)).toBe(tokens.length === 3)
      }
  })

  it('reads on by the chart where a string alone is too large', () => {
    const tiny = compileLanguage(mirror(), 5)
    for (const tokens of strings) expect(tiny.conditionals(tokens)).toEqual(earleyConditionals(mirror(), tokens))
    expect(tiny.accepts([a, b, b, a, b, c, b, a, b, b, a])).toBe(true)
  })

  it('has no distances where any of its nonterminals is left-recursive', () => {
    const g = parsePcfg("S -> 'x' A [0.5] | 'x' [0.5]\nA -> A 'a' [0.5] | 'a' [0.5]")
    expect(compileLanguage(g).distance([1], 0)).toBeUndefined()
  })

  it('knows the probability of lengths past its first table', () => {
    const g = parsePcfg("S -> 'a' S [999/1000] | 'a' [1/1000]")
    const language = compileLanguage(g)
    const exact = lengthDistribution(g, 1500).probability
    for (const n of [1, 512, 513, 1500]) expect(language.lengthProbability(n)).toBeCloseTo(exact[n] as number, 15)
    expect(language.lengthProbability(1500)).toBeGreaterThan(0)
  })
})
