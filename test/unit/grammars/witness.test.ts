import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { adjacency, bigramVerdict } from '../../../src/libraries/grammars/grammar/adjacency.ts'
import { type Cnf, parseAnalyzer, trim } from '../../../src/libraries/grammars/index.ts'
import {
  type ClosedChart,
  checkClosedChart,
  checkDerivation,
  checkForbiddenToken,
} from '../../../src/libraries/grammars/witness/checks.ts'
import { sample } from '../../nightly.ts'
import { cykAccepts } from './cyk.ts'
import { strings, trees } from './enumerate.ts'
import { cnf, cnfAndString } from './random-cnf.ts'

const pairs = cnfAndString({ nonterminals: 4, terminals: 3, rules: 12 }, { minLength: 1, maxLength: 7 })

const closedChart = (grammar: Cnf, tokens: readonly number[]): number[][] =>
  parseAnalyzer(grammar).chart(tokens).cells()

/** What the rules say, applied one by one to the text of the sentential form: no code in common with the checker. */
function rewrites(grammar: Cnf, rules: readonly number[]): string | null {
  const count = grammar.binary.length / 3
  let form = ['S0']
  for (const rule of rules) {
    const at = form.findIndex((symbol) => symbol.startsWith('S'))
    const right =
      rule < count
        ? [`S${grammar.binary[3 * rule + 1]}`, `S${grammar.binary[3 * rule + 2]}`]
        : [`t${grammar.lexical[2 * (rule - count) + 1]}`]
    const left = rule < count ? grammar.binary[3 * rule] : grammar.lexical[2 * (rule - count)]
    if (at < 0 || form[at] !== `S${left}`) return null
    form = form.toSpliced(at, 1, ...right)
  }
  return form.join(' ')
}

describe('a derivation', () => {
  it('is rejected with any one rule changed, missing or added, unless it still rewrites S to the string', () => {
    let corrupted = 0
    fc.assert(
      fc.property(pairs, ([grammar, tokens]) => {
        const witness = parseAnalyzer(grammar).derivation(tokens)
        if (witness === null) return
        const text = tokens.map((t) => `t${t}`).join(' ')
        const rules = grammar.binary.length / 3 + grammar.lexical.length / 2
        for (let at = 0; at <= witness.length; at++)
          for (let rule = 0; rule < rules; rule++)
            for (const bad of [
              witness.toSpliced(at, 1, rule),
              witness.toSpliced(at, 0, rule),
              witness.toSpliced(at, 1),
            ]) {
              corrupted++
              expect(checkDerivation(grammar, tokens, bad)).toBe(rewrites(grammar, bad) === text)
            }
        for (const bad of [-1, rules, 0.5, Number.NaN]) expect(checkDerivation(grammar, tokens, [bad])).toBe(false)
      }),
      { numRuns: sample({ nightly: 400, otherwise: 150 }) },
    )
    expect(corrupted).toBeGreaterThan(1000)
  })
})

describe('a closed chart', () => {
  const bodies = (chart: ClosedChart) =>
    new Map(chart.map(([from, to, ...symbols]) => [`${from} ${to}`, new Set(symbols)]))
  /** Closure by the definition, over all spans, splits and rules. */
  const closed = (grammar: Cnf, tokens: readonly number[], chart: ClosedChart): boolean => {
    const cells = bodies(chart)
    const has = (from: number, to: number, symbol: number) => cells.get(`${from} ${to}`)?.has(symbol) === true
    for (let i = 0; i < tokens.length; i++)
      for (let at = 0; at < grammar.lexical.length; at += 2)
        if (grammar.lexical[at + 1] === tokens[i] && !has(i, i + 1, grammar.lexical[at] as number)) return false
    for (let from = 0; from < tokens.length; from++)
      for (let to = from + 2; to <= tokens.length; to++)
        for (let split = from + 1; split < to; split++)
          for (let at = 0; at < grammar.binary.length; at += 3) {
            const [a, b, c] = [...grammar.binary.subarray(at, at + 3)] as [number, number, number]
            if (has(from, split, b) && has(split, to, c) && !has(from, to, a)) return false
          }
    return !has(0, tokens.length, 0)
  }

  it('proves every negative and no positive', () => {
    fc.assert(
      fc.property(pairs, ([grammar, tokens]) => {
        expect(checkClosedChart(grammar, tokens, closedChart(grammar, tokens))).toBe(!cykAccepts(grammar, tokens))
      }),
      { numRuns: 500 },
    )
  })

  it('is rejected with any one symbol removed, and with one added or changed unless it is closed still', () => {
    let removed = 0
    let changed = 0
    fc.assert(
      fc.property(pairs, ([grammar, tokens]) => {
        const chart = closedChart(grammar, tokens)
        if (!checkClosedChart(grammar, tokens, chart)) return
        for (const [index, [from, to, ...symbols]] of chart.entries())
          for (let place = 0; place < symbols.length; place++) {
            removed++
            const less = chart.with(index, [from as number, to as number, ...symbols.toSpliced(place, 1)])
            expect(checkClosedChart(grammar, tokens, less)).toBe(false)
            for (let other = 0; other < grammar.nonterminals.length; other++) {
              changed++
              const swapped = chart.with(index, [from as number, to as number, ...symbols.with(place, other)])
              expect(checkClosedChart(grammar, tokens, swapped)).toBe(closed(grammar, tokens, swapped))
              const more = chart.with(index, [from as number, to as number, ...symbols, other])
              expect(checkClosedChart(grammar, tokens, more)).toBe(closed(grammar, tokens, more))
            }
          }
        for (let at = 0; at < tokens.length; at++)
          for (let token = 0; token < grammar.terminals.length; token++) {
            const other = tokens.with(at, token)
            expect(checkClosedChart(grammar, other, chart)).toBe(closed(grammar, other, chart))
          }
      }),
      { numRuns: sample({ nightly: 400, otherwise: 150 }) },
    )
    expect(removed).toBeGreaterThan(300)
    expect(changed).toBeGreaterThan(1000)
  })

  it('is rejected when it is not a chart of the string', () => {
    const grammar = cnf(2, 1, [[0, 1, 1]], [[1, 0]])
    expect(checkClosedChart(grammar, [0], [[0, 1, 1]])).toBe(true)
    for (const bad of [
      [
        [0, 1, 1],
        [0, 1, 1],
      ],
      [[0, 2, 1]],
      [[1, 1, 1]],
      [[-1, 1, 1]],
      [[0, 1, 2]],
      [[0, 1, 0.5]],
      [[0]],
      [],
    ])
      expect(checkClosedChart(grammar, [0], bad)).toBe(false)
    expect(checkClosedChart(grammar, [], [])).toBe(false)
  })
})

describe('an illegal place', () => {
  it('is one that no string of the language has: checked against the tables of the bigram test', () => {
    fc.assert(
      fc.property(pairs, ([grammar, tokens]) => {
        // The checker looks at the rules as they stand, so the grammar is trimmed first, as task grammars are.
        const trimmed = trim(grammar)
        if (trimmed === null || trimmed.terminals.length < grammar.terminals.length) return
        const tables = adjacency(trimmed)
        const renumbered = tokens.map((t) => trimmed.terminals.indexOf(grammar.terminals[t] as string))
        const T = trimmed.terminals.length
        for (let at = 0; at < tokens.length; at++) {
          const token = renumbered[at] as number
          const illegal =
            (at === 0 && tables.begins[token] === 0) ||
            (at > 0 && tables.pairs[(renumbered[at - 1] as number) * T + token] === 0) ||
            (at === tokens.length - 1 && tables.ends[token] === 0)
          expect(checkForbiddenToken(trimmed, renumbered, at)).toBe(illegal)
        }
        const verdict = bigramVerdict(tables, renumbered)
        if ('at' in verdict) expect(checkForbiddenToken(trimmed, renumbered, verdict.at)).toBe(true)
        for (const at of [-1, tokens.length, 0.5]) expect(checkForbiddenToken(trimmed, renumbered, at)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  it('holds of no string of the language', () => {
    const grammar = cnf(
      3,
      2,
      [
        [0, 1, 2],
        [2, 1, 1],
        [2, 2, 1],
      ],
      [
        [1, 0],
        [2, 1],
      ],
    )
    for (let length = 1; length <= 6; length++)
      for (const tokens of strings(2, length))
        if (trees(grammar, 0, tokens).length > 0)
          for (let at = 0; at < length; at++) expect(checkForbiddenToken(grammar, tokens, at)).toBe(false)
  })
})
