import { describe, expect, it } from 'vitest'
import { editDistance, streamFromKey } from '../../../src/core/index.ts'
import {
  accepts,
  aliveTokens,
  arrangedLanguage,
  arrangements,
  bestDerivation,
  chartedConditionals,
  conditionals,
  constituents,
  countedWords,
  crossedConditionals,
  derivationalEntropy,
  derives,
  distanceToLanguage,
  expectedLength,
  expectedNeighbours,
  lengthDistribution,
  letterWords,
  type Pcfg,
  PcfgError,
  PrefixAutomaton,
  pairDistance,
  parsePcfg,
  pcfgFromJson,
  pcfgToJson,
  plainlyUnambiguous,
  plainReading,
  prefixAutomaton,
  printPcfg,
  regular,
  sampleDerivation,
  sourceOf,
  textOf,
  wholeLanguage,
  yieldOf,
} from '../../../src/libraries/grammars/pcfg/index.ts'

const stream = (seed: number) => streamFromKey(new Uint8Array(16).fill(seed))
const walk = (seed: number, stop = 25): Pcfg =>
  regular({ states: 4, tokens: [...'abc'], degree: 2, stop }, stream(seed))

/** Every word of a finite or infinite source up to `longest` tokens, with its probability: derivations, one by one. */
function wordsOf(source: Pcfg, longest: number): { readonly word: readonly string[]; readonly p: number }[] {
  let open = [{ at: 0, word: [] as readonly string[], p: 1 }]
  const done: { readonly word: readonly string[]; readonly p: number }[] = []
  while (open.length > 0) {
    const next: typeof open = []
    for (const { at, word, p } of open)
      for (const rule of source.rules.filter(({ left }) => left === at)) {
        const [token, then] = rule.right
        const longer = [...word, source.terminals[-1 - (token as number)] as string]
        if (then === undefined) done.push({ word: longer, p: p * rule.probability })
        else if (longer.length < longest) next.push({ at: then, word: longer, p: p * rule.probability })
      }
    open = next
  }
  return done
}

const write = {
  local: (word: readonly string[]) => word.flatMap((x) => [x, x.toUpperCase()]),
  nested: (word: readonly string[]) => [...word, ...word.toReversed().map((x) => x.toUpperCase())],
  crossed: (word: readonly string[]) => [...word, ...word.map((x) => x.toUpperCase())],
}

/** Strings that share tokens: pairs of `a b` and `b a` over a grammar that is ambiguous as to where the second half begins. */
const shared = parsePcfg("%crossed\nS -> 'a' S 'a' [0.3] | 'b' S 'a' [0.2] | 'a' 'a' [0.25] | 'b' 'b' [0.25]")

const sources = { letters: letterWords(), counts: countedWords(), walk: walk(1) }

describe('words with partners', () => {
  it.each(Object.entries(sources))('have the probability of the word in all three arrangements: %s', (_, source) => {
    const words = wordsOf(source, 4)
    expect(words.length).toBeGreaterThan(3)
    for (const arrangement of arrangements) {
      const grammar = arrangedLanguage(source, arrangement)
      const numbers = new Map(grammar.terminals.map((name, i) => [name, i]))
      for (const { word, p } of words.slice(0, 60)) {
        const tokens = write[arrangement](word).map((name) => numbers.get(name) as number)
        const steps = chartedConditionals(grammar, tokens)
        expect(steps).toHaveLength(tokens.length + 1)
        expect(steps.reduce((a, b) => a * b, 1)).toBeCloseTo(p, 12)
        expect(derives(grammar, tokens)).toBe(true)
        const derivation = bestDerivation(grammar, tokens)
        expect(derivation === null ? null : yieldOf(grammar, derivation)).toEqual(tokens)
      }
    }
  })

  it.each(Object.entries(sources))('have equal entropy, lengths and counts of tokens: %s', (_, source) => {
    const [local, ...others] = arrangements.map((arrangement) => arrangedLanguage(source, arrangement))
    const before = local as Pcfg
    // Words are told apart from left to right, so a string has one derivation and H(L) is that of the derivations.
    for (const other of others) {
      expect(derivationalEntropy(other)).toBeCloseTo(derivationalEntropy(before), 12)
      expect(expectedLength(other)).toBeCloseTo(expectedLength(before), 12)
      const [a, b] = [lengthDistribution(other, 60), lengthDistribution(before, 60)]
      for (const [n, p] of a.probability.entries()) expect(p).toBeCloseTo(b.probability[n] as number, 12)
    }
  })

  it('have the entropy that a sum over all words has', () => {
    const source = walk(2, 75)
    const words = wordsOf(source, 9)
    const entropy = words.reduce((sum, { p }) => sum - p * Math.log(p), 0)
    expect(words.reduce((sum, { p }) => sum + p, 0)).toBeGreaterThan(0.99999)
    for (const arrangement of arrangements)
      expect(derivationalEntropy(arrangedLanguage(source, arrangement))).toBeCloseTo(entropy, 3)
  })

  it('plainly have one derivation a string, as many grammars have not', () => {
    for (const source of Object.values(sources))
      for (const arrangement of arrangements)
        expect(plainlyUnambiguous(arrangedLanguage(source, arrangement))).toBe(true)
    expect(plainlyUnambiguous(shared)).toBe(true)
    expect(plainlyUnambiguous(parsePcfg("S -> 'a' S [1/2] | 'a' 'a' [1/2]"))).toBe(false)
    expect(plainlyUnambiguous(parsePcfg("S -> 'a' A [1/2] | 'a' [1/2]\nA -> 'b' [1/2] | 'c' [1/2]"))).toBe(true)
    expect(plainlyUnambiguous(parsePcfg("S -> A [1]\nA -> 'b' [1]"))).toBe(false)
    expect(plainlyUnambiguous(parsePcfg("S -> 'a' A A [1]\nA -> 'b' [1]"))).toBe(false)
  })

  it('give their source back, and its text', () => {
    for (const source of Object.values(sources))
      for (const arrangement of arrangements) {
        const grammar = arrangedLanguage(source, arrangement)
        expect(printPcfg(sourceOf(grammar) as Pcfg)).toBe(printPcfg(source))
        expect(printPcfg(parsePcfg(printPcfg(grammar)))).toBe(printPcfg(grammar))
        expect(printPcfg(pcfgFromJson(pcfgToJson(grammar)))).toBe(printPcfg(grammar))
        expect(parsePcfg(printPcfg(grammar)).reading).toBe(arrangement === 'crossed' ? 'crossed' : 'plain')
      }
    expect(sourceOf(parsePcfg("S -> 'a' 'b' [1]"))).toBeNull()
  })
})

/** All strings over the alphabet up to a length. */
function* strings(size: number, longest: number): Generator<readonly number[]> {
  let level: readonly (readonly number[])[] = [[]]
  for (let length = 1; length <= longest; length++) {
    level = level.flatMap((before) => Array.from({ length: size }, (_, t) => [...before, t]))
    yield* level
  }
}

describe('a grammar read crossed', () => {
  const walked = arrangedLanguage(walk(3), 'crossed')
  const grammars = { shared, walked }

  it.each(Object.entries(grammars))(
    'has members that the deduction over its MCFG derives, and no others: %s',
    (_, grammar) => {
      let members = 0
      for (const tokens of strings(grammar.terminals.length, grammar === shared ? 8 : 4)) {
        const steps = crossedConditionals(grammar, tokens)
        const member = steps.length === tokens.length + 1 && (steps.at(-1) as number) > 0
        expect(derives(grammar, tokens), textOf(grammar, tokens)).toBe(member)
        expect(bestDerivation(grammar, tokens) !== null).toBe(member)
        if (member) members++
      }
      expect(members).toBeGreaterThan(grammar === shared ? 20 : 3)
    },
  )

  it.each(Object.entries(grammars))('has conditional probabilities that sum to one: %s', (_, grammar) => {
    for (let i = 0; i < 12; i++) {
      const tokens = yieldOf(grammar, sampleDerivation(grammar, stream(i))) as readonly number[]
      for (const cut of [0, 1, tokens.length >> 1, tokens.length - 1]) {
        const prefix = tokens.slice(0, cut)
        const next = grammar.terminals.map((__, t) => crossedConditionals(grammar, [...prefix, t])[cut] ?? 0)
        const end = crossedConditionals(grammar, prefix)[cut] as number
        expect(next.reduce((a, b) => a + b, cut === 0 ? 0 : end)).toBeCloseTo(1, 10)
      }
    }
  })

  it('does not underflow where a string has next to no probability', () => {
    const grammar = arrangedLanguage(letterWords(), 'crossed')
    const word = Array.from({ length: 400 }, (_, i) => 'abcd'[(i * i) % 4] as string)
    const numbers = new Map(grammar.terminals.map((name, i) => [name, i]))
    const steps = crossedConditionals(
      grammar,
      write.crossed(word).map((name) => numbers.get(name) as number),
    )
    const nats = steps.reduce((sum, p) => sum - Math.log(p), 0)
    expect(nats).toBeCloseTo(400 * Math.log(4) - 399 * Math.log(7 / 8) - Math.log(1 / 8), 6)
  })

  it('lives for as many tokens as it has probability', () => {
    for (const grammar of Object.values(grammars))
      for (const tokens of strings(grammar.terminals.length, grammar === shared ? 6 : 4)) {
        const steps = crossedConditionals(grammar, tokens).slice(0, tokens.length)
        expect(aliveTokens(grammar, tokens)).toBe(steps.filter((p) => p > 0).length)
      }
  })

  it('has the neighbours that its strings have', () => {
    const source = walk(4, 75)
    const grammar = arrangedLanguage(source, 'crossed')
    const counts = new Map<string, number>()
    for (const { word, p } of wordsOf(source, 9)) {
      const all = ['', ...write.crossed(word), '']
      for (const [i, right] of all.slice(1).entries())
        counts.set(`${all[i]} ${right}`, (counts.get(`${all[i]} ${right}`) ?? 0) + p)
    }
    const total = [...counts.values()].reduce((a, b) => a + b, 0)
    for (const [pair, share] of expectedNeighbours(grammar))
      expect(share, pair).toBeCloseTo((counts.get(pair) ?? 0) / total, 4)
  })

  it('has constituents in two pieces that cover its tokens', () => {
    const grammar = arrangedLanguage(countedWords(), 'crossed')
    const derivation = sampleDerivation(grammar, stream(5))
    const pieces = constituents(grammar, derivation)
    const half = derivation.length
    expect(pieces).toHaveLength(2 * half)
    expect(pieces.slice(0, 2).map(({ start, end }) => [start, end])).toEqual([
      [0, half],
      [half, 2 * half],
    ])
  })

  it('is finite where its rules do not recur, with as many strings as the other reading', () => {
    const grammar = parsePcfg("%crossed\nS -> 'a' A 'x' [1/2] | 'b' A 'y' [1/2]\nA -> 'a' 'x' [1/3] | 'b' 'y' [2/3]")
    expect(wholeLanguage(grammar)).toMatchObject({ kind: 'finite', support: 4n, ambiguous: false, longest: 4 })
  })

  it('is refused where it cannot be: other rules, and machines of the plain reading', () => {
    expect(() => parsePcfg("%crossed\nS -> 'a' S [1/2] | 'a' [1/2]")).toThrow(/rules A -> 'x' B 'y'/u)
    expect(() => parsePcfg("%crossed x\nS -> 'a' 'b' [1]")).toThrow(/unknown directive %crossed x/u)
    expect(() => new PrefixAutomaton(shared)).toThrow(PcfgError)
    expect(() => crossedConditionals(plainReading(shared), [0])).toThrow(PcfgError)
    expect(() => arrangedLanguage(parsePcfg("S -> 'a' S 'b' [1/2] | 'a' [1/2]"), 'local')).toThrow(/words come from/u)
    expect(() => arrangedLanguage(parsePcfg("S -> '1' [1]"), 'local')).toThrow(/letters a to z/u)
  })
})

describe('the distance to a language of pairs', () => {
  it.each(['nested', 'crossed'] as const)('is the least over all strings of the language: %s', (arrangement) => {
    const source = walk(6)
    const grammar = arrangedLanguage(source, arrangement)
    const numbers = new Map(grammar.terminals.map((name, i) => [name, i]))
    const all = wordsOf(source, 6).map(({ word }) =>
      write[arrangement](word).map((name) => numbers.get(name) as number),
    )
    const s = stream(7)
    for (let i = 0; i < 60; i++) {
      const tokens = Array.from({ length: 1 + (s.u32() % 6) }, () => s.u32() % grammar.terminals.length)
      const least = Math.min(...all.map((member) => editDistance(member, tokens)))
      expect(pairDistance(grammar, tokens, 3), textOf(grammar, tokens)).toBe(least > 3 ? null : least)
    }
  })

  it('agrees with the walk of the automaton in the nested reading', () => {
    const grammar = arrangedLanguage(countedWords(), 'nested')
    const automaton = prefixAutomaton(grammar)
    const s = stream(8)
    for (let i = 0; i < 25; i++) {
      const tokens = [...(yieldOf(grammar, sampleDerivation(grammar, s)) as readonly number[])].slice(0, 20)
      for (let edit = 0; edit < 2; edit++) tokens[s.u32() % tokens.length] = s.u32() % grammar.terminals.length
      expect(pairDistance(grammar, tokens, 3)).toBe(distanceToLanguage(automaton, tokens, 3))
      expect(accepts(automaton, tokens)).toBe(pairDistance(grammar, tokens, 3) === 0)
    }
    expect(conditionals(automaton, []).length).toBe(1)
  })
})
