import fc from 'fast-check'
import type { Cnf } from '../../../src/libraries/grammars/index.ts'

/** Builds a grammar from rules as arrays of numbers; names are S, A1.. and a, b, c... */
export function cnf(
  nonterminals: number,
  terminals: number,
  binary: readonly number[][],
  lexical: readonly number[][],
): Cnf {
  return {
    nonterminals: Array.from({ length: nonterminals }, (_, i) => (i === 0 ? 'S' : `A${i}`)),
    terminals: Array.from({ length: terminals }, (_, i) => String.fromCharCode(97 + i)),
    binary: Int32Array.from(binary.flat()),
    lexical: Int32Array.from(lexical.flat()),
  }
}

/** Small random grammars, the start symbol allowed anywhere, repeated rules possible. */
export const anyCnf = (limits: { nonterminals: number; terminals: number; rules: number }): fc.Arbitrary<Cnf> =>
  fc
    .record({ N: fc.integer({ min: 1, max: limits.nonterminals }), T: fc.integer({ min: 1, max: limits.terminals }) })
    .chain(({ N, T }) => {
      const symbol = fc.nat(N - 1)
      return fc
        .record({
          binary: fc.array(fc.tuple(symbol, symbol, symbol), { maxLength: limits.rules }),
          lexical: fc.array(fc.tuple(symbol, fc.nat(T - 1)), { minLength: 1, maxLength: limits.rules }),
        })
        .map(({ binary, lexical }) => cnf(N, T, binary, lexical))
    })

/** A grammar with a string over its terminals. */
export const cnfAndString = (
  limits: { nonterminals: number; terminals: number; rules: number },
  length: { minLength?: number; maxLength: number },
): fc.Arbitrary<readonly [Cnf, number[]]> =>
  anyCnf(limits).chain((grammar) =>
    fc.tuple(fc.constant(grammar), fc.array(fc.nat(grammar.terminals.length - 1), length)),
  )
