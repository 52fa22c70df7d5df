import { describe, expect, it } from 'vitest'
import { below, Sfc32, type Stream } from '../../../src/core/index.ts'
import { grammarStructure } from '../../../src/libraries/grammars/grammar/statistics.ts'
import { type Cnf, randomGrammar, trim } from '../../../src/libraries/grammars/index.ts'
import { canonical } from '../../../src/libraries/graphs/canonical.ts'

const keys = (grammar: Cnf) => canonical('relic/grammar', grammarStructure(grammar))

/** A small grammar whose symbols all occur in a rule; the start symbol stands anywhere. */
function tinyGrammar(stream: Stream): Cnf {
  const N = 1 + below(stream, 3)
  const T = 1 + below(stream, 3)
  const pick = (n: number, width: number, most: number) =>
    Array.from({ length: below(stream, most) }, () => Array.from({ length: width }, () => below(stream, n)))
  const binary = pick(N, 3, 5)
  const lexical = pick(1, 1, 5).map(() => [below(stream, N), below(stream, T)])
  return compacted(binary, lexical)
}

function compacted(binary: number[][], lexical: number[][]): Cnf {
  const symbols = [...new Set([0, ...binary.flat(), ...lexical.map(([a]) => a as number)])].sort((x, y) => x - y)
  const words = [...new Set(lexical.map(([, t]) => t as number))].sort((x, y) => x - y)
  return {
    nonterminals: symbols.map((a) => `A${a}`),
    terminals: words.map((t) => `t${t}`),
    binary: Int32Array.from(binary.flat().map((a) => symbols.indexOf(a))),
    lexical: Int32Array.from(lexical.flatMap(([a, t]) => [symbols.indexOf(a as number), words.indexOf(t as number)])),
  }
}

function permutations(list: readonly number[]): number[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((first, at) => permutations(list.toSpliced(at, 1)).map((rest) => [first, ...rest]))
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** The least text over all renamings that keep the start symbol: equal just for grammars that are the same up to names. */
function bruteForce({ nonterminals, terminals, binary, lexical }: Cnf): string {
  let least: string | null = null
  for (const symbols of permutations(range(1, nonterminals.length)))
    for (const words of permutations(range(0, terminals.length))) {
      const symbol = (a: number) => (a === 0 ? 0 : (symbols[a - 1] as number))
      const rules = new Set<string>()
      for (let at = 0; at < binary.length; at += 3) rules.add([...binary.subarray(at, at + 3)].map(symbol).join())
      for (let at = 0; at < lexical.length; at += 2)
        rules.add(`${symbol(lexical[at] as number)} ${words[lexical[at + 1] as number]}`)
      const text = `${nonterminals.length} ${terminals.length} ${[...rules].sort().join('|')}`
      if (least === null || text < least) least = text
    }
  return least as string
}

describe('canonical forms of grammars', () => {
  it('make the same classes of 4000 tiny grammars as brute force over all renamings', () => {
    const stream = new Sfc32(1, 2, 3, 4)
    const byForm = new Map<string, string>()
    const byText = new Map<string, string>()
    const invariants = new Map<string, string>()
    const wrong: unknown[] = []
    for (let i = 0; i < 4000; i++) {
      const grammar = tinyGrammar(stream)
      const { form, invariant } = keys(grammar)
      const text = bruteForce(grammar)
      if (form === null || (byForm.get(form) ?? text) !== text || (byText.get(text) ?? form) !== form)
        wrong.push({ grammar, form, text })
      if ((invariants.get(text) ?? invariant) !== invariant) wrong.push({ grammar, invariant })
      byForm.set(form as string, text)
      byText.set(text, form as string)
      invariants.set(text, invariant)
    }
    expect(wrong).toEqual([])
    expect(byForm.size).toBe(byText.size)
    // Both kinds are there: grammars that are the same up to names, and grammars that are not.
    expect(byText.size).toBeGreaterThan(500)
    expect(byText.size).toBeLessThan(3500)
  })

  it('do not depend on names, order, repeated rules, or on trimming where there is nothing to trim', () => {
    const stream = new Sfc32(5, 6, 7, 8)
    const size = { terminals: 12, nonterminals: 10, lexical: 20, binary: 30 }
    for (let i = 0; i < 50; i++) {
      const grammar = randomGrammar(stream, size) as Cnf
      expect(trim(grammar)).toEqual(grammar)
      const { form } = keys(grammar)
      expect(keys(trim(grammar) as Cnf).form).toBe(form)
      const twice = { ...grammar, binary: Int32Array.from([...grammar.binary, ...grammar.binary.slice(0, 3)]) }
      expect(keys(twice).form).toBe(form)
      const N = grammar.nonterminals.length
      const turned = (a: number) => (a === 0 ? 0 : 1 + (a % (N - 1)))
      const renamed: Cnf = {
        ...grammar,
        nonterminals: grammar.nonterminals.map((name) => `x${name}`),
        binary: grammar.binary.map(turned),
        lexical: grammar.lexical.map((value, at) => (at % 2 === 0 ? turned(value) : value)),
      }
      expect(keys(renamed).form).toBe(form)
    }
  })

  it('differ after any change of one symbol that no renaming undoes', () => {
    const stream = new Sfc32(9, 10, 11, 12)
    let different = 0
    for (let i = 0; i < 40; i++) {
      const grammar = tinyGrammar(stream)
      for (let at = 0; at < grammar.binary.length; at++) {
        const changed = grammar.binary.with(at, ((grammar.binary[at] as number) + 1) % grammar.nonterminals.length)
        const other = compactedOf(grammar, changed)
        const same = bruteForce(other) === bruteForce(compactedOf(grammar, grammar.binary))
        expect(keys(other).form === keys(compactedOf(grammar, grammar.binary)).form).toBe(same)
        if (!same) different++
      }
    }
    expect(different).toBeGreaterThan(50)
  })

  it('tell apart grammars that differ only in which symbol is the start, or in which symbols are terminals', () => {
    const lexical = [[2, 0]]
    const chain = [
      [0, 1, 1],
      [1, 2, 2],
    ]
    const swapped = chain.map((rule) => rule.map((a) => (a === 2 ? 2 : 1 - a)))
    expect(keys(compacted(swapped, lexical)).form).not.toBe(keys(compacted(chain, lexical)).form)
    const pair = compacted([[0, 1, 1]], [[1, 0]])
    const two = compacted([[0, 1, 1]], [])
    expect(keys({ ...two, nonterminals: ['S', 'A', 'B'] }).form).not.toBe(keys(pair).form)
  })

  it('tell an untrimmed grammar from its trimmed self', () => {
    const useless = compacted(
      [
        [0, 1, 1],
        [2, 1, 1],
      ],
      [[1, 0]],
    )
    expect(keys(useless).form).not.toBe(keys(trim(useless) as Cnf).form)
  })
})

function compactedOf(grammar: Cnf, binary: Int32Array): Cnf {
  const rules = Array.from({ length: binary.length / 3 }, (_, r) => [...binary.subarray(3 * r, 3 * r + 3)])
  const words = Array.from({ length: grammar.lexical.length / 2 }, (_, r) => [
    ...grammar.lexical.subarray(2 * r, 2 * r + 2),
  ])
  return compacted(rules, words)
}
