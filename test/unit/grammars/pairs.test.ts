import { describe, expect, test } from 'vitest'
import { below, namedStream } from '../../../src/core/index.ts'
import { parseClauses } from '../../../src/libraries/grammars/notation/clauses.ts'
import { mcfgAccepts } from '../../../src/libraries/grammars/pcfg/mcfg.ts'
import {
  type Arrangement,
  arrangements,
  type PairGrammar,
  pairCharts,
  pairWork,
} from '../../../src/libraries/grammars/recognise/pair-chart.ts'
import { checkClosedPairs } from '../../../src/libraries/grammars/witness/checks.ts'
import { sample } from '../../nightly.ts'

/** S and `size` symbols more over the tokens x, y, ...; a rule of each arrangement is likely. */
function randomPairs(seed: number, size: number, tokens: number): PairGrammar {
  const stream = namedStream('pairs test', `${seed}`)
  const symbol = (): number => 1 + below(stream, size)
  const all = Object.keys(arrangements) as Arrangement[]
  const ofS = all.filter((text) => !text.includes(','))
  const others = all.filter((text) => text.includes(','))
  const rules = [
    ...Array.from({ length: 3 }, () => ({ left: 0, arrangement: ofS[below(stream, 2)]! })),
    ...Array.from({ length: 3 * size }, () => ({ left: symbol(), arrangement: others[below(stream, 4)]! })),
  ].map((rule) => ({ ...rule, first: symbol(), second: symbol() }))
  const lexical = Array.from(
    { length: 2 * size },
    () => [symbol(), below(stream, tokens), below(stream, tokens)] as const,
  )
  return {
    nonterminals: ['S', ...Array.from({ length: size }, (_, k) => `N${k}`)],
    terminals: Array.from({ length: tokens }, (_, k) => `t${k}`),
    binary: [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()],
    lexical: [...new Map(lexical.map((rule) => [rule.join(), rule])).values()],
  }
}

const clauses = ({ nonterminals, terminals, binary, lexical }: PairGrammar): string =>
  [
    ...binary.map(
      ({ left, first, second, arrangement }) =>
        `${nonterminals[left]}(${arrangement}) -> ${nonterminals[first]}(a, b) ${nonterminals[second]}(c, d)`,
    ),
    ...lexical.map(([left, first, second]) => `${nonterminals[left]}('${terminals[first]}', '${terminals[second]}')`),
  ].join('\n')

/** All strings of a length that the clauses derive, and in how many ways, by writing out all trees. */
function writtenOut({ nonterminals, binary, lexical }: PairGrammar, length: number): ReadonlyMap<string, number> {
  const sizes = Array.from({ length: length / 2 + 1 }, () => nonterminals.map((): string[][] => []))
  for (const [left, first, second] of lexical) sizes[1]![left]!.push([`${first}`, `${second}`])
  for (let size = 2; size <= length / 2; size++)
    for (const { left, first, second, arrangement } of binary)
      for (let part = 1; part < size; part++)
        for (const [a, b] of sizes[part]![first]!)
          for (const [c, d] of sizes[size - part]![second]!) {
            const of: { readonly [letter: string]: string | undefined } = { a, b, c, d }
            const strings = arrangement.split(', ').map((letters) =>
              letters
                .split(' ')
                .map((letter) => of[letter])
                .join(' '),
            )
            sizes[size]![left]!.push(strings)
          }
  const out = new Map<string, number>()
  for (const [string = ''] of sizes[length / 2]![0]!) out.set(string, (out.get(string) ?? 0) + 1)
  return out
}

const ways = (item: ReturnType<ReturnType<typeof pairCharts>>['goal']): number =>
  item === undefined
    ? 0
    : item.ways.length === 0
      ? 1
      : item.ways.reduce((sum, { first, second }) => sum + ways(first) * ways(second), 0)

describe('charts of pairs', () => {
  test('in a small world they have just the strings that all trees write, with as many derivations', () => {
    let members = 0
    for (let seed = 0; seed < 60; seed++) {
      const grammar = randomPairs(seed, 2, 2)
      const charts = pairCharts(grammar)
      for (const length of [2, 4, 6]) {
        const written = writtenOut(grammar, length)
        for (let code = 0; code < 2 ** length; code++) {
          const tokens = Array.from({ length }, (_, k) => (code >> k) & 1)
          const expected = written.get(tokens.join(' ')) ?? 0
          expect(ways(charts(tokens).goal), `${clauses(grammar)}\n${tokens.join(' ')}`).toBe(expected)
          members += Math.sign(expected)
        }
      }
    }
    expect(members).toBeGreaterThan(500)
  })

  test('they agree with deduction over the printed clauses, and closed charts prove what is outside', () => {
    const stream = namedStream('pairs test', 'strings')
    const strings = sample({ nightly: 10_000, otherwise: 300 })
    let members = 0
    for (let seed = 0; seed < strings / 20; seed++) {
      const grammar = randomPairs(1000 + seed, 4, 4)
      const charts = pairCharts(grammar)
      const printed = parseClauses(clauses(grammar), 'S')
      for (let k = 0; k < 20; k++) {
        const tokens = Array.from({ length: 4 + 2 * below(stream, 3) }, () => below(stream, 4))
        const { goal, items } = charts(tokens)
        const names = tokens.map((token) => printed.tokens.get(`t${token}`) ?? -1)
        expect(goal !== undefined, `${clauses(grammar)}\n${tokens.join(' ')}`).toBe(mcfgAccepts(printed, names))
        const rows = items.filter(({ symbol }) => symbol !== 0).map(({ symbol, bounds }) => [symbol, ...bounds])
        expect(checkClosedPairs(grammar, tokens, rows)).toBe(goal === undefined)
        if (goal !== undefined) members++
        else if (rows.length > 0) {
          const without = rows.toSpliced(below(stream, rows.length), 1)
          expect(checkClosedPairs(grammar, tokens, without)).toBe(false)
        }
      }
    }
    expect(members).toBeGreaterThan(0.02 * strings)
  })

  test('the copy language w w, which is not context-free', () => {
    const copies: PairGrammar = {
      nonterminals: ['S', 'N'],
      terminals: ['x', 'y'],
      binary: [
        { left: 0, first: 1, second: 1, arrangement: 'a c b d' },
        { left: 1, first: 1, second: 1, arrangement: 'a c, b d' },
      ],
      lexical: [
        [1, 0, 0],
        [1, 1, 1],
      ],
    }
    const charts = pairCharts(copies)
    for (let code = 0; code < 256; code++) {
      const tokens = Array.from({ length: 8 }, (_, k) => (code >> k) & 1)
      expect(charts(tokens).goal !== undefined).toBe(tokens.slice(0, 4).join() === tokens.slice(4).join())
    }
    // Catalan numbers: the ways to put brackets.
    expect(ways(charts([0, 1, 0, 0, 1, 0]).goal)).toBe(2)
    // x x and y y could be joined as (a c, b d), (a c b, d) and (a, c b d).
    expect(pairWork(charts([0, 1, 0, 1]))).toEqual({ entries: 4, lookups: 3, inferences: 2 })
  })
})

test('clauses that are none are refused with what was expected', () => {
  for (const [text, message] of [
    ['A -> B C', /expected a clause/u],
    ['A(a c, b d) -> B(a, b)', /c stands on the left only/u],
    ['A(a, b) -> B(a, b) C(c, d)', /each variable once/u],
    ['A(a a, b) -> B(a, b)', /each variable once/u],
  ] as const)
    expect(() => parseClauses(text, 'S')).toThrow(message)
})
