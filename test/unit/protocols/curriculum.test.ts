import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { proofRadius } from '../../../src/libraries/locality/graph.ts'
import { isRight, localLearner } from '../../../src/models/providers/local-learner.ts'
import { nightly, sample } from '../../nightly.ts'
import { appWith, good, post, type Served, tasks } from './server.ts'

const app = appWith()
const TASK = 'recoglab/comparison'

interface Answer {
  readonly levels: number
  readonly state: { readonly difficulty: number; readonly step: number; readonly levels: readonly { next: number }[] }
  readonly draw: readonly { readonly level: number; readonly items: { readonly index: number } }[]
}
const ask = (body: object) => good<Answer>(post(app, '/v1/curriculum', { task: TASK, ...body }))

/** Answers at a level, this share of them right. */
const results = (level: number, count: number, right: number) =>
  Array.from({ length: count }, (_, i) => ({ level, reward: i < count * right ? 1 : 0 }))

describe('a curriculum', () => {
  it('opens a level when enough answers at the hardest are right, and forgets them either way', async () => {
    let { state } = await ask({})
    expect(state.difficulty).toBe(0)
    state = (await ask({ state, results: results(0, 63, 1) })).state
    expect(state.difficulty).toBe(0)
    state = (await ask({ state, results: results(0, 1, 1) })).state
    expect(state.difficulty).toBe(1)
    state = (await ask({ state, results: [...results(1, 64, 0.5), ...results(0, 500, 1)] })).state
    expect(state.difficulty).toBe(1)
    state = (await ask({ state, results: results(1, 64, 0.95) })).state
    expect(state.difficulty).toBe(2)
  })

  it('draws uniformly from its window, and no index twice', async () => {
    let { state } = await ask({})
    for (let level = 0; level < 6; level++) state = (await ask({ state, results: results(level, 64, 1) })).state
    expect(state.difficulty).toBe(6)
    const { draw } = await ask({ state, count: 1000 })
    const counts = new Map<number, number>()
    for (const { level } of draw) counts.set(level, (counts.get(level) ?? 0) + 1)
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([3, 4, 5, 6])
    for (const count of counts.values()) expect(Math.abs(count - 250)).toBeLessThan(70)
    expect(new Set(draw.map(({ level, items }) => `${level} ${items.index}`)).size).toBe(1000)
  })

  it('keeps nothing: the same request has the same answer, and other state other draws', async () => {
    const first = await ask({ count: 20 })
    expect(await ask({ count: 20 })).toEqual(first)
    const next = await ask({ count: 20, state: first.state })
    expect(next.draw[0]?.items.index).toBe(20)
  })

  it('goes where half of the answers are right, by the rule of a target', async () => {
    // A learner that gets worse by a sixth a level.
    const success = (level: number): number => Math.max(0, 1 - level / 6)
    let { state } = await ask({ rule: 'target' })
    let levels: readonly number[] = []
    for (let step = 0; step < 40; step++) {
      const { draw, state: next } = await ask({ rule: 'target', state, count: 200 })
      levels = draw.map(({ level }) => level)
      const counted = levels.map((level, i) => ({ level, reward: ((i * 7919) % 600) / 600 < success(level) ? 1 : 0 }))
      state = (await ask({ rule: 'target', state: next, results: counted })).state
    }
    const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length
    expect(mean).toBeGreaterThan(2)
    expect(mean).toBeLessThan(4)
  })

  it('passes over what was not judged, and refuses states that are none', async () => {
    const { state } = await ask({ results: Array.from({ length: 200 }, () => ({ level: 0, reward: null })) })
    expect(state.difficulty).toBe(0)
    for (const bad of [{ difficulty: -1 }, { difficulty: 1e9 }, { ...state, step: 'x' }, { ...state, levels: [{}] }])
      expect((await post(app, '/v1/curriculum', { task: TASK, state: bad })).status).toBe(422)
    expect((await post(app, '/v1/curriculum', { task: TASK, split: 'test' })).status).toBe(403)
  })

  it('begins a level that has an end anew, and draws all of it before', async () => {
    const { draw } = await ask({ task: 'pbebench/sound-laws', count: 50 })
    const indices = draw.map(({ items }) => items.index)
    const size = new Set(indices).size
    expect(size).toBeLessThan(50)
    expect(indices).toEqual(indices.map((_, i) => i % size))
    const last = draw.at(-1)?.items ?? {}
    expect((await good<Served>(post(app, '/v1/items', last))).items[0]?.token).toBeDefined()
    expect((await post(app, '/v1/items', { ...last, index: size })).status).toBe(422)
  })

  it('names items that can be drawn', async () => {
    const { draw } = await ask({})
    const { items } = await good<Served>(post(app, '/v1/items', draw[0]?.items ?? {}))
    expect(items[0]?.messages[0]?.content.length).toBeGreaterThan(50)
  })
})

/** Items of a level whose growth is asked. */
const GROWN = sample({ nightly: 32, otherwise: 24 })
/** Levels of a ladder, from the first to the last: all of them at night, else three. */
function levelsOf({ curriculum }: Task): readonly number[] {
  const last = (curriculum?.count ?? 0) - 1
  const count = Math.min(last + 1, sample({ nightly: last + 1, otherwise: 3 }))
  return Array.from({ length: count }, (_, at) => Math.round((at * last) / (count - 1)))
}
const size = (value: unknown): number => JSON.stringify(value).length

/** Mean of what grows along the ladder of a task, at a level. */
function growth(task: Task, level: number): number {
  const { curriculum: levels } = task
  if (levels === undefined) throw new Error(`${task.name} has no levels`)
  const config = task.configure(levels.config(level))
  if (levels.grows === 'fewer-examples') return -((config['examples'] as readonly number[])[0] ?? 0)
  const source = task.source(config, { split: 'train', seed: 'ladder' })
  const count = Math.min(GROWN, source.layout.size ?? GROWN)
  // Of several groups, where indices have no end.
  const step = source.layout.size === null ? 11 : 1
  let sum = 0
  let items = 0
  for (let index = 0; index < count; index++) {
    const item = source.item(index * step)
    if (item.kind === 'hole') continue
    items++
    sum += levels.grows === 'proof' ? size(task.witness(item)) : size(item.given)
  }
  expect(items).toBeGreaterThan(count / 2)
  return sum / items
}

/** Items of a level whose reach is asked: it differs little between them. */
const NEAR = sample({ nightly: 32, otherwise: 16 })

/** Mean of how far around what is asked one must look for a proof, at a level: statements, or of a string all of its tokens. */
function reach(task: Task, level: number): number {
  const source = task.source(task.configure(task.curriculum?.config(level) ?? {}), { split: 'train', seed: 'ladder' })
  const found = Array.from({ length: NEAR }, (_, index) => source.item(index)).flatMap((item) => {
    const structure = item.kind === 'hole' ? undefined : task.anonymize?.(item)
    if (structure === undefined) return []
    return structure.kind === 'string' ? structure.tokens.length : proofRadius(structure)
  })
  const local = found.filter(Number.isFinite)
  expect(local.length).toBeGreaterThan(NEAR / 4)
  return local.reduce((sum, one) => sum + one, 0) / local.length
}

/** What a reader fitted on the training split, who sees two statements around what is asked, gains over guessing on the test split. */
function gain(task: Task, level: number): number {
  const config = task.configure(task.curriculum?.config(level) ?? {})
  const reader = localLearner(task, config, 2)
  const source = task.source(config, { split: 'test', seed: 'ladder' })
  const gains = Array.from({ length: 400 }, (_, index) => source.item(index)).flatMap((item) => {
    const structure = item.kind === 'hole' ? undefined : task.anonymize?.(item)
    if (item.kind === 'hole' || structure === undefined) return []
    const right = (task.choices?.(item) ?? []).map((choice) => isRight(task, item, choice))
    const chosen = reader(structure, right.length)
    return (chosen !== null && right[chosen] === true ? 1 : 0) - right.filter(Boolean).length / right.length
  })
  return gains.reduce((sum, one) => sum + one, 0) / gains.length
}

/** Spearman's rank correlation with the level. */
function rising(values: readonly number[]): number {
  const rank = (value: number): number => values.filter((one) => one < value).length
  const n = values.length
  const squares = values.reduce((sum, value, level) => sum + (rank(value) - level) ** 2, 0)
  return 1 - (6 * squares) / (n * (n * n - 1))
}

describe('the ladder of', () => {
  // Hard items of these take seconds each.
  const slow = ['relic/next', 'relic/fill', 'relic/count', 'relic/repair', 'pbebench/induce']
  const asked = tasks.filter(({ name }) => nightly || !slow.includes(name))
  it.each(asked.map((task) => [task.name, task] as const))('%s rises', (_, task) => {
    const values = levelsOf(task).map((level) => growth(task, level))
    expect(values.length).toBeGreaterThanOrEqual(3)
    expect(rising(values)).toBeGreaterThan(0.9)
    expect(values.at(-1)).toBeGreaterThan(values[0] as number)
  })

  it.each(
    tasks.filter(({ anonymize: structure }) => structure !== undefined).map((task) => [task.name, task] as const),
  )('%s leads farther and farther from what is asked', (_, task) => {
    const values = levelsOf(task).map((level) => reach(task, level))
    expect(rising(values)).toBeGreaterThan(0.9)
    expect(values.at(-1)).toBeGreaterThan(values[0] as number)
  })

  const read = ['recoglab/comparison', 'recoglab/syllogism', 'recoglab/social', 'relic/recognize']
  it.each(read.slice(0, sample({ nightly: 4, otherwise: 1 })))(
    '%s begins where a learner of what stands near still wins, and ends where it guesses',
    (name) => {
      const task = tasks.find((one) => one.name === name) as Task
      expect(gain(task, 0)).toBeGreaterThan(0.12)
      // Three standard errors of 400 items.
      expect(Math.abs(gain(task, (task.curriculum?.count ?? 1) - 1))).toBeLessThan(0.075)
    },
  )
})
