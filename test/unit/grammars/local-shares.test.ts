import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Cnf } from '../../../src/libraries/grammars/index.ts'
import { ngramProbabilities } from '../../../src/libraries/grammars/negatives/ngram-model.ts'
import { cnf } from './random-cnf.ts'

const [SYMBOLS, TERMINALS] = [4, 3]

/** Grammars in which every symbol leads to later ones only, so that there are finitely many derivations. */
const finite = fc
  .tuple(
    fc.array(fc.tuple(fc.nat(SYMBOLS - 2), fc.nat(8), fc.nat(8)), { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.nat(SYMBOLS - 1), fc.nat(TERMINALS - 1)), { minLength: 1, maxLength: 6 }),
  )
  .map(([binary, lexical]) => {
    const later = (a: number, n: number) => a + 1 + (n % (SYMBOLS - 1 - a))
    const rules = binary.map(([a, b, c]): [number, number, number] => [a, later(a, b), later(a, c)])
    const distinct = <T>(list: T[]) => [...new Map(list.map((rule) => [JSON.stringify(rule), rule])).values()]
    return cnf(SYMBOLS, TERMINALS, distinct(rules), distinct(lexical))
  })

type Weighted = readonly (readonly [tokens: readonly number[], weight: number])[]

/** Symbols that make a string, by trying. */
function productive(grammar: Cnf): Set<number> {
  const found = new Set<number>()
  for (let round = 0; round < SYMBOLS; round++) {
    for (let at = 0; at < grammar.lexical.length; at += 2) found.add(grammar.lexical[at] as number)
    for (let at = 0; at < grammar.binary.length; at += 3)
      if (found.has(grammar.binary[at + 1] as number) && found.has(grammar.binary[at + 2] as number))
        found.add(grammar.binary[at] as number)
  }
  return found
}

/** Every derivation from a symbol with the product of its weights: 1 / rules of the symbol, half of it for a binary rule. */
function derivations(grammar: Cnf, symbol: number, makes: ReadonlySet<number>): Weighted {
  const lexical = [...grammar.lexical].flatMap((a, at) =>
    at % 2 === 0 && a === symbol ? [grammar.lexical[at + 1] as number] : [],
  )
  const binary = [...grammar.binary].flatMap((a, at) =>
    at % 3 === 0 && a === symbol ? [[grammar.binary[at + 1] as number, grammar.binary[at + 2] as number] as const] : [],
  )
  const useful = binary.filter((sides) => sides.every((side) => makes.has(side)))
  const weight = 1 / (lexical.length + useful.length)
  return [
    ...lexical.map((t) => [[t], weight] as const),
    ...useful.flatMap(([b, c]) =>
      derivations(grammar, b, makes).flatMap(([left, p]) =>
        derivations(grammar, c, makes).map(([right, q]) => [[...left, ...right], 0.5 * weight * p * q] as const),
      ),
    ),
  ]
}

it('shares of tokens and of neighbours are those of all derivations, weighed', () => {
  fc.assert(
    fc.property(finite, (grammar) => {
      const makes = productive(grammar)
      fc.pre(makes.has(0))
      const all = derivations(grammar, 0, makes)
      const total = all.reduce((sum, [, weight]) => sum + weight, 0)
      const share = (of: (tokens: readonly number[]) => number) =>
        all.reduce((sum, [tokens, weight]) => sum + (of(tokens) * weight) / total, 0)
      const tokensIn = (t: number) => share((tokens) => tokens.filter((x) => x === t).length)
      const length = share((tokens) => tokens.length)
      const found = ngramProbabilities(grammar)
      for (let t = 0; t < TERMINALS; t++) {
        expect(found.token[t]).toBeCloseTo(tokensIn(t) / length, 9)
        expect(found.first[t]).toBeCloseTo(
          share(([x]) => (x === t ? 1 : 0)),
          9,
        )
        expect(found.last[t]).toBeCloseTo(
          share((tokens) => (tokens.at(-1) === t ? 1 : 0)),
          9,
        )
        for (let u = 0; u < TERMINALS; u++) {
          const pairs = share((tokens) => tokens.filter((x, i) => x === t && tokens[i + 1] === u).length)
          expect(found.next[t * TERMINALS + u]).toBeCloseTo(tokensIn(t) > 0 ? pairs / tokensIn(t) : 0, 9)
        }
      }
    }),
    { numRuns: 300 },
  )
})

it('of a grammar without end are those that its series come to', () => {
  // S -> S S | a, S -> b: z = 2/3 + z^2 / 6, so each string has 1 / (1 - 2 z / 6) nodes on average.
  const { token, first, last, next, parents } = ngramProbabilities(
    cnf(
      1,
      2,
      [[0, 0, 0]],
      [
        [0, 0],
        [0, 1],
      ],
    ),
  )
  expect([...token, ...first, ...last]).toEqual(Array.from({ length: 6 }, () => expect.closeTo(0.5, 8)))
  const z = 3 - Math.sqrt(5)
  // Leaves l = 1 / (1 - q) with q the chance of a binary rule, twice over; neighbours are leaves less one.
  const q = z / 6
  const leaves = (1 - q) / (1 - 2 * q)
  for (const chance of next) expect(chance).toBeCloseTo((leaves - 1) / leaves / 2, 6)
  expect([...parents]).toEqual([1, 1])
})
