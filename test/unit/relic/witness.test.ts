import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { nightly, sample } from '../../nightly.ts'
import { type Rule, rulesOf } from './by-name.ts'
import { manyItems, type RelicItem } from './items.ts'

const items = manyItems()
/** Half of them in a short run, four and four, for what asks thousands of questions of each. */
const asked = items.filter((_, at) => nightly || at % 8 < 4)
const holds = (item: RelicItem, proof: unknown, answer = item.answer): boolean =>
  recognize.check({ shared: item.shared, given: item.given, answer }, proof as Json)

/** What rule numbers say when applied one by one to the leftmost nonterminal: the text they rewrite S into. */
function rewritten(rules: readonly Rule[], numbers: readonly number[]): string | null {
  const todo = ['S']
  const tokens: string[] = []
  for (const number of numbers) {
    const rule = rules[number]
    if (rule === undefined || todo.pop() !== rule.left) return null
    if (rule.lexical) tokens.push(rule.right[0] as string)
    else todo.push(...rule.right.toReversed())
  }
  return todo.length === 0 ? tokens.join(' ') : null
}

describe('the derivation of a positive', () => {
  it('rewrites S into the string, and with one rule changed, lost, doubled or swapped it is rejected or does so still', () => {
    let [corrupted, rejected] = [0, 0]
    for (const item of asked.filter(({ answer }) => answer)) {
      const rules = rulesOf(item.shared.grammar)
      const witness = recognize.witness(item) as { readonly rules: number[] }
      expect(rewritten(rules, witness.rules), item.id).toBe(item.given.string)
      const { rules: numbers } = witness
      const total = rules.length
      for (const [at, rule] of numbers.entries()) {
        const others =
          numbers.length <= 15 ? rules.map((_, r) => r) : [0, 1, 7, 31].map((step) => (rule + step + at) % total)
        const bads = [
          numbers.toSpliced(at, 1),
          numbers.toSpliced(at, 0, rule),
          ...(at > 0 ? [numbers.with(at, numbers[at - 1] as number).with(at - 1, rule)] : []),
          ...others.map((other) => numbers.with(at, other)),
        ]
        for (const bad of bads) {
          if (bad.join() === numbers.join()) continue
          const accepted = holds(item, { ...witness, rules: bad })
          corrupted++
          if (!accepted) rejected++
          expect(accepted, `${item.id} ${at}`).toBe(rewritten(rules, bad) === item.given.string)
        }
      }
    }
    expect(corrupted).toBeGreaterThan(sample({ nightly: 10_000, otherwise: 5000 }))
    expect(rejected).toBeGreaterThan(0.95 * corrupted)
  })
})

/** Every span's set is closed under the rules, and S is not over the whole: by names, from the definition. */
function isClosed(
  rules: readonly Rule[],
  names: readonly string[],
  tokens: readonly string[],
  spans: readonly number[][],
): boolean {
  const n = tokens.length
  const cells = new Map(spans.map(([from, to, ...symbols]) => [`${from} ${to}`, new Set(symbols.map((s) => names[s]))]))
  const above = Map.groupBy(rules, ({ right }) => right.join(' '))
  const has = (from: number, to: number, name: string) => cells.get(`${from} ${to}`)?.has(name) === true
  for (let i = 0; i < n; i++)
    for (const rule of above.get(tokens[i] as string) ?? []) if (rule.lexical && !has(i, i + 1, rule.left)) return false
  for (let from = 0; from < n; from++)
    for (let split = from + 1; split < n; split++)
      for (let to = split + 1; to <= n; to++)
        for (const b of cells.get(`${from} ${split}`) ?? [])
          for (const c of cells.get(`${split} ${to}`) ?? [])
            for (const rule of above.get(`${b} ${c}`) ?? [])
              if (!rule.lexical && !has(from, to, rule.left)) return false
  return !has(0, n, 'S')
}

/** Nonterminals in the order their numbers follow: S, then by first mention. */
const namesOf = (rules: readonly Rule[]): string[] => [
  ...new Set(['S', ...rules.flatMap(({ left, right, lexical }) => (lexical ? [left] : [left, ...right]))]),
]

describe('the closed chart of a negative', () => {
  it('is closed by the definition, and with one symbol lost, added or changed it is rejected or closed still', () => {
    let [charts, corrupted, rejected] = [0, 0, 0]
    for (const item of asked.filter(({ answer }) => !answer)) {
      const witness = recognize.witness(item) as { readonly kind: string; readonly spans: number[][] }
      if (witness.kind !== 'closed-chart') continue
      charts++
      const rules = rulesOf(item.shared.grammar)
      const names = namesOf(rules)
      const tokens = item.given.string.split(' ')
      expect(isClosed(rules, names, tokens, witness.spans), item.id).toBe(true)
      const try_ = (spans: number[][]) => {
        corrupted++
        if (!holds(item, { ...witness, spans })) rejected++
        else expect(isClosed(rules, names, tokens, spans), item.id).toBe(true)
      }
      const stride = Math.max(1, Math.floor(witness.spans.length / 12))
      for (let at = charts % stride; at < witness.spans.length; at += stride) {
        const [from, to, ...symbols] = witness.spans[at] as [number, number, ...number[]]
        const place = at % symbols.length
        try_(witness.spans.with(at, [from, to, ...symbols.toSpliced(place, 1)]))
        try_(witness.spans.with(at, [from, to, ...symbols.with(place, (at * 7) % names.length)]))
        try_(witness.spans.with(at, [from, to, ...symbols, (at * 5 + 1) % names.length]))
        try_(witness.spans.toSpliced(at, 1))
      }
      // S over the whole string is what the chart must not hold.
      const whole = witness.spans.findIndex(([from, to]) => from === 0 && to === tokens.length)
      const claimed =
        whole < 0
          ? [...witness.spans, [0, tokens.length, 0]]
          : witness.spans.with(whole, [...(witness.spans[whole] as number[]), 0])
      expect(holds(item, { ...witness, spans: claimed })).toBe(false)
    }
    expect(charts).toBeGreaterThan(sample({ nightly: 40, otherwise: 20 }))
    expect(corrupted).toBeGreaterThan(sample({ nightly: 1000, otherwise: 500 }))
    expect(rejected).toBeGreaterThan(corrupted / 2)
  })
})

/** Pairs of neighbours, first and last tokens of the language, by names; rules are all useful after trimming. */
function neighbours(rules: readonly Rule[]) {
  const edge = (end: 0 | 1) => {
    const sets = new Map(rules.map(({ left }) => [left, new Set<string>()]))
    for (let before = -1, now = 0; before !== now; ) {
      before = now
      for (const { left, right, lexical } of rules)
        for (const token of lexical ? right : (sets.get(right[end] as string) ?? [])) sets.get(left)?.add(token)
      now = [...sets.values()].reduce((sum, set) => sum + set.size, 0)
    }
    return sets
  }
  const [first, last] = [edge(0), edge(1)]
  const pairs = new Set<string>()
  for (const { right, lexical } of rules)
    if (!lexical)
      for (const a of last.get(right[0] as string) ?? [])
        for (const b of first.get(right[1] as string) ?? []) pairs.add(`${a} ${b}`)
  return { first: first.get('S') as Set<string>, last: last.get('S') as Set<string>, pairs }
}

describe('the illegal place of a negative', () => {
  it('is one, no other place is taken for one unless it is, and the feature says so', () => {
    let places = 0
    for (const [i, item] of items.entries()) {
      const { first, last, pairs } = neighbours(rulesOf(item.shared.grammar))
      const tokens = item.given.string.split(' ')
      const illegal = (at: number): boolean =>
        (at === 0 && !first.has(tokens[0] as string)) ||
        (at > 0 && !pairs.has(`${tokens[at - 1]} ${tokens[at]}`)) ||
        (at === tokens.length - 1 && !last.has(tokens[at] as string))
      const legal = !tokens.some((_, at) => illegal(at))
      expect(item.features['bigramLegal'], item.id).toBe(legal)
      if (item.answer) expect(legal, item.id).toBe(true)
      else if (!legal) expect(recognize.witness(item)).toMatchObject({ kind: 'illegal-place' })
      // The checker works its tables out anew each time: every place, but not of every item.
      for (let at = -1; at <= tokens.length && i % 6 === 0; at++) {
        const accepted = holds(item, { kind: 'illegal-place', at }, false)
        if (at < 0 || at >= tokens.length) expect(accepted).toBe(false)
        else if (accepted) expect(illegal(at), `${item.id} ${at}`).toBe(true)
      }
      if (!legal && !item.answer) {
        places++
        expect(holds(item, recognize.witness(item))).toBe(true)
      }
    }
    expect(places).toBeGreaterThan(5)
  })
})

describe('any witness', () => {
  it('proves only its own answer', () => {
    for (const item of items) expect(holds(item, recognize.witness(item), !item.answer), item.id).toBe(false)
  })

  it('is rejected where it is no witness at all', () => {
    const junk: readonly unknown[] = [
      null,
      true,
      'derivation',
      [],
      {},
      { kind: 'derivation' },
      { kind: 'derivation', rules: 'all' },
      { kind: 'derivation', rules: [null] },
      { kind: 'derivation', rules: [0.5, -1, 1e9] },
      { kind: 'illegal-place' },
      { kind: 'illegal-place', at: 0.5 },
      { kind: 'closed-chart' },
      { kind: 'closed-chart', spans: [] },
      { kind: 'closed-chart', spans: [[]] },
      { kind: 'closed-chart', spans: [[0, 1e9, 0]] },
      { kind: 'closed-chart', spans: [['0', '1', '2']] },
    ]
    for (const item of items.slice(0, 40))
      for (const proof of junk)
        for (const answer of [true, false]) expect(holds(item, proof, answer), JSON.stringify(proof)).toBe(false)
  })
})
