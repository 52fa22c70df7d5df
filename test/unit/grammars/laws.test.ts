import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Cnf, compileRecognizer, grammarStatistics, parseAnalyzer } from '../../../src/libraries/grammars/index.ts'
import { cnfAndString } from './random-cnf.ts'

const pairs = cnfAndString({ nonterminals: 5, terminals: 3, rules: 12 }, { minLength: 1, maxLength: 9 })
const label = (grammar: Cnf, tokens: readonly number[]) => compileRecognizer(grammar).accepts(tokens)
const parses = (grammar: Cnf, tokens: readonly number[]) => parseAnalyzer(grammar).countExactly(tokens)
const noise = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 })

/** A permutation of 0..n-1 that keeps the first `fixed`. */
function permutation(n: number, noise: readonly number[], fixed = 0): number[] {
  const free = Array.from({ length: n - fixed }, (_, i) => i + fixed)
  const order = free.toSorted((a, b) => (noise[a] as number) - (noise[b] as number) || a - b)
  return [...Array.from({ length: fixed }, (_, i) => i), ...order]
}

const chunks = (flat: Int32Array, width: number): number[][] =>
  Array.from({ length: flat.length / width }, (_, i) => [...flat.subarray(i * width, (i + 1) * width)])
const rebuilt = (grammar: Cnf, binary: number[][], lexical: number[][], extra: Partial<Cnf> = {}): Cnf => ({
  ...grammar,
  binary: Int32Array.from(binary.flat()),
  lexical: Int32Array.from(lexical.flat()),
  ...extra,
})

describe('labels and parse counts', () => {
  it('do not change when symbols are renamed and rules shuffled', () => {
    fc.assert(
      fc.property(pairs, noise, ([grammar, tokens], noise) => {
        const symbols = permutation(grammar.nonterminals.length, noise, 1)
        const words = permutation(grammar.terminals.length, noise)
        const binary = chunks(grammar.binary, 3).map((rule) => rule.map((symbol) => symbols[symbol] as number))
        const lexical = chunks(grammar.lexical, 2).map(([a, t]) => [
          symbols[a as number] as number,
          words[t as number] as number,
        ])
        const shuffled = <T>(list: T[]) => permutation(list.length, noise).map((at) => list[at] as T)
        const renamed = rebuilt(grammar, shuffled(binary), shuffled(lexical))
        const string = tokens.map((t) => words[t] as number)
        expect(label(renamed, string)).toBe(label(grammar, tokens))
        expect(parses(renamed, string)).toBe(parses(grammar, tokens))
      }),
      { numRuns: 400 },
    )
  })

  it('do not change when a rule is repeated or useless symbols are added', () => {
    fc.assert(
      fc.property(pairs, fc.nat(100), ([grammar, tokens], pick) => {
        const binary = chunks(grammar.binary, 3)
        const lexical = chunks(grammar.lexical, 2)
        const fresh = grammar.nonterminals.length
        const more = rebuilt(
          grammar,
          [...binary, ...binary.slice(pick % Math.max(1, binary.length)), [fresh, 0, fresh], [0, fresh + 1, 0]],
          [...lexical, ...lexical.slice(pick % lexical.length), [fresh, 0]],
          { nonterminals: [...grammar.nonterminals, 'unreachable', 'unproductive'] },
        )
        expect(label(more, tokens)).toBe(label(grammar, tokens))
        expect(parses(more, tokens)).toBe(parses(grammar, tokens))
        const twice = rebuilt(grammar, [...binary, ...binary], [...lexical, ...lexical])
        expect(grammarStatistics(twice)).toEqual(grammarStatistics(grammar))
      }),
      { numRuns: 400 },
    )
  })

  it('do not change when string and right-hand sides are reversed', () => {
    fc.assert(
      fc.property(pairs, ([grammar, tokens]) => {
        const mirrored = rebuilt(
          grammar,
          chunks(grammar.binary, 3).map(([a, b, c]) => [a, c, b] as number[]),
          chunks(grammar.lexical, 2),
        )
        expect(label(mirrored, tokens.toReversed())).toBe(label(grammar, tokens))
        expect(parses(mirrored, tokens.toReversed())).toBe(parses(grammar, tokens))
      }),
      { numRuns: 400 },
    )
  })

  it('do not change when a token gives way to a twin with the same rules', () => {
    fc.assert(
      fc.property(pairs, noise, ([grammar, tokens], noise) => {
        const twin = grammar.terminals.length
        const lexical = chunks(grammar.lexical, 2)
        const own = lexical.filter(([, t]) => t === tokens[0]).map(([a]) => [a as number, twin])
        const twinned = rebuilt(grammar, chunks(grammar.binary, 3), [...lexical, ...own], {
          terminals: [...grammar.terminals, 'twin'],
        })
        const string = tokens.map((t, at) => (t === tokens[0] && (noise[at] as number) % 2 === 0 ? twin : t))
        expect(label(twinned, string)).toBe(label(grammar, tokens))
        expect(parses(twinned, string)).toBe(parses(grammar, tokens))
      }),
      { numRuns: 400 },
    )
  })

  it('keep positives when rules are added, and negatives when rules are removed or a symbol is split in two', () => {
    fc.assert(
      fc.property(pairs, fc.nat(1000), ([grammar, tokens], pick) => {
        const binary = chunks(grammar.binary, 3)
        const lexical = chunks(grammar.lexical, 2)
        const member = label(grammar, tokens)
        const N = grammar.nonterminals.length
        const added = rebuilt(grammar, [...binary, [pick % N, (pick * 7) % N, (pick * 3) % N]], lexical)
        if (member) expect(label(added, tokens)).toBe(true)
        const removed = rebuilt(grammar, binary.toSpliced(pick % Math.max(1, binary.length), 1), lexical)
        if (!member) expect(label(removed, tokens)).toBe(false)
        if (N < 2) return
        // Symbol s gets a copy with the same rules, used wherever s is.
        const s = 1 + (pick % (N - 1))
        const both = (symbol: number) => (symbol === s ? [s, N] : [symbol])
        const split = rebuilt(
          grammar,
          binary.flatMap(([a, b, c]) =>
            both(a as number).flatMap((x) => both(b as number).flatMap((y) => both(c as number).map((z) => [x, y, z]))),
          ),
          lexical.flatMap(([a, t]) => both(a as number).map((x) => [x, t as number])),
          { nonterminals: [...grammar.nonterminals, 'copy'] },
        )
        expect(label(split, tokens)).toBe(member)
      }),
      { numRuns: 400 },
    )
  })
})
