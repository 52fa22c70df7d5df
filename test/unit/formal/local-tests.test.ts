import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjacency, bigramVerdict } from '../../../src/formal/adjacency.ts'
import { cykAccepts } from '../../../src/formal/cyk.ts'
import { factorTest } from '../../../src/formal/factors.ts'
import type { Cnf } from '../../../src/formal/grammar.ts'
import { compileTokenizer } from '../../../src/formal/tokenizer.ts'
import { strings, subsets } from './enumerate.ts'
import { cnf, cnfAndString } from './random-cnf.ts'

/** Grammars of two nonterminals, two terminals and three rules; what their strings show is shown by length 7. */
const bits = [0, 1]
const rules = [
  ...bits.flatMap((a) => bits.flatMap((b) => bits.map((c) => [a, b, c]))),
  ...bits.flatMap((a) => bits.map((t) => [a, t])),
]
const world = [...subsets(rules, 3)].map((some) =>
  cnf(
    2,
    2,
    some.filter((rule) => rule.length === 3),
    some.filter((rule) => rule.length === 2),
  ),
)
const members = (grammar: Cnf, longest: number): number[][] =>
  Array.from({ length: longest }, (_, i) => i + 1)
    .flatMap((length) => [...strings(grammar.terminals.length, length)])
    .filter((tokens) => cykAccepts(grammar, tokens))

describe('adjacency', () => {
  it('allows what some string has, and nothing else', () => {
    for (const grammar of world) {
      const begins = new Set<number>()
      const ends = new Set<number>()
      const pairs = new Set<number>()
      for (const tokens of members(grammar, 7)) {
        begins.add(tokens[0] as number)
        ends.add(tokens.at(-1) as number)
        for (let at = 1; at < tokens.length; at++) pairs.add(2 * (tokens[at - 1] as number) + (tokens[at] as number))
      }
      const tables = adjacency(grammar)
      expect([...tables.begins]).toEqual(bits.map((t) => Number(begins.has(t))))
      expect([...tables.ends]).toEqual(bits.map((t) => Number(ends.has(t))))
      expect([...tables.pairs]).toEqual([0, 1, 2, 3].map((pair) => Number(pairs.has(pair))))
    }
  })
})

describe('factorTest', () => {
  it('knows exactly the windows that strings of the language have', () => {
    for (const grammar of world.filter((_, index) => index % 3 === 0)) {
      const test = factorTest(grammar)
      const seen = {
        inside: new Set<string>(),
        first: new Set<string>(),
        last: new Set<string>(),
        whole: new Set<string>(),
      }
      for (const tokens of members(grammar, 8))
        for (let from = 0; from < tokens.length; from++)
          for (let to = from + 1; to <= Math.min(tokens.length, from + 3); to++) {
            const window = tokens.slice(from, to).join()
            seen.inside.add(window)
            if (from === 0) seen.first.add(window)
            if (to === tokens.length) seen.last.add(window)
            if (from === 0 && to === tokens.length) seen.whole.add(window)
          }
      for (const length of [1, 2, 3])
        for (const window of strings(2, length))
          for (const place of ['inside', 'first', 'last', 'whole'] as const)
            expect({ place, window, occurs: test.occurs(window, place) }).toEqual({
              place,
              window,
              occurs: seen[place].has(window.join()),
            })
    }
  })

  it('is the bigram test at k = 2, grows stricter with k, and is membership in the end', () => {
    fc.assert(
      fc.property(
        cnfAndString({ nonterminals: 4, terminals: 3, rules: 10 }, { minLength: 1, maxLength: 7 }),
        ([grammar, tokens]) => {
          const test = factorTest(grammar)
          const legal = [2, 3, 4, 5, 9].map((k) => test.firstIllegal(tokens, k) === null)
          expect(legal[0]).toBe(bigramVerdict(adjacency(grammar), tokens).kind === 'legal')
          for (let k = 1; k < legal.length; k++) if (legal[k]) expect(legal[k - 1]).toBe(true)
          expect(legal.at(-1)).toBe(cykAccepts(grammar, tokens))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('names the first token of the first window that does not occur', () => {
    const grammar = cnf(
      3,
      2,
      [
        [0, 1, 0],
        [0, 1, 2],
      ],
      [
        [1, 0],
        [2, 1],
      ],
    )
    const test = factorTest(grammar)
    expect(test.firstIllegal([0, 0, 1], 3)).toBeNull()
    expect(test.firstIllegal([0, 1, 1], 2)).toBe(1)
    expect(test.firstIllegal([1, 1], 2)).toBe(0)
    expect(test.firstIllegal([0, 0], 2)).toBe(1)
    expect(test.firstIllegal([0, 9], 1)).toBe(1)
    expect(() => test.firstIllegal([0], 0)).toThrow(RangeError)
  })
})

describe('compileTokenizer', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9é😀]{1,4}$/u), { minLength: 1, maxLength: 40 })

  it('numbers tokens as splitting at blanks and looking up does', () => {
    fc.assert(
      fc.property(
        names,
        fc.array(fc.nat(60), { maxLength: 150 }),
        fc.constantFrom(' ', '\t', '\n', ' \r\n '),
        (terminals, picks, blank) => {
          const tokenizer = compileTokenizer(terminals)
          const words = picks.map((pick) => terminals[pick] ?? `${terminals[0]}zz9`)
          const expected = words.map((word) => terminals.indexOf(word))
          const text = blank + words.join(blank) + blank
          const { buffer, length } = tokenizer.into(text)
          expect([...buffer.subarray(0, length)]).toEqual(expected)
          const at = expected.indexOf(-1)
          expect(tokenizer.tokens(text)).toEqual(
            at < 0 ? { kind: 'tokens', tokens: expected } : { kind: 'unknown', at, token: words[at] },
          )
        },
      ),
    )
  })

  it('tells terminals apart whose hashes collide', () => {
    // 31 * 'A' + 'a' = 31 * 'B' + 'B': equal under the rolling hash.
    const tokenizer = compileTokenizer(['Aa', 'AaBB'])
    expect(tokenizer.tokens('Aa AaBB')).toEqual({ kind: 'tokens', tokens: [0, 1] })
    expect(tokenizer.tokens('BB')).toEqual({ kind: 'unknown', at: 0, token: 'BB' })
    expect(tokenizer.tokens('BBAa')).toEqual({ kind: 'unknown', at: 0, token: 'BBAa' })
  })
})
