import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  drawParameter,
  integerExponential,
  randomGrammar,
  rawGrammar,
  ruleCapacity,
} from '../../../src/libraries/grammars/grammar/random-grammar.ts'
import { trim } from '../../../src/libraries/grammars/index.ts'
import { chiSquared, chiSquaredLimit, stream } from './generation-oracles.ts'

const rows = (flat: Int32Array, width: number): string[] =>
  Array.from({ length: flat.length / width }, (_, r) => flat.slice(r * width, (r + 1) * width).join(' '))

describe('raw random grammars', () => {
  const sizes = fc.record({
    terminals: fc.integer({ min: 1, max: 12 }),
    nonterminals: fc.integer({ min: 1, max: 12 }),
    lexical: fc.integer({ min: 1, max: 200 }),
    binary: fc.integer({ min: 1, max: 3000 }),
  })

  it('have the asked number of distinct rules, lowered to what there can be', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, key) => {
        const grammar = rawGrammar(stream(key), size)
        const capacity = ruleCapacity(size)
        const binary = rows(grammar.binary, 3)
        const lexical = rows(grammar.lexical, 2)
        expect(new Set(binary).size).toBe(binary.length)
        expect(new Set(lexical).size).toBe(lexical.length)
        expect(binary.length).toBe(Math.min(size.binary, capacity.binary))
        expect(lexical.length).toBe(Math.min(size.lexical, capacity.lexical))
      }),
    )
  })

  it('never have the start symbol above a terminal or on a right-hand side', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), (size, key) => {
        const grammar = rawGrammar(stream(key), size)
        for (let at = 0; at < grammar.binary.length; at += 3) {
          expect(grammar.binary[at + 1]).toBeGreaterThan(0)
          expect(grammar.binary[at + 2]).toBeGreaterThan(0)
        }
        for (let at = 0; at < grammar.lexical.length; at += 2) expect(grammar.lexical[at]).toBeGreaterThan(0)
      }),
    )
  })

  it('can have every rule there is: (N + 1) N N triples, N T pairs', () => {
    const grammar = rawGrammar(stream(1), { terminals: 3, nonterminals: 2, lexical: 1000, binary: 1000 })
    expect(rows(grammar.binary, 3).length).toBe(12)
    expect(rows(grammar.lexical, 2).length).toBe(6)
  })

  it('hold every rule equally often', () => {
    const size = { terminals: 3, nonterminals: 2, lexical: 2, binary: 5 }
    const seen = new Map<string, number>()
    const draws = stream(7)
    for (let i = 0; i < 12_000; i++)
      for (const rule of rows(rawGrammar(draws, size).binary, 3)) seen.set(rule, (seen.get(rule) ?? 0) + 1)
    expect(seen.size).toBe(12)
    const { value, df } = chiSquared([...seen.values()], new Array(12).fill((12_000 * 5) / 12))
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('refuse sizes that are no positive integers', () => {
    expect(() => rawGrammar(stream(1), { terminals: 0, nonterminals: 1, lexical: 1, binary: 1 })).toThrow(
      /terminals = 0/,
    )
  })
})

describe('trimmed random grammars', () => {
  it('are trimmed and not empty, or null', () => {
    let empty = 0
    for (let key = 0; key < 200; key++) {
      const grammar = randomGrammar(stream(key), { terminals: 9, nonterminals: 9, lexical: 6, binary: 6 }, 2)
      if (grammar === null) empty++
      else expect(trim(grammar)).toEqual(grammar)
    }
    expect(empty).toBeGreaterThan(0)
    expect(empty).toBeLessThan(200)
  })
})

describe('sizes', () => {
  it('of the exponential kind follow the exponential distribution', () => {
    const mean = 7
    const draws = stream(3)
    const counts = new Array<number>(80).fill(0)
    const total = 100_000
    for (let i = 0; i < total; i++) counts[Math.min(79, integerExponential(draws, mean))]!++
    const tail = (k: number) => Math.exp(-k / mean)
    const expected = counts.map((_, k) => total * (k === 79 ? tail(79) : tail(k) - tail(k + 1)))
    const { value, df } = chiSquared(counts, expected)
    expect(value).toBeLessThan(chiSquaredLimit(df))
  })

  it('are clamped to their bounds', () => {
    const draws = stream(4)
    const values = Array.from({ length: 5000 }, () =>
      drawParameter(draws, { kind: 'exponential', mean: 100, low: 5, high: 400 }),
    )
    expect(Math.min(...values)).toBe(5)
    expect(Math.max(...values)).toBe(400)
    expect(values.filter((v) => v === 5).length / 5000).toBeCloseTo(1 - Math.exp(-6 / 100), 1)
    expect(values.filter((v) => v === 400).length / 5000).toBeCloseTo(Math.exp(-4), 1)
  })

  it('lie on the grid, on all of it', () => {
    const grid = { low: 10, high: 85, step: 25 }
    const drawn = new Set(Array.from({ length: 200 }, (_, i) => drawParameter(stream(i), { kind: 'grid', ...grid })))
    expect([...drawn].sort((a, b) => a - b)).toEqual([10, 35, 60, 85])
  })
})
