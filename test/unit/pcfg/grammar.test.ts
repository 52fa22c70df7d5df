import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bridgedHpcfg,
  copy,
  counting,
  derivationalEntropy,
  dyck,
  expectedLength,
  heights,
  mapAlphabet,
  mirror,
  paperGrammar,
  paperGrammars,
  parsePcfg,
  pcfgFromJson,
  pcfgToJson,
  printPcfg,
  randomHpcfg,
  reachable,
  regular,
  sampleDerivation,
  tiltEntropy,
  wholeLanguage,
  yieldOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'
import { g9Parameters, testStream } from './support.ts'

describe('file forms', () => {
  const all = [
    ...Object.keys(paperGrammars).map((name) => paperGrammar(name as keyof typeof paperGrammars)),
    dyck(3),
    counting(),
    copy(3),
    mirror(),
    ...[1, 2, 3].map((seed) => randomHpcfg(g9Parameters, testStream(seed))),
  ]
  it('text and JSON round trips give the same grammar', () => {
    for (const g of all) {
      expect(parsePcfg(printPcfg(g))).toEqual(g)
      expect(pcfgFromJson(JSON.parse(JSON.stringify(pcfgToJson(g))))).toEqual(g)
    }
  })

  it.each([
    ["S -> 'a' [0.5] | 'b' [0.4]", 'sum', /sum to 0.9/u],
    ["S -> 'a' [1.5]", 'sum', /at most 1/u],
    ["S -> 'a' [0.5] | A [0.5]", 'undefined', /refers to A.*quote/u],
    ["S -> 'a' [1]\nB -> 'b' [1]", 'unreachable', /reaches B.*%unreachable/u],
    ['S -> A [1]\nA -> S [1]', 'unproductive', /S, A derive no string/u],
    ["S -> S S [0.6] | 'a' [0.4]", 'not-terminating', /no finite expected length/u],
    ["S -> S S [0.5] | 'a' [0.5]", 'not-terminating', /no finite expected length/u],
    ["S -> 'a'", 'syntax', /line 1: every alternative of S ends in its probability/u],
    ["S -> [0.5] | 'a' [0.5]", 'unsupported', /empty right-hand side/u],
    ["S = 'a' [1]", 'syntax', /line 1, column 3/u],
    ["# a remark\n%frobnicate A\nS -> 'a' [1]", 'syntax', /^line 2: unknown directive %frobnicate/u],
    ['', 'empty', /at least one rule/u],
    ["%constructor A\nS -> 'a' [1]", 'syntax', /unknown directive %constructor/u],
    ["S -> 'a' [0.5/2] | 'b' [0.75]", 'syntax', /line 1, column 10: expected a weight such as \[0.25\] or \[1\/4\]/u],
    ["S -> 'a' [0]", 'sum', /above 0/u],
    [`S -> 'a' [1/${'9'.repeat(30)}] | 'b' [1]`, 'sum', /no common denominator up to 2\^53/u],
  ])('%s is refused as %s', (text, fault, message) => {
    expect(() => parsePcfg(text)).toThrow(message)
    expect(() => parsePcfg(text)).toThrow(expect.objectContaining({ fault }))
  })

  it.each([
    [{ format: 'pcfg/2' }, /expected "pcfg\/1"\n.*at format/u],
    [{ format: 'pcfg/1' }, /expected array.*\n.*at rules/u],
    [{ format: 'pcfg/1', rules: [{ left: 'S', right: ['a'], weight: 1 }] }, /rules\[0\]\.right\[0\]/u],
    [{ format: 'pcfg/1', rules: [{ left: 'S', right: [{ terminal: 'a' }], weight: 0.5 }] }, /positive integer weight/u],
  ])('a bad JSON grammar says what was expected where', (json, message) => {
    expect(() => pcfgFromJson(json)).toThrow(message)
  })

  it('any names give a grammar that reads back as it is, or none', () => {
    const name = fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', 'B', '1', '_', '-', "'", '"', ' ', '\t', '#', '|', '>', '[', ']', 'é', '\u2028'),
      }),
      fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty'),
    )
    let built = 0
    fc.assert(
      fc.property(name, fc.uniqueArray(name, { minLength: 2, maxLength: 3 }), (left, tokens) => {
        const right = tokens.map((terminal) => ({ terminal }))
        const rules = [
          { left: 'S', right: [{ nonterminal: left }, ...right], weight: 3 },
          ...(left === 'S' ? [{ left, right, weight: 8 }] : [{ left, right, weight: 1 }]),
        ]
        try {
          const g = pcfgFromJson({ format: 'pcfg/1', rules })
          built++
          expect(parsePcfg(printPcfg(g))).toEqual(g)
          const map = Object.fromEntries(tokens.map((token, i) => [token, tokens[(i + 1) % tokens.length] as string]))
          expect(mapAlphabet(g, map).terminals).toEqual(g.terminals)
          expect(mapAlphabet(g, {})).toEqual(g)
        } catch (error) {
          expect(error).toMatchObject({
            name: 'PcfgError',
            message: expect.stringMatching(/^a (?:nonterminal|token) /u),
          })
        }
      }),
      { numRuns: 1000 },
    )
    expect(built).toBeGreaterThan(20)
  })

  it.each(['x y', `'"`, '', '\n'])('the token %j is refused', (token) => {
    expect(() => mapAlphabet(mirror(), { a: token })).toThrow(/no blanks and not both kinds of quotes/u)
  })

  it('a nonterminal that cannot be written without quotes is refused', () => {
    const rules = [{ left: 'NP-1', right: [{ terminal: 'a' }], weight: 1 }]
    expect(() => pcfgFromJson({ format: 'pcfg/1', rules })).toThrow(/a nonterminal is a word.*"NP-1"; rename it/u)
  })

  it('a grammar is refused where it has too many nonterminals or symbols, and not just below', () => {
    const chain = (n: number) =>
      pcfgFromJson({
        format: 'pcfg/1',
        rules: Array.from({ length: n }, (_, i) => ({
          left: `A${i}`,
          right: [i + 1 < n ? { nonterminal: `A${i + 1}` } : { terminal: 'a' }],
          weight: 1,
        })),
      })
    const g = chain(1500)
    expect(heights(g)?.[0]).toBe(1500)
    expect(expectedLength(g)).toBe(1)
    expect(() => chain(1501)).toThrow(/at most 1500 nonterminals, got 1501/u)
    const right = Array.from({ length: 40_001 }, () => ({ terminal: 'a' }))
    expect(() => pcfgFromJson({ format: 'pcfg/1', rules: [{ left: 'S', right, weight: 1 }] })).toThrow(
      /at most 40000 symbols on right-hand sides, got 40001/u,
    )
  })

  it('a nonterminal that does not terminate is named', () => {
    expect(() => parsePcfg("S -> 'a' A [1]\nA -> B [1]\nB -> B B [0.7] | 'b' [0.3]")).toThrow(
      /derivations from B have/u,
    )
  })

  it('a grammar whose text would be too long to read is not printed', () => {
    const right = Array.from({ length: 30_000 }, () => ({ terminal: 'a'.repeat(40) }))
    const g = pcfgFromJson({ format: 'pcfg/1', rules: [{ left: 'S', right, weight: 1 }] })
    expect(() => printPcfg(g)).toThrow(/at most 1000000 characters/u)
  })

  it('junk never does anything but throw a PcfgError', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('S', '-', '>', "'", 'a', '[', '.', '5', ']', '|', ' ', '\n', '%', '"') }),
        (text) => {
          try {
            parsePcfg(text)
          } catch (error) {
            expect((error as Error).name).toBe('PcfgError')
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('random grammars', () => {
  it('with g9’s parameters are like g9: finite, reachable, within depth, breadth and rules', () => {
    for (let seed = 0; seed < 60; seed++) {
      const g = randomHpcfg(g9Parameters, testStream(seed))
      expect(heights(g)?.[0]).toBeLessThanOrEqual(g9Parameters.depth + 1)
      expect(reachable(g).every(Boolean)).toBe(true)
      for (const r of g.rules) expect(r.right.length).toBeLessThanOrEqual(g9Parameters.breadth)
      for (const rules of g.rulesOf) expect(rules.length).toBeLessThanOrEqual(g9Parameters.rules)
      expect(wholeLanguage(g)).toMatchObject({ kind: 'finite' })
    }
    expect(randomHpcfg(g9Parameters, testStream(1))).toEqual(randomHpcfg(g9Parameters, testStream(1)))
    expect(randomHpcfg(g9Parameters, testStream(1))).not.toEqual(randomHpcfg(g9Parameters, testStream(2)))
  })

  it('bridged ones end in the token that the bridge chose', () => {
    const digits = [...'123456789']
    const part = { ...g9Parameters, depth: 3, tokens: digits }
    for (let seed = 0; seed < 20; seed++) {
      const g = bridgedHpcfg({ first: part, second: part, pairs: 4 }, testStream(seed))
      const agreeing = new Map<number, number>()
      for (let i = 0; i < 40; i++) {
        const derivation = sampleDerivation(g, testStream(1000 * seed + i))
        const chosen = derivation[1] as number
        const last = yieldOf(g, derivation)?.at(-1) as number
        expect(agreeing.get(chosen) ?? last).toBe(last)
        agreeing.set(chosen, last)
      }
      expect(new Set(agreeing.values()).size).toBe(agreeing.size)
      expect(g.agreement.map((n) => g.nonterminals[n])).toEqual(['T1_1', 'T1_2', 'T1_3', 'T1_4'])
    }
    expect(() => bridgedHpcfg({ first: part, second: part, pairs: 5 }, testStream(0))).toThrow(/need 10 tokens/u)
  })

  it('a random automaton is refused where it would not be deterministic', () => {
    // The least and the most that there can be.
    for (const [states, degree, stop] of [
      [1, 1, 1],
      [200, 2, 99],
    ] as const)
      expect(regular({ states, tokens: ['a', 'b'], degree, stop }, testStream(1)).rules.length).toBeGreaterThan(0)
    for (const [states, degree, stop] of [
      [0, 1, 1],
      [201, 1, 1],
      [1, 0, 1],
      [1, 3, 1],
      [1, 1, 0],
      [1, 1, 100],
    ] as const)
      expect(() => regular({ states, tokens: ['a', 'b'], degree, stop }, testStream(1))).toThrow(
        /needs 1\.\.200 states/u,
      )
    expect(() => regular({ states: 3, tokens: ['a', 'a'], degree: 2, stop: 20 }, testStream(1))).toThrow(
      /different names/u,
    )
  })

  it('a random automaton is an unambiguous right-linear grammar with every state reached', () => {
    for (let seed = 0; seed < 20; seed++) {
      const g = regular({ states: 6, tokens: [...'abcd'], degree: 2, stop: 20 }, testStream(seed))
      expect(g.nonterminals).toHaveLength(6)
      for (const r of g.rules) expect(r.right.length).toBeLessThanOrEqual(2)
    }
  })
})

describe('transformations', () => {
  it('an alphabet map changes tokens only, and must be one-to-one', () => {
    const g = paperGrammar('g5')
    const map = Object.fromEntries(g.terminals.map((name, i) => [name, 'abcdefghijkl'[i] as string]))
    const mapped = mapAlphabet(g, map)
    expect(mapped.terminals).toEqual(Object.values(map).toSorted())
    expect(derivationalEntropy(mapped)).toBeCloseTo(derivationalEntropy(g), 12)
    expect(() => mapAlphabet(g, { 1: '2' })).toThrow(/own token/u)
  })

  it.each([
    ['g1', 7.15],
    ['g1', 20],
    ['g2', 15],
    ['g3', 12],
    ['g9', 5],
    ['g9', 12],
  ] as const)('%s tilted to %d nats keeps its support', (name, target) => {
    const g = paperGrammar(name)
    const tilted = tiltEntropy(g, target)
    expect(derivationalEntropy(tilted)).toBeCloseTo(target, 3)
    const [before, after] = [wholeLanguage(g), wholeLanguage(tilted)]
    if (before.kind !== 'finite' || after.kind !== 'finite') throw new Error('finite')
    expect(after.support).toBe(before.support)
  })

  it('an entropy out of reach is refused with the range', () => {
    expect(() => tiltEntropy(paperGrammar('g1'), 30)).toThrow(/between .* and 24\.9533 nats, asked for 30/u)
    expect(() => tiltEntropy(paperGrammar('g1'), Number.NaN)).toThrow(/asked for NaN/u)
  })
})
