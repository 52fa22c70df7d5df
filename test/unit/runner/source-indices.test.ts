import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Item, Layout, Source, Task } from '../../../src/core/index.ts'
import { createRun, executeRun, parseExperiment, withRun } from '../../../src/runner/index.ts'
import { groupCoverage, roughIndices, sourceIndices } from '../../../src/runner/plan/source-indices.ts'
import { families } from '../../../src/tasks/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

function sourceOf(name: string, preset: string, changed: object = {}): Source {
  const task = families.flatMap(({ tasks }) => tasks).find((one) => one.name === name)
  if (task === undefined) throw new Error(`no task ${name}`)
  const config = task.configure({ ...task.preset(preset).config, ...changed })
  return task.source(config, { split: 'test', seed: '1' })
}

const layoutOf = (...of: Parameters<typeof sourceOf>): Layout => sourceOf(...of).layout

const listed = (layout: Layout, count: number, within?: number) => {
  const asked = roughIndices(layout, count, within)
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

describe('a part of a source with empty indices', () => {
  const source = sourceOf('relic/recognize', 'relic-demo')
  const size = source.layout.size ?? 0
  const empty = Array.from({ length: size }, (_, index) => index).filter((index) => source.item(index).kind === 'hole')
  const itemsOf = (count: number, of: Pick<Source, 'layout' | 'item'> = source, within?: number) => {
    const asked = sourceIndices(of, count, within)
    const items = Array.from({ length: asked.count }, (_, k) => of.item(asked.at(k)))
    return items.flatMap((item) => (item.kind === 'item' ? [item] : []))
  }

  it('has as many items as are asked for, of all groups, within the next larger part', () => {
    expect(empty.length).toBeGreaterThan(0)
    let before = new Set<number>()
    for (const count of [1, 32, 33, 40, 300, 600]) {
      const items = itemsOf(count)
      expect(items).toHaveLength(count)
      const groups = tally(items.map(({ group }) => group))
      expect(groups).toHaveLength(Math.min(count, 32))
      if (count <= 64) expect(Math.max(...groups)).toBe(Math.ceil(count / 32))
      const indices = new Set(items.map(({ index }) => index))
      expect([...before].every((index) => indices.has(index))).toBe(true)
      before = indices
    }
  })

  it('has all there are where more are asked for', () => {
    expect(itemsOf(size - 1)).toHaveLength(size - empty.length)
    const within = 3 * (source.layout.perGroup as number)
    expect(itemsOf(within - 1, source, within).every(({ index }) => index < within)).toBe(true)
  })

  it('makes no group of which it takes nothing', () => {
    const { layout, item } = source
    const perGroup = layout.perGroup as number
    const made = new Set<number>()
    const watched = (index: number) => {
      made.add(Math.floor(index / perGroup))
      return item(index)
    }
    const { count, at } = sourceIndices({ layout, item: watched }, 3)
    expect(made).toEqual(new Set(Array.from({ length: count }, (_, k) => Math.floor(at(k) / perGroup))))
  })

  it('goes on to further groups and indices of a source without end', () => {
    const endless = sourceOf('relic/recognize', 'relic-endless')
    const perGroup = endless.layout.perGroup as number
    const hole = source.item(empty[0] as number)
    const sparse = (layout: Layout): Pick<Source, 'layout' | 'item'> => ({
      layout,
      item: (index) => (Math.floor(index / perGroup) % 2 === 0 ? hole : ({ kind: 'item', index } as Item)),
    })
    expect(itemsOf(60 * perGroup, sparse(endless.layout))).toHaveLength(60 * perGroup)
    expect(itemsOf(9, sparse(layoutOf('recoglab/comparison', 'people')))).toHaveLength(9)
    expect(itemsOf(9, { layout: endless.layout, item: () => hole })).toHaveLength(0)
  })
})

it('planning a part makes no index twice', async () => {
  const { folder, remove } = await scratch()
  const [relic] = families.flatMap(({ tasks }) => tasks).filter(({ name }) => name === 'relic/recognize')
  const made: number[] = []
  const watched = {
    ...(relic as Task),
    source(...of: Parameters<Task['source']>) {
      const source = (relic as Task).source(...of)
      const item = (index: number) => {
        made.push(index)
        return source.item(index)
      }
      return { ...source, item }
    },
  }
  const experiment = parseExperiment({
    items: { task: 'relic/recognize', preset: 'relic-demo', config: { grammars: 6 }, count: 20 },
    models: ['baseline:random'],
  })
  try {
    const run = await createRun({ experiment, dir: join(folder, 'run') }, mockContext({ tasks: [watched] }))
    const planned = await withRun(run, (one) => executeRun(one, { planOnly: true }))
    expect(planned.counts.waiting).toBe(20)
    expect(made.length).toBeGreaterThanOrEqual(20)
    expect(new Set(made).size).toBe(made.length)
  } finally {
    await remove()
  }
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

it('a part of a source whose strata alternate has all strata alike, is spread over the whole, and within the next larger part', () => {
  const layout = layoutOf('proficiency/discriminate', 'figure-4')
  const size = layout.size ?? 0
  let before: readonly number[] = []
  for (const count of [40, 120, 1000]) {
    const indices = listed(layout, count)
    expect(new Set(indices).size).toBe(count)
    expect(before.every((index) => indices.includes(index))).toBe(true)
    before = indices
    expect(tally(indices.map((index) => index % layout.strata.length))).toEqual(layout.strata.map(() => count / 4))
    const gaps = indices.map((index, i) => index - (indices[i - 1] ?? 0))
    expect(Math.max(...gaps)).toBeLessThan((4 * size * layout.strata.length) / count)
  }
})
