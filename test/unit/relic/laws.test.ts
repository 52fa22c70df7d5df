import { describe, expect, it } from 'vitest'
import { shuffle, streamFromKey } from '../../../src/core/index.ts'
import { compileRecognizer, parseAnalyzer, parseRelicGrammar } from '../../../src/libraries/grammars/index.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { nightly } from '../../nightly.ts'
import { parseCount, type Rule, rulesOf, textOf } from './by-name.ts'
import { manyItems, type RelicItem, type RelicQuestion } from './items.ts'

const items = manyItems()
/** A quarter of them in a short run, two and two, as both labels take turns. */
const asked = items.filter((_, at) => nightly || at % 8 < 2)
const streams = new Map(items.map((item) => [item, streamFromKey(Uint8Array.from(Buffer.from(item.hash, 'hex')))]))
const shuffled = <T>(item: RelicItem, list: readonly T[]): T[] =>
  shuffle(streams.get(item) as ReturnType<typeof streamFromKey>, list)

/** One item's rules and tokens by name, and the question again after a change to them. */
const opened = ({ shared, given }: RelicQuestion) => ({
  rules: rulesOf(shared.grammar),
  tokens: given.string.split(' '),
})
const question = (rules: readonly Rule[], tokens: readonly string[]): RelicQuestion => ({
  shared: { grammar: textOf(rules) },
  given: { string: tokens.join(' ') },
})

/** The label by the oracle, the recogniser and the chart; they must agree. */
function labelOf(asked: RelicQuestion): boolean {
  const { grammar } = asked.shared
  const cnf = parseRelicGrammar(grammar)
  const numbers = asked.given.string.split(' ').map((token) => cnf.terminals.indexOf(token))
  const answers = [
    recognize.oracle(asked, true),
    !recognize.oracle(asked, false),
    compileRecognizer(cnf).accepts(numbers),
    parseAnalyzer(cnf).derivation(numbers) !== null,
  ]
  expect(new Set(answers).size, asked.given.string).toBe(1)
  return answers[0] as boolean
}

function parsesOf({ shared, given }: RelicQuestion): bigint {
  const cnf = parseRelicGrammar(shared.grammar)
  return parseAnalyzer(cnf).countExactly(given.string.split(' ').map((token) => cnf.terminals.indexOf(token)))
}

const keyOf = (asked: RelicQuestion): string => recognize.canonical?.(asked) ?? ''
const fenceKeyOf = (asked: RelicQuestion): string => recognize.partition?.key(asked) ?? ''

/** New names for the symbols that `choose` takes from a rule, in random order over the old names. */
function renaming(item: RelicItem, rules: readonly Rule[], choose: (rule: Rule) => readonly string[]) {
  const names = [...new Set(rules.flatMap(choose))]
  const other = shuffled(item, names)
  const map = new Map(names.map((name, i) => [name, other[i] as string]))
  return (name: string) => map.get(name) ?? name
}

const forAll = (law: (item: RelicItem, rules: readonly Rule[], tokens: readonly string[]) => void): void => {
  for (const item of asked) {
    const { rules, tokens } = opened(item)
    law(item, rules, tokens)
  }
}

const lineOf = (rule: Rule): string => textOf([rule])

describe('the items', () => {
  it('are several hundred, of both labels, of many lengths and grammars', () => {
    expect(items.length).toBeGreaterThan(240)
    const positives = items.filter((item) => item.answer)
    expect(positives.length / items.length).toBeGreaterThan(0.4)
    expect(positives.length / items.length).toBeLessThan(0.6)
    expect(new Set(items.map((item) => item.groupHash)).size).toBeGreaterThan(15)
    expect(new Set(items.map((item) => item.features['length'])).size).toBeGreaterThan(12)
  })

  it('are labelled as parse trees counted by name say, and the feature is their logarithm', () => {
    forAll((item, rules, tokens) => {
      const count = parseCount(rules, tokens)
      expect(count > 0n, item.id).toBe(item.answer)
      expect(parsesOf(item), item.id).toBe(count)
      if (item.answer) expect(item.features['parses']).toBeCloseTo(Math.log10(Number(count)), 4)
      else expect(item.features['parses']).toBeNull()
    })
  })
})

describe('changes of names and order', () => {
  it('permuted terminals, renamed nonterminals and shuffled rules leave label, parse count and canonical keys', () => {
    forAll((item, rules, tokens) => {
      const terminal = renaming(item, rules, ({ lexical, right }) => (lexical ? right : []))
      const nonterminal = renaming(item, rules, ({ left, right, lexical }) =>
        [left, ...(lexical ? [] : right)].filter((name) => name !== 'S'),
      )
      const renamed = rules.map(({ left, right, lexical }) => ({
        left: nonterminal(left),
        right: right.map(lexical ? terminal : nonterminal),
        lexical,
      }))
      const changed = question(shuffled(item, renamed), tokens.map(terminal))
      expect(labelOf(changed), item.id).toBe(item.answer)
      expect(parsesOf(changed), item.id).toBe(parsesOf(item))
      expect(fenceKeyOf(changed), item.id).toBe(fenceKeyOf(item))
      expect(keyOf(changed), item.id).toBe(keyOf(item))
    })
  })

  it('names that no grammar had before leave them too', () => {
    forAll((item, rules, tokens) => {
      const renamed = rules.map(({ left, right, lexical }) => ({
        left: left === 'S' ? 'S' : `Q_${left}`,
        right: right.map((name) => (lexical ? `word:${name}` : `Q_${name}`)),
        lexical,
      }))
      const changed = question(
        renamed,
        tokens.map((token) => `word:${token}`),
      )
      expect(labelOf(changed), item.id).toBe(item.answer)
      expect(keyOf(changed), item.id).toBe(keyOf(item))
    })
  })

  it('two children swapped in one rule give another fence key', () => {
    let [swaps, other] = [0, 0]
    forAll((item, rules, tokens) => {
      const binary = rules.findIndex((rule) => !rule.lexical && rule.left !== 'S')
      const rule = rules[binary]
      if (rule === undefined || rule.right[0] === rule.right[1]) return
      const swapped = { ...rule, right: rule.right.toReversed() }
      if (rules.some((other) => lineOf(other) === lineOf(swapped))) return
      swaps++
      if (fenceKeyOf(question(rules.with(binary, swapped), tokens)) !== fenceKeyOf(item)) other++
    })
    expect(swaps).toBeGreaterThan(asked.length / 2)
    // A grammar may be its own mirror image in that rule.
    expect(other).toBeGreaterThan(0.95 * swaps)
  })

  it('other strings of one grammar have other keys, unless a renaming joins them', () => {
    for (const same of Map.groupBy(items, keyOf).values())
      for (const [i, item] of same.entries())
        for (const twin of same.slice(i + 1)) {
          if (item.groupHash !== twin.groupHash) continue
          // Then a renaming of tokens within the grammar leads from one string to the other.
          const pairs = item.given.string
            .split(' ')
            .map((token, at) => [token, twin.given.string.split(' ')[at] as string])
          const map = new Map(pairs as [string, string][])
          expect(pairs.every(([from, to]) => map.get(from as string) === to)).toBe(true)
          expect(item.answer).toBe(twin.answer)
        }
  })
})
