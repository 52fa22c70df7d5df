import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { derivationHeight } from '../../../src/formal/first-derivation.ts'
import { parseAnalyzer } from '../../../src/formal/parses.ts'
import { checkDerivation } from '../../../src/formal/witness/derivation.ts'
import { height, trees } from './enumerate.ts'
import { cnf, cnfAndString } from './random-cnf.ts'

const small = cnfAndString({ nonterminals: 3, terminals: 2, rules: 7 }, { minLength: 1, maxLength: 6 })
const catalan = cnf(1, 1, [[0, 0, 0]], [[0, 0]])

describe('parses', () => {
  it('are counted, and their heights averaged, as enumeration of all trees says', () => {
    fc.assert(
      fc.property(small, ([grammar, tokens]) => {
        const all = trees(grammar, 0, tokens)
        const analyzer = parseAnalyzer(grammar)
        expect(analyzer.countExactly(tokens)).toBe(BigInt(all.length))
        expect(analyzer.count(tokens)).toEqual({ approximate: all.length, exact: true })
        const mean = analyzer.meanHeight(tokens)
        if (all.length === 0) expect(mean).toBeNull()
        else expect(mean).toBeCloseTo(all.reduce((sum, tree) => sum + height(tree), 0) / all.length, 9)
      }),
      { numRuns: 500 },
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
      { numRuns: 500 },
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
      expect(Math.abs(rounded.approximate / Number(number) - 1)).toBeLessThan(1e-12)
      number = (number * BigInt(2 * (2 * n - 1))) / BigInt(n + 1)
    }
  })

  it('of the empty string are none', () => {
    const analyzer = parseAnalyzer(catalan)
    expect(analyzer.countExactly([])).toBe(0n)
    expect(analyzer.derivation([])).toBeNull()
    expect(analyzer.meanHeight([])).toBeNull()
  })
})
