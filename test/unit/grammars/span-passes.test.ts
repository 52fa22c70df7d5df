import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cnf, compileRecognizer } from '../../../src/libraries/grammars/index.ts'
import { spanPasses } from '../../../src/libraries/grammars/recognise/span-passes.ts'
import { cykAccepts, cykChart } from './cyk.ts'
import { anyCnf, cnf, cnfAndString } from './random-cnf.ts'

const limits = { nonterminals: 5, terminals: 2, rules: 14 }

/** The grammar with a terminal of its own for every symbol, so that a string can hold "symbol A here". */
function withSymbolTokens(grammar: Cnf): Cnf {
  const T = grammar.terminals.length
  return {
    ...grammar,
    terminals: [...grammar.terminals, ...grammar.nonterminals.map((_, a) => `<${a}>`)],
    lexical: Int32Array.from([...grammar.lexical, ...grammar.nonterminals.flatMap((_, a) => [a, T + a])]),
  }
}

describe('the inside pass', () => {
  it('holds exactly what CYK derives', () => {
    fc.assert(
      fc.property(cnfAndString(limits, { maxLength: 9 }), ([grammar, tokens]) => {
        const masks = spanPasses(grammar).inside(tokens)
        const chart = cykChart(grammar, tokens)
        for (let from = 0; from < tokens.length; from++)
          for (let to = from + 1; to <= tokens.length; to++)
            for (let symbol = 0; symbol < grammar.nonterminals.length; symbol++)
              expect(masks.has(symbol, from, to)).toBe(chart.has(symbol, from, to))
      }),
      { numRuns: 400 },
    )
  })

  it('holds it across words of 64 ends, whatever was asked before', () => {
    fc.assert(
      fc.property(
        anyCnf({ ...limits, terminals: 1 }),
        fc.array(fc.integer({ min: 1, max: 140 }), { minLength: 2, maxLength: 3 }),
        (grammar, lengths) => {
          for (const n of lengths) {
            const tokens = new Int32Array(n)
            const masks = spanPasses(grammar).inside(tokens)
            const chart = cykChart(grammar, tokens)
            for (let symbol = 0; symbol < grammar.nonterminals.length; symbol++)
              for (let to = 1; to <= n; to += to % 32 > 29 || to % 32 < 3 ? 1 : 7)
                for (const from of [0, to - 1, to >>> 1])
                  expect(masks.has(symbol, from, to)).toBe(chart.has(symbol, from, to))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('derives nothing from what is no terminal', () => {
    const dense = cnf(1, 1, [[0, 0, 0]], [[0, 0]])
    const masks = spanPasses(dense).inside([0, 7, 0])
    expect([masks.has(0, 0, 1), masks.has(0, 1, 2), masks.has(0, 0, 3), masks.has(0, 2, 3)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})

describe('the outside pass', () => {
  it('holds A at a span exactly where a token for A there makes a string of the language', () => {
    let outside = 0
    fc.assert(
      fc.property(cnfAndString(limits, { minLength: 1, maxLength: 6 }), ([grammar, tokens]) => {
        const wider = withSymbolTokens(grammar)
        const passes = spanPasses(grammar)
        passes.inside(tokens)
        const masks = passes.outside(() => false)
        const T = grammar.terminals.length
        for (let from = 0; from <= tokens.length; from++)
          for (let to = from; to <= tokens.length; to++)
            for (let symbol = 0; symbol < grammar.nonterminals.length; symbol++) {
              const holds = masks.has(symbol, from, to)
              expect(holds).toBe(cykAccepts(wider, [...tokens.slice(0, from), T + symbol, ...tokens.slice(to)]))
              if (holds) outside++
            }
      }),
      { numRuns: 300 },
    )
    expect(outside).toBeGreaterThan(1000)
  })

  it('ends when it is told to, with the masks so far complete', () => {
    fc.assert(
      fc.property(cnfAndString(limits, { minLength: 2, maxLength: 8 }), fc.nat(), ([grammar, tokens], cut) => {
        const passes = spanPasses(grammar)
        const stop = cut % tokens.length
        const read = (asked: number): boolean[] => {
          passes.inside(tokens)
          let starts = 0
          const masks = passes.outside(() => ++starts > asked)
          const found: boolean[] = []
          for (let from = 0; from <= stop; from++)
            for (let to = from; to <= tokens.length; to++)
              for (let symbol = 0; symbol < grammar.nonterminals.length; symbol++)
                found.push(masks.has(symbol, from, to))
          return found
        }
        expect(read(stop)).toEqual(read(tokens.length))
      }),
    )
  })
})

describe('kept masks', () => {
  it('outlast other passes', () => {
    fc.assert(
      fc.property(cnfAndString(limits, { minLength: 1, maxLength: 8 }), ([grammar, tokens]) => {
        const kept = spanPasses(grammar)
          .inside(tokens)
          .kept({ words: new Int32Array(0) })
        spanPasses(cnf(1, 1, [[0, 0, 0]], [[0, 0]])).inside(new Int32Array(90))
        spanPasses(grammar).inside([...tokens].reverse())
        const chart = cykChart(grammar, tokens)
        for (let symbol = 0; symbol < grammar.nonterminals.length; symbol++)
          for (let to = 1; to <= tokens.length; to++) expect(kept.has(symbol, 0, to)).toBe(chart.has(symbol, 0, to))
      }),
      { numRuns: 100 },
    )
  })
})

describe('recognition of crowded charts', () => {
  it('leaves nothing behind', () => {
    // Every string of a and b with an a and a b in it, by many trees.
    const crowded = cnf(
      4,
      2,
      [
        [0, 1, 2],
        [0, 2, 1],
        [0, 0, 3],
        [0, 3, 0],
        [1, 1, 3],
        [1, 3, 1],
        [2, 2, 3],
        [2, 3, 2],
        [3, 3, 3],
      ],
      [
        [1, 0],
        [2, 1],
        [3, 0],
        [3, 1],
      ],
    )
    const recognizer = compileRecognizer(crowded)
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(1), { minLength: 1, maxLength: 64 }), { maxLength: 8 }), (strings) => {
        for (const tokens of strings) {
          expect(recognizer.accepts(tokens)).toBe(tokens.includes(0) && tokens.includes(1))
          expect(recognizer.accepts(new Int32Array(1 + (tokens.length % 5)))).toBe(false)
        }
      }),
      { numRuns: 200 },
    )
  })
})
