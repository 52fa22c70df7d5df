import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AnswerBlock,
  type BlockDesign,
  balancedBlocks,
  bindStreams,
  interleave,
  KeySpace,
  layoutStreams,
  rootKey,
  type StratumLevels,
} from '../../../src/core/index.ts'

const draws = (seed: string) => layoutStreams(new KeySpace(rootKey('a/b', 1, 'test', seed)))
const stream = (seed: string) => bindStreams(new KeySpace(rootKey('a/b', 1, 'test', seed)), 'draw/', [0]).stream('x')

/** Random factor shapes with holes, capacities 0..9 or none, weights 1..5. */
const designs = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
    labels: fc.integer({ min: 1, max: 3 }),
    seed: fc.integer({ min: 0, max: 1000 }),
    endless: fc.boolean(),
  })
  .chain(({ sizes, labels, seed, endless }) => {
    const cells = sizes.reduce<StratumLevels[]>(
      (all, size, f) => all.flatMap((levels) => Array.from({ length: size }, (_, l) => ({ ...levels, [`f${f}`]: l }))),
      [{}],
    )
    const unit = fc.record({
      capacity: endless
        ? fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(Number.POSITIVE_INFINITY))
        : fc.integer({ min: 0, max: 9 }),
      weight: fc.integer({ min: 1, max: 5 }),
    })
    return fc
      .array(unit, { minLength: cells.length, maxLength: cells.length })
      .map((units): { design: BlockDesign; seed: string } => ({
        seed: String(seed),
        design: {
          factors: sizes.map((_, f) => `f${f}`),
          units: cells.map(
            (levels, i): AnswerBlock => ({ levels, ...(units[i] as { capacity: number; weight: number }) }),
          ),
          ...(labels > 1 ? { label: { name: 'label', levels: Array.from({ length: labels }, (_, l) => l) } } : {}),
        },
      }))
  })

describe('rounds', () => {
  it('serve each (unit, label, ordinal) once, in order inside a unit, until all capacity is used, then say so', () => {
    fc.assert(
      fc.property(designs, ({ design, seed }) => {
        const layout = balancedBlocks(design, draws(seed))
        const labels = design.label?.levels.length ?? 1
        const limit = layout.size ?? 300
        const seen = new Map<number, number[]>()
        for (let index = 0; index < limit; index++) {
          const place = layout.at(index)
          if ('kind' in place) throw new Error(`index ${index} of ${limit} is ${place.reason}`)
          expect(Math.floor(place.stratum / labels)).toBe(place.unit)
          seen.set(place.stratum, [...(seen.get(place.stratum) ?? []), place.ordinal])
        }
        for (const ordinals of seen.values())
          expect([...ordinals].sort((a, b) => a - b)).toEqual([...new Set(ordinals)].sort((a, b) => a - b))
        if (layout.size !== null) {
          for (const [u, unit] of design.units.entries())
            for (let l = 0; l < labels; l++)
              expect((seen.get(u * labels + l) ?? []).sort((a, b) => a - b)).toEqual(
                Array.from({ length: unit.capacity as number }, (_, i) => i),
              )
          expect(layout.at(layout.size)).toMatchObject({ kind: 'unreachable', proved: true })
        }
      }),
      { numRuns: 150 },
    )
  })

  it('fill like water: after R whole rounds and a part of the next, a unit holds min(capacity, R w) up to (R+1) w', () => {
    fc.assert(
      fc.property(designs, fc.integer({ min: 1, max: 200 }), ({ design, seed }, n) => {
        const layout = balancedBlocks({ ...design, label: { name: 'label', levels: [0] } }, draws(seed))
        const total = Math.min(n, layout.size ?? n)
        const counts = new Array<number>(design.units.length).fill(0)
        for (let index = 0; index < total; index++) {
          const place = layout.at(index)
          if (!('kind' in place)) counts[place.unit] = (counts[place.unit] as number) + 1
        }
        // How many rounds are whole: the least, over units that are not exhausted, of count / weight rounded down.
        const open = design.units
          .map((unit, u) => ({ unit, count: counts[u] as number }))
          .filter(({ unit, count }) => count < (unit.capacity ?? Infinity))
        const whole =
          open.length === 0 ? null : Math.min(...open.map(({ unit, count }) => Math.floor(count / (unit.weight ?? 1))))
        if (whole === null) return
        for (const [u, unit] of design.units.entries()) {
          const capacity = unit.capacity ?? Number.POSITIVE_INFINITY
          const weight = unit.weight ?? 1
          expect(counts[u]).toBeGreaterThanOrEqual(Math.min(capacity, whole * weight))
          expect(counts[u]).toBeLessThanOrEqual(Math.min(capacity, (whole + 1) * weight))
        }
      }),
      { numRuns: 150 },
    )
  })

  it('do not depend on the order in which indices are asked', () => {
    fc.assert(
      fc.property(designs, ({ design, seed }) => {
        const size = Math.min(balancedBlocks(design, draws(seed)).size ?? 200, 200)
        const forward = balancedBlocks(design, draws(seed))
        const backward = balancedBlocks(design, draws(seed))
        const there = Array.from({ length: size }, (_, i) => forward.at(i))
        const back = Array.from({ length: size }, (_, i) => backward.at(size - 1 - i)).reverse()
        expect(back).toEqual(there)
      }),
      { numRuns: 60 },
    )
  })

  it('keep labels of a unit equal at every whole visit', () => {
    const design: BlockDesign = {
      factors: ['length'],
      units: [2, 3, 4].map((length) => ({ levels: { length }, capacity: 5 })),
      label: { name: 'label', levels: [true, false] },
      groups: { layout: 'group-major', count: 3 },
    }
    const layout = balancedBlocks(design, draws('1'))
    expect(layout.size).toBe(90)
    const counts = new Map<string, number>()
    for (let index = 0; index < 90; index++) {
      const place = layout.at(index)
      if ('kind' in place) throw new Error('unreachable')
      expect(place.group).toBe(Math.floor(index / 30))
      const key = `${place.group} ${place.stratum}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect([...counts.values()]).toEqual(Array.from({ length: 18 }, () => 5))
  })

  it('serve the groups in turns where these are interleaved, each as often', () => {
    const design: BlockDesign = {
      factors: ['length'],
      units: [{ levels: { length: 2 } }, { levels: { length: 5 } }],
      label: { name: 'label', levels: [true, false] },
      groups: { layout: 'interleaved', count: 3 },
      size: 120,
    }
    const layout = balancedBlocks(design, draws('1'))
    expect([layout.layout, layout.size, layout.label, layout.contrastSize]).toEqual([
      'interleaved',
      120,
      'label',
      undefined,
    ])
    expect(layout.strata).toHaveLength(12)
    for (const [first, count] of [
      [0, 12],
      [12, 12],
      [0, 120],
    ] as const) {
      const served = new Map<string, number>()
      for (let index = first; index < first + count; index++) {
        const place = layout.at(index)
        if ('kind' in place) throw new Error('unreachable')
        expect(layout.strata[place.stratum]).toMatchObject({ group: place.group })
        const key = JSON.stringify(layout.strata[place.stratum])
        served.set(key, (served.get(key) ?? 0) + 1)
      }
      expect([...served.values()]).toEqual(Array.from({ length: 12 }, () => count / 12))
    }
  })

  it('of nothing hold nothing', () => {
    const layout = balancedBlocks({ factors: [], units: [{ levels: {}, capacity: 0 }] }, draws('1'))
    expect([layout.size, layout.at(0)]).toEqual([
      0,
      { kind: 'unreachable', proved: true, reason: 'exhausted: the cells hold 0 items in all' },
    ])
  })

  it('need an end where groups come one after another', () => {
    const design: BlockDesign = { factors: [], units: [{ levels: {} }], groups: { layout: 'group-major', count: 2 } }
    expect(() => balancedBlocks(design, draws('1'))).toThrow('a group-major layout needs units of finite capacity')
    const twins = { ...design, units: [{ levels: {}, capacity: 2 }], label: { name: 'l', levels: [0, 1] }, twins: true }
    const layout = balancedBlocks(twins, draws('1'))
    expect([layout.contrastSize, layout.perGroup, layout.size]).toEqual([2, 4, 8])
    expect(layout.at(8)).toEqual({
      kind: 'unreachable',
      proved: true,
      reason: 'exhausted: the cells hold 8 items in all',
    })
  })

  it('cut rounds of more than 65,536 units in pages, and still serve each once', () => {
    const units = Array.from({ length: 70_000 }, (_, i) => ({ levels: { a: i % 7, b: i }, capacity: 1 }))
    const layout = balancedBlocks({ factors: ['a'], units }, draws('1'))
    const seen = new Set<number>()
    for (let index = 0; index < 70_000; index++) {
      const place = layout.at(index)
      if (!('kind' in place)) seen.add(place.unit)
    }
    expect(seen.size).toBe(70_000)
  })
})

describe('interleave', () => {
  it('keeps every prefix near the proportional share of each path of levels', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 6 }), fc.integer({ min: 1, max: 5 })),
        fc.integer({ min: 0, max: 10_000 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        ([a, b, c], seed, missing) => {
          const all: StratumLevels[] = []
          for (let i = 0; i < a; i++)
            for (let j = 0; j < b; j++) for (let k = 0; k < c; k++) all.push({ f1: i, f2: j, f3: k })
          const cells = all.filter((_, i) => ((i * 2654435761) >>> 0) / 4294967296 >= missing)
          const order = interleave(cells, ['f1', 'f2', 'f3'], stream(String(seed)))
          expect([...order].sort((x, y) => x - y)).toEqual(cells.map((_, i) => i))
          for (const path of [['f1'], ['f1', 'f2']]) {
            const keyOf = (i: number) => path.map((f) => cells[i]?.[f]).join()
            const totals = new Map<string, number>()
            for (const i of order) totals.set(keyOf(i), (totals.get(keyOf(i)) ?? 0) + 1)
            const counts = new Map<string, number>()
            for (const [at, i] of order.entries()) {
              counts.set(keyOf(i), (counts.get(keyOf(i)) ?? 0) + 1)
              for (const [key, total] of totals)
                expect(Math.abs((counts.get(key) ?? 0) - ((at + 1) * total) / order.length)).toBeLessThanOrEqual(1.5)
            }
          }
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('twins', () => {
  const units: AnswerBlock[] = [{ levels: { size: 1 } }, { levels: { size: 2 } }]
  const label = { name: 'label', levels: ['a', 'b', 'c'] }

  it('are the items of one visit: one a label, of one unit, in one group', () => {
    const layout = balancedBlocks({ factors: ['size'], units, label, twins: true }, draws('1'))
    expect(layout.contrastSize).toBe(3)
    for (let first = 0; first < 60; first += 3) {
      const places = [0, 1, 2].map((i) => layout.at(first + i)).map((place) => ('kind' in place ? null : place))
      expect(new Set(places.map((place) => place?.unit)).size).toBe(1)
      expect(places.map((place) => place?.group)).toEqual([first, first, first])
      expect(new Set(places.map((place) => layout.strata[place?.stratum ?? 0]?.['label'])).size).toBe(3)
    }
  })

  it('need a label to differ in', () => {
    expect(() => balancedBlocks({ factors: ['size'], units, twins: true }, draws('1'))).toThrow('needs a label')
  })
})
