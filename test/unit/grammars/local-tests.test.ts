import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjacency } from '../../../src/libraries/grammars/grammar/adjacency.ts'
import type { Cnf } from '../../../src/libraries/grammars/index.ts'
import { compileTokenizer } from '../../../src/libraries/grammars/recognise/tokenizer.ts'
import { cykAccepts } from './cyk.ts'
import { strings, subsets } from './enumerate.ts'
import { cnf } from './random-cnf.ts'

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

describe('compileTokenizer', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9é😀]{1,4}$/u), { minLength: 1, maxLength: 40 })
  /** Where every token may stand anywhere. */
  const read = (terminals: readonly string[], text: string): readonly number[] | null => {
    const all = (size: number) => new Uint8Array(size).fill(1)
    const { buffer, length } = compileTokenizer(terminals)(text, all(terminals.length), all(terminals.length ** 2))
    return length < 0 ? null : [...buffer.subarray(0, length)]
  }

  it('numbers tokens as splitting at blanks and looking up does', () => {
    fc.assert(
      fc.property(
        names,
        fc.array(fc.nat(60), { maxLength: 150 }),
        fc.constantFrom(' ', '\t', '\n', ' \r\n '),
        (terminals, picks, blank) => {
          const words = picks.map((pick) => terminals[pick] ?? `${terminals[0]}zz9`)
          const expected = words.map((word) => terminals.indexOf(word))
          expect(read(terminals, blank + words.join(blank) + blank)).toEqual(expected.includes(-1) ? null : expected)
        },
      ),
    )
  })

  it('tells terminals apart whose hashes collide', () => {
    // 31 * 'A' + 'a' = 31 * 'B' + 'B': equal under the rolling hash.
    expect(read(['Aa', 'AaBB'], 'Aa AaBB')).toEqual([0, 1])
    expect(read(['Aa', 'AaBB'], 'BB')).toBeNull()
    expect(read(['Aa', 'AaBB'], 'BBAa')).toBeNull()
  })
})
