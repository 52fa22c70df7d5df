import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/core/index.ts'
import { recognize } from '../../../src/tasks/relic/recognize/task.ts'
import { type Rule, rulesOf } from './by-name.ts'
import { manyItems, type RelicItem } from './items.ts'

const items = manyItems()
const holds = (item: RelicItem, proof: unknown, answer = item.answer): boolean =>
  recognize.check({ shared: item.shared, given: item.given, answer }, proof as Json)

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
