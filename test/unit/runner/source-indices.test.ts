import { describe, expect, it } from 'vitest'
import type { Layout } from '../../../src/core/index.ts'
import { groupCoverage } from '../../../src/runner/plan/group-coverage.ts'
import { sourceIndices } from '../../../src/runner/plan/source-indices.ts'
import { families } from '../../../src/tasks/index.ts'

function layoutOf(name: string, preset: string, changed: object = {}): Layout {
  const task = families.flatMap(({ tasks }) => tasks).find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  const config = task.configure({ ...task.preset(preset).config, ...changed })
  return task.source(config, { split: 'test', seed: '1' }).layout
}

const listed = (layout: Layout, count: number, within?: number) => {
  const asked = sourceIndices(layout, count, within)
  const indices = Array.from({ length: asked.count }, (_, k) => asked.at(k))
  expect(indices.every((index) => asked.has(index))).toBe(true)
  return indices
}

const tally = (values: readonly unknown[]): readonly number[] =>
  [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length)

interface Slot {
  readonly group: number
  readonly [level: string]: unknown
}

const slotsOf = (layout: Layout, indices: readonly number[]): readonly Slot[] =>
  indices.map((index) => {
    const slot = layout.at(index)
    if ('kind' in slot) throw new Error(slot.reason)
    return { group: slot.group, ...layout.strata[slot.stratum] }
  })

const small = { selection: 'none', grammars: 7 }
const layouts: readonly (readonly [string, Layout])[] = [
  ['answers in turn', layoutOf('relic/recognize', 'relic-demo')],
  ['an odd number of groups', layoutOf('relic/recognize', 'relic-demo', small)],
  ['contrast sets', layoutOf('relic/recognize', 'relic-twins', small)],
  ['classes apart', layoutOf('relic/recognize', 'relic-500-published', small)],
]

describe.each(layouts)('a part of a source with %s', (_, layout) => {
  const size = layout.size ?? 0

  it('is even over groups, and within the next larger part', () => {
    let before = new Set<number>()
    for (const count of [1, 2, 8, 30, 31, 64, 150, size - 1, size]) {
      const indices = listed(layout, count)
      expect(new Set(indices).size).toBe(count)
      expect(indices).toEqual(indices.toSorted((a, b) => a - b))
      expect([...before].every((index) => indices.includes(index))).toBe(true)
      before = new Set(indices)
      const groups = tally(slotsOf(layout, indices).map(({ group }) => group))
      expect(Math.max(...groups) - Math.min(...groups)).toBeLessThanOrEqual(layout.contrastSize ?? 1)
      expect(groups.length).toBe(
        Math.min(Math.ceil(count / (layout.contrastSize ?? 1)), size / (layout.perGroup as number)),
      )
    }
    expect(before.size).toBe(size)
  })

  it('keeps contrast sets whole', () => {
    const set = layout.contrastSize ?? 1
    for (const [, same] of Map.groupBy(listed(layout, 12 * set), (index) => Math.floor(index / set)))
      expect(same).toHaveLength(set)
  })
})

it('has equal answers of each length, and all lengths', () => {
  const layout = layoutOf('relic/recognize', 'relic-500', { selection: 'none' })
  for (const count of [98, 200, 400]) {
    const slots = slotsOf(layout, listed(layout, count))
    const [yes, no] = [true, false].map((label) => slots.filter((slot) => slot['label'] === label))
    expect(yes?.length).toBe(no?.length)
    const lengths = tally(slots.map((slot) => slot['length']))
    expect(lengths).toHaveLength(49)
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(4)
  }
})

it('of endless groups is of many, of a dataset only of its own', () => {
  const endless = layoutOf('relic/recognize', 'relic-endless')
  expect(new Set(slotsOf(endless, listed(endless, 200)).map(({ group }) => group)).size).toBe(100)
  const [, demo] = layouts[0] as (typeof layouts)[0]
  const perGroup = demo.perGroup as number
  expect(Math.max(...listed(demo, 50, 3 * perGroup + 5))).toBeLessThan(3 * perGroup + 5)
  expect(new Set(slotsOf(demo, listed(demo, 50, 3 * perGroup)).map(({ group }) => group)).size).toBe(3)
})

it('is the first indices where groups do not come one after another', () => {
  expect(listed(layoutOf('recoglab/comparison', 'people'), 5)).toEqual([0, 1, 2, 3, 4])
})

describe('the groups of a dataset of the first indices', () => {
  const [, layout] = layouts[0] as (typeof layouts)[0]

  it('are counted where they are not all', () => {
    const perGroup = layout.perGroup as number
    expect(groupCoverage(layout, 1)).toEqual({ groups: 1, of: 32 })
    expect(groupCoverage(layout, 2 * perGroup + 1)).toEqual({ groups: 3, of: 32 })
  })

  it('are not where it is the whole, or the source has no end', () => {
    expect(groupCoverage(layout, layout.size)).toBeNull()
    expect(groupCoverage(layoutOf('recoglab/comparison', 'people'), 10)).toBeNull()
  })
})
