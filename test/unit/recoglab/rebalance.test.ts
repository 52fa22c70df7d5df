import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Json, sha256, shuffle, streamFromKey, utf8 } from '../../../src/core/index.ts'
import { randomTree } from '../../../src/libraries/graphs/generate.ts'
import { distancesFrom, type Edge, neighbours } from '../../../src/libraries/graphs/graph.ts'
import { publishedRebalance } from '../../../src/tasks/recoglab/common/rebalance.ts'
import { comparison } from '../../../src/tasks/recoglab/comparison/task.ts'
import { social } from '../../../src/tasks/recoglab/social/task.ts'
import { itemsOf, questionOf, sourceOf } from './items.ts'

const count = <T>(list: readonly T[], value: T): number => list.filter((other) => other === value).length

/** The rule, recounted from the start for every example. */
function byDefinition(values: readonly string[]): boolean[] {
  const kept: string[] = []
  return values.map((value, i) => {
    const seen = values.slice(0, i + 1)
    const common = [...new Set(kept)].filter((other) => count(seen, other) >= 0.01 * seen.length)
    const keep =
      i < Math.floor(0.1 * values.length) ||
      count(kept, value) < 20 ||
      count(kept, value) < 2 * Math.min(...common.map((other) => count(kept, other)))
    if (keep) kept.push(value)
    return keep
  })
}

/** A pair in a tree drawn as the original does: edges point from the lower to the higher random label. */
function originalPair(seed: number, n: number): { distance: number; answer: string } {
  const stream = streamFromKey(sha256(utf8(`${seed}`)))
  const tree = randomTree(stream, n)
  const label = shuffle(
    stream,
    Array.from({ length: n }, (_, i) => i),
  )
  const edges = tree.edges.map(([u, v]): Edge => ((label[u] as number) < (label[v] as number) ? [u, v] : [v, u]))
  const [a, b] = shuffle(
    stream,
    Array.from({ length: n }, (_, i) => i),
  ) as [number, number]
  const directed = neighbours({ n, edges }, true)
  const up = distancesFrom(directed, a)[b] !== -1
  const down = distancesFrom(directed, b)[a] !== -1
  return {
    distance: distancesFrom(neighbours(tree), a)[b] as number,
    answer: up ? 'Yes' : down ? 'No' : 'Unknown',
  }
}

describe('the published rule', () => {
  it('keeps what its definition keeps', () => {
    fc.assert(
      fc.property(
        // Shares of the values, down to one in a hundred, and a draw for each example.
        fc.array(fc.nat(99), { maxLength: 5 }),
        fc.array(fc.nat(99), { maxLength: 700, size: 'max' }),
        (borders, draws) => {
          const values = draws.map((draw) => `v${borders.filter((border) => border < draw).length}`)
          expect(publishedRebalance(values)).toEqual(byDefinition(values))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('keeps everything where no value is stored', () => {
    expect(publishedRebalance(Array.from({ length: 500 }, () => ''))).not.toContain(false)
  })

  // Measured on the original: 8 people 703 of 1000 (341, 191, 171), 20 people 272 (130, 77, 65).
  it.each([
    ['8 people, by answer', 8, 1000, 'answer', 703, 45],
    ['20 people, by answer', 20, 1000, 'answer', 272, 40],
    ['50 people, by distance', 50, 1000, 'distance', 461, 90],
    ['20 people, 250 asked, by distance', 20, 250, 'distance', 191, 25],
  ] as const)('thins as the original does: %s', (_, n, asked, field, measured, tolerance) => {
    const sizes = Array.from({ length: 8 }, (__, run) => {
      const values = Array.from({ length: asked }, (___, i) => String(originalPair(run * asked + i, n)[field]))
      return count(publishedRebalance(values), true)
    })
    const mean = sizes.reduce((a, b) => a + b, 0) / sizes.length
    expect(Math.abs(mean - measured)).toBeLessThan(tolerance)
  })
})

describe('rebalance: published', () => {
  const tree = { ask: 'feasibility', network: 'tree', entities: 8, minDistance: 2, endpoints: 'any' }
  const cases: [string, typeof comparison, { [knob: string]: Json }][] = [
    ['feasibility by answer', comparison, tree],
    ['feasibility by distance', comparison, { ...tree, rebalanceField: 'distance' }],
    ['chain by distance', comparison, { rebalanceField: 'distance' }],
    [
      'chain of congruent things by answer',
      comparison,
      { entityKind: 'objects', relation: 'size', congruency: 'congruent' },
    ],
    ['tree by distance', comparison, { network: 'tree', rebalanceField: 'distance' }],
    ['consistency by answer', comparison, { ask: 'consistency', network: 'tree', entities: 8 }],
    ['hops', social, { people: 20 }],
    ['exact path', social, { people: 20, ask: 'path' }],
    ['next hop, one way', social, { people: 20, ask: 'next-hop', relation: 'teacher', passing: 'one-way' }],
    ['hops on a grid', social, { network: 'grid', people: 20, columns: 5 }],
  ]

  it.each(cases)('%s: a finite set with the strata of the plan, all answers right', (_, task, knobs) => {
    const source = sourceOf(task, { ...knobs, rebalance: 'published', rebalanceFrom: 300 })
    const size = source.layout.size as number
    expect(size).toBeGreaterThan(30)
    expect(size).toBeLessThanOrEqual(300)
    expect(() => source.item(size)).toThrow(/indices/)
    const { kept } = source.plan as unknown as { kept: (number | [number, string, string])[] }
    expect(kept).toHaveLength(size)
    const items = itemsOf(source, size)
    expect(items.length).toBeGreaterThan(0.95 * size)
    for (const item of items) {
      const entry = kept[item.index] as (typeof kept)[number]
      const [distance, , answer] = typeof entry === 'number' ? [entry, '', null] : entry
      expect(item.features['distance']).toBe(distance)
      if (answer !== null) expect(item.answer).toBe(answer)
      expect(task.oracle(questionOf(item), item.answer)).toBe(true)
    }
    expect(new Set(items.map(({ hash }) => hash)).size).toBe(items.length)
  })

  it('begins with the natural mixture, far from even, and ends closer to even', () => {
    const source = sourceOf(comparison, {
      rebalance: 'published',
      rebalanceField: 'distance',
      rebalanceFrom: 20_000,
      endpoints: 'any',
      maxDistance: 15,
    })
    const distances = (source.plan as unknown as { kept: [number, string, string][] }).kept.map(([d]) => d)
    const warmUp = distances.slice(0, 2000)
    // A pair of 20 at distance d has probability (20 - d) / 190; distances above 15 are not asked about.
    const all = Array.from({ length: 15 }, (_, i) => i + 1)
    const total = all.reduce((sum, d) => sum + 20 - d, 0)
    const chi = all.reduce((sum, d) => {
      const expected = (2000 * (20 - d)) / total
      return sum + (count(warmUp, d) - expected) ** 2 / expected
    }, 0)
    expect(chi).toBeLessThan(40)
    const spread = (list: readonly number[]) =>
      Math.max(...all.map((d) => count(list, d))) / Math.min(...all.map((d) => count(list, d)))
    expect(spread(warmUp)).toBeGreaterThan(3)
    expect(spread(distances)).toBeLessThan(2.5)
  })

  it('is refused where the original stores nothing to even out', () => {
    const published = { rebalance: 'published' }
    expect(() => social.configure({ ...published, ask: 'oldest', relation: 'parent' })).toThrow(/no distance/)
    expect(() => comparison.configure({ ...published, pairing: 'flip' })).toThrow(/single/)
    expect(() =>
      comparison.configure({ ...published, ask: 'consistency', network: 'tree', rebalanceField: 'distance' }),
    ).toThrow(/no distance for consistency/)
    const rare = { ...published, people: 20, minDistance: 19, maxDistance: 19, ask: 'path' }
    expect(() => social.source(social.configure(rare), { split: 'test', seed: 1 })).toThrow(/Widen/)
  })
})
