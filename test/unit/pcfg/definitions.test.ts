import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import {
  copy,
  countedWords,
  counting,
  derivationalEntropy,
  dyck,
  earleyConditionals,
  letterWords,
  mirror,
  type Pcfg,
  PcfgError,
  PrefixAutomaton,
  paperGrammar,
  parsePcfg,
  pcfgFromJson,
  prefixAutomaton,
  randomHpcfg,
  sampledAmbiguity,
  sampledEntropy,
  tiltEntropy,
  tokensOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { enumerate, g9Parameters, numbers, stringProbability, testStream } from './support.ts'

const probabilityOf = (grammar: Pcfg, text: string): number =>
  stringProbability(prefixAutomaton(grammar), tokensOf(grammar, [...text].join(' ')) ?? [])

const wordsOver = (letters: string, length: number): string[] =>
  length === 0 ? [''] : wordsOver(letters, length - 1).flatMap((word) => [...letters].map((letter) => word + letter))

describe('languages of a class have the probabilities that their definition says', () => {
  it('a^m b^m: m is geometric of mean 5', () => {
    for (let m = 1; m <= 6; m++)
      expect(probabilityOf(counting(), 'a'.repeat(m) + 'b'.repeat(m))).toBeCloseTo(0.8 ** (m - 1) * 0.2, 12)
  })

  it('w c w: all lengths, and all words of a length, equally likely', () => {
    for (const longest of [1, 3])
      for (let length = 1; length <= longest; length++)
        for (const word of wordsOver('ab', length))
          expect(probabilityOf(copy(longest), `${word}c${word}`)).toBeCloseTo(1 / longest / 2 ** length, 12)
    for (const longest of [0, 9, 1.5]) expect(() => copy(longest)).toThrow('words of length 1..8')
    expect(copy(8).rules).toHaveLength(510)
  })

  it('w c reverse(w): a letter more is as likely as twice the end', () => {
    for (let length = 0; length <= 3; length++)
      for (const word of wordsOver('ab', length))
        expect(probabilityOf(mirror(), `${word}c${[...word].reverse().join('')}`)).toBeCloseTo(0.4 ** length * 0.2, 12)
  })

  it('words of four letters, and a^i b^j c^k: each step goes on with 7/8 and 3/4', () => {
    for (let length = 1; length <= 3; length++)
      for (const word of wordsOver('abcd', length))
        expect(probabilityOf(letterWords(), word)).toBeCloseTo((7 / 32) ** (length - 1) / 32, 12)
    const steps = (count: number): number => 0.75 ** (count - 1) * 0.25
    for (const i of [1, 2, 3])
      for (const j of [1, 2, 3])
        for (const k of [1, 2, 3])
          expect(probabilityOf(countedWords(), 'a'.repeat(i) + 'b'.repeat(j) + 'c'.repeat(k))).toBeCloseTo(
            steps(i) * steps(j) * steps(k),
            12,
          )
  })

  it('Dyck: a pair of every kind is as likely as any other, and kinds are bounded', () => {
    for (const kinds of [1, 2, 3]) {
      const pairs = ['()', '[]', '{}'].slice(0, kinds)
      const each = pairs.map((pair) => probabilityOf(dyck(kinds), pair))
      expect(new Set(each.map((p) => p.toFixed(12))).size).toBe(1)
      expect(each[0]).toBeCloseTo(((5 / 8) * (3 / 5)) / kinds, 12)
    }
    for (const kinds of [0, 0.5, 99]) expect(() => dyck(kinds)).toThrow('kinds of brackets')
  })
})

it('bridged grammars of the paper end in a mark that follows from the one in the middle', () => {
  for (const name of ['g3', 'g4'] as const) {
    const grammar = paperGrammar(name)
    const made = (left: string): string[] =>
      grammar.rules
        .filter((rule) => grammar.nonterminals[rule.left] === left)
        .map(({ right }) => right.map((symbol) => grammar.terminals[-1 - symbol]).join(' '))
    const marks = [1, 2, 3, 4].flatMap((i) => [...made(`T1_${i}`), ...made(`C1_${i}`)])
    expect(marks).toHaveLength(8)
    expect(new Set(marks).size).toBe(8)
    const top = grammar.rules.filter((rule) => grammar.nonterminals[rule.left] === 'S5')
    expect(top.map(({ right }) => right.map((symbol) => grammar.nonterminals[symbol]).join(' '))).toEqual(
      [1, 2, 3, 4].map((i) => `B4 C1_${i} E4 T1_${i}`),
    )
  }
})

describe('random hierarchical grammars', () => {
  it.each(['depth', 'breadth', 'rules', 'width', 'skip'] as const)('take %s within its bounds only', (name) => {
    const [low, high] = { depth: [1, 12], breadth: [1, 12], rules: [1, 20], width: [1, 50], skip: [0, 100] }[name]
    const small = { ...g9Parameters, depth: 2, breadth: 2, rules: 1, width: 2 }
    for (const value of [low, high] as number[])
      expect(() => randomHpcfg({ ...small, [name]: value }, testStream(1))).not.toThrow()
    for (const value of [(low as number) - 1, (high as number) + 1, 1.5])
      expect(() => randomHpcfg({ ...small, [name]: value }, testStream(1))).toThrow(`${name} is an integer`)
  })

  it('number nonterminals from the bottom, from 1', () => {
    const { nonterminals } = randomHpcfg({ ...g9Parameters, depth: 1, width: 1 }, testStream(3))
    expect(nonterminals).toEqual(['S', 'A1'])
  })

  it('give the first rule its percent, and all others the same', () => {
    for (const [rules, percent] of [
      [2, 84],
      [4, 70],
      [3, 34],
    ] as const) {
      const grammar = randomHpcfg(
        { ...g9Parameters, rules, probabilities: { kind: 'peaked', percent } },
        testStream(percent),
      )
      for (const [, own] of Map.groupBy(grammar.rules, ({ left }) => left)) {
        const shares = own.map(({ probability }) => probability)
        if (shares.length !== rules) continue
        expect(shares[0]).toBeCloseTo(percent / 100, 12)
        for (const share of shares.slice(1)) expect(share).toBeCloseTo((1 - percent / 100) / (rules - 1), 12)
      }
    }
  })

  it('use only the level below where nothing is skipped', () => {
    const grammar = randomHpcfg({ ...g9Parameters, depth: 3, skip: 0 }, testStream(9))
    const level = new Map<number, number>()
    const levelOf = (symbol: number): number => {
      if (symbol < 0) return 0
      const known = level.get(symbol)
      if (known !== undefined) return known
      const below = grammar.rules.filter(({ left }) => left === symbol).flatMap(({ right }) => right.map(levelOf))
      expect(new Set(below).size).toBe(1)
      level.set(symbol, (below[0] ?? 0) + 1)
      return (below[0] ?? 0) + 1
    }
    expect(levelOf(0)).toBe(4)
  })
})

describe('a grammar from JSON', () => {
  const rule = { left: 'S', right: [{ terminal: 'a' }], weight: 1 }
  const of = (parts: { readonly [key: string]: Json }): Json => ({ format: 'pcfg/1', rules: [rule], ...parts })

  it('is read where all of it is there', () => {
    expect(pcfgFromJson(of({})).rules).toHaveLength(1)
  })

  it.each<readonly [string, Json]>([
    ['format', of({ format: 'pcfg/2' })],
    ['format', 'text'],
    ['rules', of({ rules: 'S' })],
    ['rules[0]', of({ rules: ['S'] })],
    ['rules[0].left', of({ rules: [{ ...rule, left: 3 }] })],
    ['rules[0].weight', of({ rules: [{ ...rule, weight: '1' }] })],
    ['rules[0].right', of({ rules: [{ ...rule, right: 'a' }] })],
    ['rules[0].right[0]', of({ rules: [{ ...rule, right: ['a'] }] })],
    ['rules[0].right[0]', of({ rules: [{ ...rule, right: [{ terminal: 1 }] }] })],
    ['reading', of({ reading: 'backwards' })],
  ])('is refused by the place where it is wrong: %s', (place, json) => {
    expect(() => pcfgFromJson(json)).toThrow(place)
    expect(() => pcfgFromJson(json)).toThrow(PcfgError)
  })
})

it('an automaton holds so many states and no more', () => {
  const automaton = new PrefixAutomaton(counting(), 12)
  const walk = (steps: number): number =>
    stringProbability(automaton, tokensOf(counting(), [...'a'.repeat(steps)].join(' ')) ?? [])
  expect(walk(2)).toBe(0)
  expect(() => walk(40)).toThrow('more than 12 prefix states')
})

it('a prefix that several splits lead to has the probability of all strings that begin with it', () => {
  const grammar = parsePcfg(
    "S -> B C 'd' [1]\nB -> 'a' [0.5] | 'a' 'a' [0.3] | 'b' [0.2]\nC -> 'a' [0.6] | 'a' 'a' [0.3] | 'd' [0.1]",
  )
  const strings = [...enumerate(grammar)].map(([text, p]) => ({ tokens: numbers(text), p }))
  const beginning = (start: readonly number[]): number =>
    strings.filter(({ tokens }) => start.every((token, i) => tokens[i] === token)).reduce((sum, { p }) => sum + p, 0)
  for (const { tokens, p } of strings) {
    const steps = earleyConditionals(grammar, tokens)
    for (const [i, step] of steps.entries())
      expect(step).toBeCloseTo(
        (i === tokens.length ? p : beginning(tokens.slice(0, i + 1))) / beginning(tokens.slice(0, i)),
        12,
      )
  }
})

describe('estimates', () => {
  it('need two strings', () => {
    for (const strings of [1, 0, 2.5]) expect(() => sampledEntropy(copy(2), testStream(1), strings)).toThrow(RangeError)
    expect(sampledEntropy(copy(1), testStream(1), 2)).toEqual({ value: Math.log(2), standardError: 0, strings: 2 })
  })

  it('of a language whose lengths are equally likely: ln of the lengths, and ln 2 a letter', () => {
    const { value, standardError } = sampledEntropy(copy(3), testStream(5), 400)
    const exact = Math.log(3) + 2 * Math.log(2)
    expect(Math.abs(value - exact)).toBeLessThan(4 * standardError)
    expect(standardError).toBeCloseTo((Math.log(2) * Math.sqrt(2 / 3)) / 20, 2)
  })

  it('see two derivations of a string, and one where there is one', () => {
    const twice = parsePcfg("S -> A [0.5] | 'a' [0.5]\nA -> 'a' [1]")
    expect(sampledAmbiguity(twice, testStream(2), 20).ambiguous).toBe('yes')
    expect(sampledAmbiguity(copy(2), testStream(2), 50)).toEqual({ ambiguous: 'not-seen', strings: 6 })
  })
})

it('entropy is moved to every target between its bounds, and to none beyond', () => {
  const grammar = parsePcfg("S -> 'a' [0.6] | 'b' [0.3] | 'c' [0.1]")
  const now = derivationalEntropy(grammar)
  for (const target of [0.05, 0.3, now, 1, Math.log(3)])
    expect(derivationalEntropy(tiltEntropy(grammar, target))).toBeCloseTo(target, 4)
  expect(() => tiltEntropy(grammar, 1.2)).toThrow(
    `moved from ${now.toFixed(4)} to between ${now.toFixed(4)} and ${Math.log(3).toFixed(4)} nats, asked for 1.2`,
  )
  expect(() => tiltEntropy(grammar, Number.NaN)).toThrow('asked for NaN')
})
