import { describe, expect, it } from 'vitest'
import { itemSampler } from '../../../src/runner/plan/call-order.ts'
import type { StoredItem } from '../../../src/store/index.ts'

const itemsOf = (count: number, twins: number): StoredItem[] =>
  Array.from(
    { length: count },
    (_, index) => ({ id: `0a1b/${index}`, index, source: 0, stratum: index % twins, group: '0/0' }) as StoredItem,
  )

function chosen(items: readonly StoredItem[], subsample: { fraction: number } | { perStratum: number }, twins: number) {
  const own = itemSampler(subsample, 'seed', false, twins)
  const offered = items.filter((item) => own.offer(item)).map(({ id }) => id)
  return new Set([...offered, ...own.rest()])
}

describe('a part of the items', () => {
  it.each([2, 3, 5])('has sets of %d twins whole, by share and by stratum', (twins) => {
    const items = itemsOf(400 * twins, twins)
    for (const subsample of [{ fraction: 0.3 }, { perStratum: 50 }]) {
      const own = chosen(items, subsample, twins)
      const sets = Map.groupBy(items, ({ index }) => Math.floor(index / twins))
      for (const set of sets.values()) expect([0, twins]).toContain(set.filter(({ id }) => own.has(id)).length)
      expect(own.size / twins).toBeGreaterThan(40)
      expect(own.size / twins).toBeLessThan(170)
    }
  })

  it('without twins takes items one by one', () => {
    const items = itemsOf(400, 2)
    const own = chosen(items, { fraction: 0.5 }, 1)
    const halves = items.filter(({ id, index }) => own.has(id) !== own.has(`0a1b/${index ^ 1}`))
    expect(halves.length).toBeGreaterThan(100)
  })
})
