import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivationHeight, type ParseCount, parseAnalyzer } from '../../../src/libraries/grammars/recognise/parses.ts'
import { checkDerivation } from '../../../src/libraries/grammars/witness/checks.ts'
import { sample } from '../../nightly.ts'
import { height, trees } from './enumerate.ts'
import { cnf, cnfAndString } from './random-cnf.ts'

const small = cnfAndString({ nonterminals: 3, terminals: 2, rules: 7 }, { minLength: 1, maxLength: 6 })
const catalan = cnf(1, 1, [[0, 0, 0]], [[0, 0]])

/** S, A -> T_i A and A -> T_0 T_0, T_i -> a for i below `m`: m ways at all but the last two tokens. */
const ways = (m: number) => {
  const symbols = Array.from({ length: m }, (_, i) => 2 + i)
  const chained = [0, 1].flatMap((parent) => symbols.map((left): [number, number, number] => [parent, left, 1]))
  return cnf(
    m + 2,
    1,
    [...chained, [1, 2, 2]],
    symbols.map((symbol): [number, number] => [symbol, 0]),
  )
}

/** Is it this number, to 12 digits, or exactly where it says so? */
function expectRounded({ mantissa, exponent, exact }: ParseCount, number: bigint): void {
  expect(exact).toBe(number <= BigInt(Number.MAX_SAFE_INTEGER))
  const digits = 10n ** 15n
  const scaled = number >> BigInt(exponent)
  if (exact) expect([BigInt(mantissa), exponent]).toEqual([number, 0])
  else expect(Number((BigInt(mantissa) * digits) / scaled) / 1e15).toBeCloseTo(1, 12)
}

describe('parses', () => {
  it('are counted as enumeration of all trees says', () => {
    fc.assert(
      fc.property(small, ([grammar, tokens]) => {
        const all = trees(grammar, 0, tokens)
        const analyzer = parseAnalyzer(grammar)
        expect(analyzer.countExactly(tokens)).toBe(BigInt(all.length))
        expect(analyzer.count(tokens)).toEqual({ mantissa: all.length, exponent: 0, exact: true })
      }),
      { numRuns: sample({ nightly: 500, otherwise: 60 }) },
    )
  })

  it('have one derivation that is chosen the same way every time', () => {
    fc.assert(
      fc.property(small, ([grammar, tokens]) => {
        const found = parseAnalyzer(grammar).derivation(tokens)
        const all = trees(grammar, 0, tokens)
        expect(found === null).toBe(all.length === 0)
        if (found === null) return
        expect(checkDerivation(grammar, tokens, found)).toBe(true)
        expect(parseAnalyzer(grammar).derivation([...tokens])).toEqual(found)
        expect(all.map(height)).toContain(derivationHeight(grammar, found))
      }),
      { numRuns: sample({ nightly: 500, otherwise: 60 }) },
    )
  })

  it('are Catalan many under S -> S S | a, and flagged where a double cannot hold them', () => {
    const analyzer = parseAnalyzer(catalan)
    let number = 1n
    for (let n = 1; n <= 50; n++) {
      const tokens = Array.from({ length: n }, () => 0)
      expect(analyzer.countExactly(tokens)).toBe(number)
      const rounded = analyzer.count(tokens)
      expect(rounded.exact).toBe(number <= BigInt(Number.MAX_SAFE_INTEGER))
      expect(Math.abs(rounded.mantissa / Number(number) - 1)).toBeLessThan(1e-12)
      number = (number * BigInt(2 * (2 * n - 1))) / BigInt(n + 1)
    }
  })

  it('of long strings are counted as BigInt counts them, also past the doubles', () => {
    const rules = { nonterminals: 3, terminals: 2, rules: 8 }
    fc.assert(
      fc.property(cnfAndString(rules, { minLength: 64, maxLength: 80 }), ([grammar, tokens]) => {
        const analyzer = parseAnalyzer(grammar)
        expectRounded(analyzer.count(tokens), analyzer.countExactly(tokens))
      }),
      { numRuns: sample({ nightly: 20, otherwise: 5 }) },
    )
    const analyzer = parseAnalyzer(catalan)
    let number = 1n
    for (let n = 1; n <= 518; n++) {
      if ([128, 512].includes(n)) expectRounded(analyzer.count(new Int32Array(n)), number)
      number = (number * BigInt(2 * (2 * n - 1))) / BigInt(n + 1)
    }
  })

  it('of a chain with 30 ways a step are 30^(n - 2), also past what scaled doubles hold', () => {
    const grammar = ways(30)
    const analyzer = parseAnalyzer(grammar)
    for (const n of [64, 91, 208, 230, 420, 520]) {
      const number = 30n ** BigInt(n - 2)
      expect(analyzer.countExactly(new Int32Array(n))).toBe(number)
      expectRounded(analyzer.count(new Int32Array(n)), number)
    }
  })

  it('are exact below 2^53, however long the string and however many trees some part of it has', () => {
    // S -> A B | A S: all a^n b in one way; but X has Catalan many trees over every stretch of them.
    const one = cnf(
      4,
      2,
      [
        [0, 1, 2],
        [0, 1, 0],
        [3, 3, 3],
      ],
      [
        [1, 0],
        [2, 1],
        [3, 0],
        [3, 1],
      ],
    )
    const tokens = new Int32Array(500)
    tokens[499] = 1
    expect(parseAnalyzer(one).count(tokens)).toEqual({ mantissa: 1, exponent: 0, exact: true })
  })

  it('of a very long string are counted, and one of them is derived', () => {
    const analyzer = parseAnalyzer(ways(1))
    const tokens = new Int32Array(3000)
    expect(analyzer.countExactly(tokens)).toBe(1n)
    expect(analyzer.count(tokens)).toEqual({ mantissa: 1, exponent: 0, exact: true })
    expect(analyzer.derivation(tokens)).toHaveLength(5999)
  })

  it('of the empty string are none', () => {
    const analyzer = parseAnalyzer(catalan)
    expect(analyzer.countExactly([])).toBe(0n)
    expect(analyzer.derivation([])).toBeNull()
  })
})
