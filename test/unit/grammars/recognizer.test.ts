import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { below, namedStream } from '../../../src/core/index.ts'
import { adjacency, bigramVerdict } from '../../../src/libraries/grammars/grammar/adjacency.ts'
import type { Cnf } from '../../../src/libraries/grammars/index.ts'
import { chartBuilder } from '../../../src/libraries/grammars/recognise/chart.ts'
import { compileRecognizer, MAX_RECOGNIZED_TOKENS } from '../../../src/libraries/grammars/recognise/recognizer.ts'
import { sample } from '../../nightly.ts'
import { cykAccepts, cykChart } from './cyk.ts'
import { earleyAccepts } from './earley-accepts.ts'
import { kernelVersions } from './kernel-versions.ts'
import { cnf, cnfAndString } from './random-cnf.ts'

const limits = { nonterminals: 6, terminals: 3, rules: 14 }
/** S -> A S | A B, B -> A B | b, A -> a: all a^n b, n >= 1, right-branching. */
const chain = cnf(
  3,
  2,
  [
    [0, 1, 0],
    [0, 1, 2],
    [2, 1, 2],
  ],
  [
    [1, 0],
    [2, 1],
  ],
)
/** S -> S S | a: every string of a, as ambiguous as can be. */
const dense = cnf(1, 1, [[0, 0, 0]], [[0, 0]])

describe('compileRecognizer', () => {
  it('agrees with plain CYK on random grammars and strings', () => {
    fc.assert(
      fc.property(cnfAndString(limits, { maxLength: 12 }), ([grammar, tokens]) => {
        expect(compileRecognizer(grammar).accepts(tokens)).toBe(cykAccepts(grammar, tokens))
      }),
      { numRuns: sample({ nightly: 2000, otherwise: 500 }) },
    )
  })

  it('agrees with plain CYK around the word borders 32 and 64', () => {
    fc.assert(
      fc.property(cnfAndString({ ...limits, terminals: 1 }, { minLength: 30, maxLength: 36 }), ([grammar, tokens]) => {
        expect(compileRecognizer(grammar).accepts(tokens)).toBe(cykAccepts(grammar, tokens))
      }),
      { numRuns: 100 },
    )
    fc.assert(
      fc.property(cnfAndString({ ...limits, terminals: 1 }, { minLength: 62, maxLength: 70 }), ([grammar, tokens]) => {
        expect(compileRecognizer(grammar).accepts(tokens)).toBe(cykAccepts(grammar, tokens))
      }),
      { numRuns: 30 },
    )
  })

  it('agrees on short strings in every version', () => {
    fc.assert(
      fc.property(cnfAndString(limits, { minLength: 1, maxLength: 12 }), ([grammar, tokens]) => {
        const member = cykAccepts(grammar, tokens)
        for (const [name, accepts] of Object.entries(kernelVersions(grammar)))
          expect(accepts(tokens), name).toBe(member)
      }),
      { numRuns: sample({ nightly: 400, otherwise: 100 }) },
    )
  })

  it('agrees with plain CYK on grammars of more symbols than a word has bits', () => {
    const stream = namedStream('test/formal/many symbols')
    const symbol = () => below(stream, 150)
    let members = 0
    for (let run = 0; run < 6; run++) {
      // In every other grammar few left children, with many parents each.
      const left = run % 2 === 0 ? symbol : () => below(stream, 4)
      const binary = Array.from({ length: 900 }, () => [symbol(), left(), symbol()])
      const lexical = Array.from({ length: 150 }, (_, a) => [a, below(stream, 4)])
      const grammar = cnf(150, 4, binary, lexical)
      const kernels = [compileRecognizer(grammar).accepts, ...Object.values(kernelVersions(grammar))]
      for (let string = 0; string < 8; string++) {
        const tokens = Array.from({ length: 2 + below(stream, 5) }, () => below(stream, 4))
        const member = cykAccepts(grammar, tokens)
        if (member) members++
        for (const accepts of kernels) expect(accepts(tokens)).toBe(member)
      }
    }
    expect(members).toBeGreaterThan(6)
    expect(members).toBeLessThan(42)
  })

  it('decides long strings whose charts fill up', () => {
    // S -> X S | X X and X -> X X over a: every span is in the chart.
    const full = cnf(
      3,
      2,
      [
        [0, 1, 0],
        [0, 1, 1],
        [1, 1, 1],
        [0, 1, 2],
      ],
      [
        [1, 0],
        [2, 1],
      ],
    )
    const as = new Int32Array(150)
    const { accepts } = compileRecognizer(full)
    for (const n of [65, 100, 128, 150]) {
      expect(accepts(as.subarray(0, n))).toBe(true)
      expect(accepts([...as.subarray(0, n), 1])).toBe(true)
      expect(accepts([...as.subarray(0, n), 1, 1])).toBe(false)
    }
  })

  it('agrees with Earley on long strings of crowded and of sparse grammars', () => {
    const many = { nonterminals: 8, terminals: 4, rules: 30 }
    fc.assert(
      fc.property(cnfAndString(many, { minLength: 65, maxLength: 140 }), ([grammar, tokens]) => {
        expect(compileRecognizer(grammar).accepts(tokens)).toBe(earleyAccepts(grammar)(tokens))
      }),
      { numRuns: sample({ nightly: 60, otherwise: 25 }) },
    )
  })

  it('handles every length up to 200 on a chain and on a dense grammar', () => {
    const one = compileRecognizer(chain)
    const two = compileRecognizer(dense)
    for (let n = 1; n <= 200; n++) {
      const as = Array.from({ length: n }, () => 0)
      expect(one.accepts([...as, 1])).toBe(true)
      expect(one.accepts(as)).toBe(false)
      expect(one.accepts([...as, 1, 1])).toBe(false)
      expect(two.accepts(as)).toBe(true)
    }
  })

  it('gives the same answer whatever was asked before', () => {
    const recognizer = compileRecognizer(chain)
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(1), { maxLength: 70 }), { maxLength: 6 }), (strings) => {
        for (const tokens of strings) {
          const member = tokens.length > 1 && tokens.every((t, at) => t === (at === tokens.length - 1 ? 1 : 0))
          expect(recognizer.accepts(tokens)).toBe(member)
        }
      }),
    )
  })

  it('reads text, blanks of any kind between tokens', () => {
    const recognizer = compileRecognizer(chain)
    expect(recognizer.acceptsText('a a b')).toBe(true)
    expect(recognizer.acceptsText('  a\ta \n b ')).toBe(true)
    expect(recognizer.acceptsText('aab')).toBe(false)
    expect(recognizer.acceptsText('a x b')).toBe(false)
    expect(recognizer.acceptsText('')).toBe(false)
    expect(recognizer.acceptsText(`${'a '.repeat(300)}b`)).toBe(true)
  })

  it('refuses what is no terminal and what is too long', () => {
    const recognizer = compileRecognizer(chain)
    expect(recognizer.accepts([0, 2, 1])).toBe(false)
    expect(recognizer.accepts([0, -1, 1])).toBe(false)
    expect(recognizer.accepts([Number.NaN, 1])).toBe(false)
    expect(() => recognizer.accepts(new Int32Array(MAX_RECOGNIZED_TOKENS + 1))).toThrow(RangeError)
  })

  it('rejects everything when the language is empty', () => {
    const recognizer = compileRecognizer(
      cnf(
        2,
        1,
        [
          [0, 1, 1],
          [1, 1, 1],
        ],
        [],
      ),
    )
    expect(recognizer.accepts([0, 0])).toBe(false)
  })

  it('says where the bigram test fails', () => {
    const tables = adjacency(chain)
    const bigram = (tokens: readonly number[]) => bigramVerdict(tables, tokens)
    expect(bigram([])).toEqual({ kind: 'empty' })
    expect(bigram([1, 1])).toEqual({ kind: 'first', at: 0 })
    expect(bigram([0, 1, 0, 1])).toEqual({ kind: 'pair', at: 2 })
    expect(bigram([0, 0])).toEqual({ kind: 'last', at: 1 })
    expect(bigram([0, 7])).toEqual({ kind: 'unknown', at: 1 })
    for (const token of [-1, 2, Number.NaN]) expect(bigram([token])).toEqual({ kind: 'unknown', at: 0 })
    expect(bigram([0, 0, 1])).toEqual({ kind: 'legal' })
  })
})

describe('charts', () => {
  function agree(grammar: Cnf, tokens: readonly number[]): void {
    const plain = cykChart(grammar, tokens)
    const chart = chartBuilder(grammar)(tokens)
    const n = tokens.length
    const symbols = [...grammar.nonterminals.keys()]
    expect(chart.length).toBe(n)
    const cells: number[][] = []
    for (let from = 0; from < n; from++)
      for (let to = from + 1; to <= n; to++) {
        const own = symbols.filter((symbol) => plain.has(symbol, from, to))
        if (own.length > 0) cells.push([from, to, ...own])
        expect(symbols.filter((symbol) => chart.has(symbol, from, to))).toEqual(own)
      }
    expect(chart.cells()).toEqual(cells)
    const places = Array.from({ length: n + 1 }, (_, k) => k)
    for (const [from, to] of [
      [0, n],
      [n >> 1, n],
      [0, n >> 1],
      [n >> 2, n >> 1],
      [0, Math.min(n, 17)],
      [3, Math.min(n, 32)],
    ] as const)
      for (const left of symbols) {
        const ends = places.filter((k) => from < k && k < to && plain.has(left, from, k))
        expect(chart.endsBelow(left, from, to)).toEqual(ends)
        for (const right of symbols)
          expect(chart.firstSplit(left, right, from, to)).toBe(ends.find((k) => plain.has(right, k, to)) ?? null)
      }
  }

  it('tell spans, ends and splits as plain CYK does', () => {
    fc.assert(
      fc.property(
        cnfAndString({ nonterminals: 4, terminals: 2, rules: 12 }, { minLength: 1, maxLength: 12 }),
        ([grammar, tokens]) => agree(grammar, tokens),
      ),
    )
  })

  it.each([31, 32, 33, 40, 64, 66])('across words of bits: %i tokens', (n) => {
    const as = new Array<number>(n).fill(0)
    agree(dense, as)
    agree(chain, [...as.slice(1), 1])
  })
})
