import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  bucketsOfSplit,
  canonicalJson,
  type DrawContext,
  defineTask,
  type Item,
  isUsageError,
  type Json,
  type JsonObject,
  type Layout,
  partitionBucket,
  type RandomStreams,
  type Task,
  type TaskDefinition,
} from '../../../src/core/index.ts'
import necklace from '../../toys/necklace.ts'

const small = necklace.preset('small').config
const open = (seed: string | number = 1, split = 'test') => necklace.source(small, { split, seed })
const all = Array.from({ length: 96 }, (_, index) => index)

const usage = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (isUsageError(error)) return error.message
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('items', () => {
  it('are pure: the same in any order, from any source, whatever was asked before', () => {
    const first = all.map((index) => open().item(index))
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: 1 }), (indices) => {
        const source = open()
        for (const index of indices) expect(source.item(index)).toEqual(first[index])
      }),
      { numRuns: 20 },
    )
  })

  it('are written as they are: the problem as the text that the hash covers', () => {
    const source = open()
    for (const index of all) {
      const { item, given } = source.written(index)
      expect(item).toEqual(source.item(index))
      expect(given).toBe(item.kind === 'item' ? canonicalJson(item.given) : null)
    }
  })

  it('are frozen through and through', () => {
    const item = open().item(0) as Item
    for (const part of [item.shared, item.given, item.features]) expect(Object.isFrozen(part)).toBe(true)
  })

  it('carry the number of their group and stratum, an id, and a draw that other configs share', () => {
    const source = open()
    const item = source.item(30) as Item
    expect(item.id).toMatch(/^toy\/necklace@1\/test\/[0-9a-f]{12}\/30$/)
    expect(item.group).toBe(1)
    expect(source.layout.strata[item.stratum]).toMatchObject({ length: item.features['length'], label: item.answer })
    const other = necklace.source(necklace.configure({ beads: 7 }), { split: 'test', seed: 1 }).item(30) as Item
    expect(other.draw).toBe(item.draw)
    expect(other.id).not.toBe(item.id)
  })

  it('differ by seed and split, and not by how the seed is written', () => {
    const strings = (seed: string | number, split?: string) => all.map((index) => open(seed, split).item(index).hash)
    expect(strings(1)).toEqual(strings('1'))
    expect(strings(1)).not.toEqual(strings(2))
    expect(strings(1)).not.toEqual(strings(1, 'train'))
  })

  it('are the same from a stored plan, which is then not computed again', () => {
    const source = open()
    expect(source.plan).toEqual({ thread: expect.stringMatching(/silk|wire/) })
    const again = necklace.source(small, { split: 'test', seed: 1 }, JSON.parse(JSON.stringify(source.plan)))
    expect(all.map((index) => again.item(index))).toEqual(all.map((index) => source.item(index)))
  })
})

describe('holes', () => {
  it('stand where a cell is proved empty or was given up, with the reason; nothing moves up', () => {
    const source = open()
    const items = all.map((index) => source.item(index))
    const holes = items.filter((item) => item.kind === 'hole')
    const proved = holes.filter((hole) => hole.proved)
    expect(proved.map((hole) => hole.reason)).toEqual(new Array(6).fill('a pair too many'))
    expect(holes.filter((hole) => !hole.proved).map((hole) => [hole.group, hole.reason])).toEqual(
      new Array(24).fill([2, 'out of beads']),
    )
    for (const [index, item] of items.entries()) expect(item.index).toBe(index)
    expect(new Set(items.map((item) => item.hash)).size).toBe(items.length)
  })

  it('mark indices past the capacity of all cells, where a config promises more', () => {
    const task = toy({
      size: 5,
      at: (index) => (index < 3 ? cell(index) : { kind: 'unreachable', proved: true, reason: 'exhausted' }),
    })
    const source = task.source({}, { split: 'test', seed: 1 })
    expect(source.item(2).kind).toBe('item')
    expect(source.item(3)).toMatchObject({ kind: 'hole', proved: true, reason: 'exhausted' })
  })
})

describe('indices', () => {
  it('that the dataset does not have are usage errors', () => {
    const source = open()
    expect(usage(() => source.item(96))).toMatch(/96 indices \(0 to 95\)/)
    for (const index of [-1, 1.5, Number.NaN, 2 ** 53])
      expect(usage(() => source.item(index))).toMatch(/integer from 0/)
  })

  it('of an endless config go on: item 1,000,000 costs what item 0 costs', () => {
    let drawn = 0
    const counted = toy(
      { size: null, at: cell },
      {
        draw: (_config: unknown, _shared: unknown, { group }: DrawContext) => {
          drawn++
          return { kind: 'drawn', given: { n: group }, answer: 0, features: {} }
        },
      },
    )
    const source = counted.source(counted.configure({}), { split: 'test', seed: 1 })
    expect(source.layout.size).toBeNull()
    expect(source.item(1_000_000)).toMatchObject({ given: { n: 1_000_000 } })
    expect(drawn).toBe(1)
    const groups = necklace.source(necklace.preset('endless').config, { split: 'test', seed: 1 })
    expect(groups.item(1_000_000)).toMatchObject({ group: Math.floor(1_000_000 / 24) })
  })

  it.each([{ seed: '' }, { seed: 1.5 }, { split: 'Test' }, { split: 'a b' }, { split: '' }])(
    'open with %j: refused',
    (key) => {
      usage(() => necklace.source(small, { split: 'test', seed: 1, ...key }))
    },
  )
})

describe('groups', () => {
  it('are made once while they are in use, and anew when 64 others came between', () => {
    const made: number[] = []
    const task = toy(
      { size: null, at: cell },
      {
        group: (_config: unknown, _plan: unknown, group: number) => {
          made.push(group)
          return { group }
        },
      },
    )
    const source = task.source({}, { split: 'test', seed: 1 })
    for (let round = 0; round < 3; round++) for (let group = 0; group < 64; group++) source.item(group)
    expect(made).toHaveLength(64)
    source.item(0)
    source.item(64)
    // The one that was used longest ago is gone, the one just used is kept.
    source.item(0)
    expect(made).toHaveLength(65)
    source.item(1)
    expect(made.slice(64)).toEqual([64, 1])
  })

  it('are the same object for all their items', () => {
    const source = open()
    expect((source.item(0) as Item).shared).toBe((source.item(3) as Item).shared)
  })

  it.each([null, 0, 'unreachable', ['unreachable'], { kind: 'other' }])('share any JSON: %j', (shared) => {
    const task = toy({ size: null, at: cell }, { group: () => shared })
    expect(task.source({}, { split: 'test', seed: 1 }).item(0)).toMatchObject({ kind: 'item', shared })
  })

  it('lie inside the fence of their split', () => {
    for (const split of ['train', 'validation', 'test', 'exam-2027'])
      for (const index of [0, 24, 72]) {
        const item = open(1, split).item(index) as Item
        const key = necklace.partition?.key(item) as string
        expect(bucketsOfSplit(split)).toContain(partitionBucket('toy/necklace', key))
      }
  })

  it('outside the fence are an error of the task, never an item', () => {
    const careless = necklace.configure({ careless: true, groups: null })
    const source = necklace.source(careless, { split: 'validation', seed: 1 })
    const outcomes = [0, 24, 72, 96, 120, 144].map((index) => {
      try {
        return source.item(index).kind
      } catch (error) {
        expect(isUsageError(error)).toBe(false)
        return String(error)
      }
    })
    expect(outcomes).toContainEqual(
      expect.stringMatching(/partition bucket \d, which is not in the split "validation"/),
    )
  })

  it('fenced by item are checked item by item', () => {
    const task = toy(
      { size: null, at: cell },
      {
        partition: {
          domain: 'toy/plain',
          keyVersion: 1,
          of: 'item',
          key: ({ given }: { given: { n: number } }) => given.n.toString(16).padStart(32, '0'),
        },
      },
    )
    const source = task.source({}, { split: 'validation', seed: 1 })
    let thrown = 0
    for (let index = 0; index < 64; index++) {
      const region = partitionBucket('toy/plain', index.toString(16).padStart(32, '0'))
      if (bucketsOfSplit('validation').includes(region))
        expect((source.item(index) as Item).given).toEqual({ n: index })
      else {
        expect(() => source.item(index)).toThrow(`partition bucket ${region}, which is not in the split "validation"`)
        thrown++
      }
    }
    expect(thrown).toBeGreaterThan(40)
    expect(thrown).toBeLessThan(64)
  })
})

describe('contrastSize', () => {
  it('name the first of their set, and share its draw; others name none', () => {
    const words: number[] = []
    const task = toy(
      { size: 6, at: (index) => cell(Math.floor(index / 3)), contrastSize: 3 },
      {
        draw: (_config: unknown, _shared: unknown, at: DrawContext, draws: RandomStreams) => {
          words.push(draws.stream('word').u32())
          return { kind: 'drawn', given: {}, answer: at.group, features: {} }
        },
      },
    )
    const source = task.source({}, { split: 'test', seed: 1 })
    const items = [0, 1, 2, 3, 4, 5].map((index) => source.item(index) as Item)
    expect(items.map(({ twin }) => twin)).toEqual([0, 0, 0, 3, 3, 3])
    expect(new Set(items.slice(0, 3).map(({ draw }) => draw))).toEqual(new Set([items[0]?.draw]))
    expect(items[3]?.draw).not.toBe(items[0]?.draw)
    expect(words.map((word) => words.indexOf(word))).toEqual([0, 0, 0, 3, 3, 3])
    expect(open().item(3)).not.toHaveProperty('twin')
  })
})

describe('streams of a source', () => {
  it('keep content, presentation and baselines apart', () => {
    const source = open()
    const words = [source.viewDraws(3), source.viewDraws(4), source.baselineDraws(3, 'a'), source.baselineDraws(3, 'b')]
    expect(new Set(words.map((draws) => draws.stream('x').u32())).size).toBe(4)
    expect(source.baselineDraws(3, 'n-gram: 2').stream('x').u32()).toBe(
      source.baselineDraws(3, 'n-gram: 2').stream('x').u32(),
    )
  })
})

const cell = (group: number): Omit<DrawContext, 'levels'> => ({ stratum: 0, unit: 0, group, ordinal: 0 })

/** The least a task can be; item n asks about the number n. */
function toy(layout: Pick<Layout, 'size' | 'at' | 'contrastSize'>, more: object = {}): Task {
  return defineTask({
    name: 'toy/plain',
    summary: 'n',
    version: 1,
    scorerVersion: 1,
    promptVersion: 1,
    config: z.strictObject({}),
    presets: {},
    features: z.object({}),
    layout: () => ({ ...layout, strata: [{}], layout: 'group-major' }),
    draw: (_config: unknown, _shared: unknown, at: DrawContext) => ({
      kind: 'drawn',
      given: { n: at.group },
      answer: at.group,
      features: {},
    }),
    styles: ['plain'],
    request: () => ({ kind: 'chat', messages: [] }),
    oracle: () => true,
    witness: () => null,
    check: () => true,
    metrics: () => ({}),
    noGold: 'a toy',
    analyses: [],
    ...more,
  } as never)
}

describe('features', () => {
  const giving = (change: { readonly [name: string]: unknown }): Task => {
    const { draw } = necklace
    return defineTask({
      ...necklace,
      draw(...args: Parameters<typeof draw>) {
        const drawn = draw(...args)
        if (drawn.kind === 'unreachable') return drawn
        const features = Object.entries({ ...drawn.features, ...change }).filter(([, value]) => value !== undefined)
        return { ...drawn, features: Object.fromEntries(features) as typeof drawn.features }
      },
    } as unknown as TaskDefinition<JsonObject, Json, Json, Json, Json>)
  }
  const draw = (task: Task) => () => task.source(small, { split: 'test', seed: 1 }).item(0)

  it('that the task does not declare are refused when they are drawn', () => {
    expect(draw(giving({ color: 'red' }))).toThrow('toy/necklace: what draw returns gives color, which `features`')
    expect(draw(giving({ share: undefined }))).toThrow(/draw returns lacks share, which `features` declares/)
    expect(draw(giving({ share: undefined, color: 1 }))).toThrow(/gives color, .* and lacks share/)
    expect(draw(giving({ share: 0.25 }))).not.toThrow()
  })
})
