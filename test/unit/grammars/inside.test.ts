import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexRules } from '../../../src/libraries/grammars/grammar/cnf.ts'
import { randomGrammar } from '../../../src/libraries/grammars/index.ts'
import {
  type InsideTable,
  insideTable,
  insideWeight,
  powerOfTwo,
} from '../../../src/libraries/grammars/sample/inside.ts'
import { attainableLengths, derivesLength, lengthTable } from '../../../src/libraries/grammars/sample/lengths.ts'
import { stringSampler } from '../../../src/libraries/grammars/sample/sample-string.ts'
import { strings, trees } from './enumerate.ts'
import { chiSquared, chiSquaredLimit, members, stream } from './generation-oracles.ts'
import { anyCnf, cnf } from './random-cnf.ts'

const small = anyCnf({ nonterminals: 4, terminals: 2, rules: 7 })
/** S -> S S | a : Catalan numbers of trees, one string a length. */
const catalan = cnf(1, 1, [[0, 0, 0]], [[0, 0]])

/** The probability or number behind a cell, where a double holds it. */
const unscaledWeight = (table: InsideTable, n: number): number => insideWeight(table, n) * 2 ** (table.scale * n)

describe('tables by length', () => {
  it('say of every symbol and length whether there is a string', () => {
    fc.assert(
      fc.property(small, (grammar) => {
        const table = lengthTable(indexRules(grammar), 5)
        for (let n = 1; n <= 5; n++) expect(derivesLength(table, 0, n)).toBe(members(grammar, n).length > 0)
      }),
      { numRuns: 200 },
    )
  })

  it('agree with the inside table on every cell, past word boundaries too', () => {
    for (let key = 0; key < 40; key++) {
      const grammar = randomGrammar(stream(key), { terminals: 9, nonterminals: 12, lexical: 14, binary: 16 })
      if (grammar === null) continue
      const lengths = lengthTable(indexRules(grammar), 100)
      const inside = insideTable(grammar, 100)
      for (let a = 0; a < grammar.nonterminals.length; a++)
        for (let n = 1; n <= 100; n++) expect(derivesLength(lengths, a, n)).toBe(insideWeight(inside, n, a) > 0)
    }
  })

  it('list what is attainable', () => {
    const pairs = cnf(
      2,
      1,
      [
        [0, 1, 1],
        [1, 0, 0],
      ],
      [[1, 0]],
    )
    expect(attainableLengths(lengthTable(indexRules(pairs), 12))).toEqual([2, 5, 8, 11])
  })

  it('hold long strings, past what unscaled doubles do', () => {
    // S -> S S | a, each half the time: half of 4^-n times the n-th Catalan number, so neighbours have a ratio near 1.
    const table = insideTable(catalan, 700)
    expect(unscaledWeight(table, 11)).toBeCloseTo(16796 / 2 ** 21, 15)
    const ratio = (insideWeight(table, 700) / insideWeight(table, 699)) * 2 ** table.scale
    expect(ratio).toBeCloseTo((4 * 699 - 2) / 700 / 4, 9)
  })

  it('sum to one over a language that always ends', () => {
    // S -> A A | a is subcritical once A only yields a.
    const finite = cnf(
      2,
      1,
      [[0, 1, 1]],
      [
        [0, 0],
        [1, 0],
      ],
    )
    const table = insideTable(finite, 10)
    expect(insideWeight(table, 1) + insideWeight(table, 2)).toBe(1)
  })
})

describe('the string sampler', () => {
  it('draws strings with just the weight they have', () => {
    // Ambiguous, lopsided and with unequal numbers of rules.
    const grammar = cnf(
      4,
      3,
      [
        [0, 1, 2],
        [0, 2, 1],
        [0, 3, 3],
        [1, 1, 2],
        [2, 2, 2],
        [3, 1, 1],
        [3, 3, 2],
      ],
      [
        [1, 0],
        [1, 1],
        [2, 1],
        [2, 2],
        [3, 0],
      ],
    )
    const length = 5
    const rulesOf = (symbol: number) =>
      [...grammar.binary].filter((s, i) => i % 3 === 0 && s === symbol).length +
      [...grammar.lexical].filter((s, i) => i % 2 === 0 && s === symbol).length
    type Node = ReturnType<typeof trees>[number]
    const probability = (tree: Node): number =>
      (1 / rulesOf(tree.symbol)) *
      (typeof tree.children === 'number' ? 1 : probability(tree.children[0]) * probability(tree.children[1]))
    const exact = new Map<string, number>()
    for (const tokens of strings(3, length)) {
      const weight = trees(grammar, 0, tokens).reduce((sum, tree) => sum + probability(tree), 0)
      if (weight > 0) exact.set(tokens.join(), weight)
    }
    const total = [...exact.values()].reduce((a, b) => a + b, 0)
    const table = insideTable(grammar, length)
    expect(unscaledWeight(table, length)).toBeCloseTo(total, 12)
    const sampler = stringSampler(table)
    const draws = stream(11)
    const counts = new Map<string, number>()
    const n = 60_000
    for (let i = 0; i < n; i++) {
      const key = sampler.sample(draws, length).join()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    for (const key of counts.keys()) expect(exact.has(key)).toBe(true)
    const keys = [...exact.keys()]
    const { value, df } = chiSquared(
      keys.map((key) => counts.get(key) ?? 0),
      keys.map((key) => ((exact.get(key) as number) / total) * n),
    )
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('gives the same strings for ever', () => {
    const grammar = randomGrammar(stream(2), { terminals: 12, nonterminals: 10, lexical: 20, binary: 30 })
    if (grammar === null) throw new Error('seed 2 gives a grammar')
    const sampler = stringSampler(insideTable(grammar, 30))
    expect([...sampler.sample(stream(9), 12)]).toEqual([3, 5, 3, 3, 9, 1, 0, 7, 8, 5, 0, 3])
  })

  it('has powers of two as far as doubles have them', () => {
    for (const e of [-1022, -1, 0, 1, 53, 1023]) expect(powerOfTwo(e)).toBe(2 ** e)
    for (const e of [-1023, 1024]) expect(() => powerOfTwo(e)).toThrow(`2^${e} is outside the doubles`)
  })

  it('reaches lengths far over 63 tokens', () => {
    const sampler = stringSampler(insideTable(catalan, 200))
    expect(sampler.sample(stream(1), 200)).toEqual(new Int32Array(200))
    expect(() => sampler.sample(stream(1), 201)).toThrow(/ends at length 200/)
  })
})
