import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Task } from '../../src/core/index.ts'
import type { Model, Provider } from '../../src/models/index.ts'
import { LOCAL } from '../../src/models/model.ts'
import { baseline } from '../../src/models/providers/baseline.ts'
import { makeReport, type Report } from '../../src/report/index.ts'
import { createRun, executeRun, readExperiment } from '../../src/runner/index.ts'
import { loadFrames, type RunFrames } from '../../src/store/index.ts'
import { families } from '../../src/tasks/index.ts'
import { mockContext, scratch } from '../mock/context.ts'
import { sample } from '../nightly.ts'

const tasks: readonly Task[] = families.flatMap((family) => family.tasks)

/** Half as many in a short run: each task's analyses have rows of both models all the same. */
const count = (full: number): string => `count: ${sample({ nightly: full, otherwise: full / 2 })}`

/** What is asked of each task, and its baselines that know much and little. */
const ASKED: { readonly [task: string]: { readonly items: string; readonly much: string; readonly little: string } } = {
  'relic/recognize': {
    items: `preset: relic-demo, config: { twins: none }, ${count(40)}`,
    much: 'cyk',
    little: 'random',
  },
  'relic/parse': { items: `preset: parse-easy, ${count(32)}`, much: 'chart', little: 'look-ahead' },
  'relic/next': { items: `preset: next-easy, ${count(32)}`, much: 'chart', little: 'random' },
  'relic/fill': { items: `preset: fill-easy, ${count(32)}`, much: 'chart', little: 'random' },
  'relic/count': { items: `preset: count-easy, ${count(24)}`, much: 'chart', little: 'random' },
  'relic/translate': { items: `preset: translate-easy, ${count(32)}`, much: 'chart', little: 'random' },
  'relic/repair': { items: `preset: repair-easy, ${count(32)}`, much: 'chart', little: 'random' },
  'proficiency/discriminate': { items: `preset: g1, ${count(36)}`, much: 'oracle', little: 'unigram' },
  'proficiency/generate': { items: 'preset: g1', much: 'oracle', little: 'unigram' },
  'recoglab/comparison': { items: `preset: feasibility, ${count(40)}`, much: 'oracle', little: 'random' },
  'recoglab/social': { items: `preset: hops-tree-10-flavoured, ${count(30)}`, much: 'oracle', little: 'random' },
  'recoglab/syllogism': { items: `preset: chain, ${count(40)}`, much: 'oracle', little: 'random' },
  'recoglab/families': { items: `preset: size, ${count(30)}`, much: 'oracle', little: 'random' },
  'pbebench/induce': { items: `preset: pbebench-lite, ${count(12)}`, much: 'greedy', little: 'identity' },
  'pbebench/reorder': { items: `preset: pbebench-perm, ${count(20)}`, much: 'reverse', little: 'random' },
  'slr-bench/trains': { items: `preset: easy, ${count(20)}`, much: 'search', little: 'random' },
  'clutrr/kinship': { items: `preset: hops-4, ${count(30)}`, much: 'oracle', little: 'random' },
  'pbebench/sound-laws': { items: 'preset: valley-laws', much: 'greedy', little: 'identity' },
  'pbebench/sound-change': {
    items: `preset: sound-change-lite, ${count(6)}`,
    much: 'shortest-description',
    little: 'no-laws',
  },
}

/** One model that is another baseline on each task. */
const versatile: Provider = {
  name: 'versatile',
  argument: 'much or little',
  summary: '',
  async open(rest, ...more) {
    const models = new Map<string, Model>()
    for (const [task, { much, little }] of Object.entries(ASKED))
      models.set(task, await baseline.open(rest === 'much' ? much : little, ...more))
    const of = (task: Task): Model => {
      const model = models.get(task.name)
      if (model === undefined) throw new Error(`no baseline of ${task.name}`)
      return model
    }
    return {
      name: `versatile:${rest}`,
      kind: 'chat',
      route: 'versatile',
      concurrency: LOCAL,
      reusesContext: true,
      call: (call, signal) => of(call.task).call(call, signal),
      check: (task) => of(task).check?.(task),
    }
  },
}

let folder: string
let remove: () => Promise<void>
let together: RunFrames
let ofAll: Report
beforeAll(async () => {
  ;({ folder, remove } = await scratch())
  together = await framesOf(Object.keys(ASKED), 'together')
  ofAll = reported(together, Object.keys(ASKED))
})
afterAll(() => remove())

async function framesOf(names: readonly string[], dir: string): Promise<RunFrames> {
  const items = names.map((name) => `  - { task: ${name}, ${ASKED[name]?.items} }`).join('\n')
  const experiment = readExperiment(`items:\n${items}\nmodels: ["versatile:much", "versatile:little"]\n`)
  const run = await createRun({ experiment, dir: join(folder, dir) }, mockContext({ tasks, providers: [versatile] }))
  try {
    expect(await executeRun(run)).toMatchObject({ status: 'completed', counts: { failed: 0 } })
    return await loadFrames(run)
  } finally {
    await run[Symbol.asyncDispose]()
  }
}

/** Analyses of the whole run; the others are of one task. */
const isWhole = ({ id }: { readonly id: string }) => /^core\/(?!by-feature|psychometric)/u.test(id)
const OWN = ['core/by-feature', 'core/psychometric', ...families.map(({ name }) => name)]

const reported = (frames: RunFrames, names: readonly string[], only?: readonly string[]): Report => {
  const asked = tasks.filter(({ name }) => names.includes(name))
  return makeReport({ run: 'r', frames, tasks: asked, ...(only === undefined ? {} : { only }) })
}

/** Analyses of all tasks of a family together. */
const ACROSS = new Set(tasks.flatMap(({ analyses }) => analyses.filter((one) => one.acrossTasks).map(({ id }) => id)))
const isOwn = (one: { readonly id: string }) => !isWhole(one) && !ACROSS.has(one.id)

/** What reports say of one task: all of its own analyses, and its rows in the tables of the whole run. */
function about(name: string, mine: Report, all: Report) {
  return {
    own: mine.analyses.filter(isOwn),
    skipped: mine.skipped.filter(isOwn),
    whole: all.analyses.filter(isWhole).flatMap(({ tables }) =>
      tables.flatMap(({ id, rows }) => {
        const mine = rows.filter((row) => row['task'] === name).map(ofItself)
        return mine.length === 0 ? [] : [{ id, mine }]
      }),
    ),
  }
}

/** What a clock says, and what is adjusted for all pairs of the run. */
// A column of accuracy among parsed responses stands there where any task needs it.
const NOT_OF_ONE_TASK = ['parsed', 'seconds', 'holm', 'verdict', 'powerRatio', 'itemsNeeded']

/** A row without what is unknown and what does not depend on its task alone. */
const ofItself = (row: { readonly [key: string]: unknown }) =>
  Object.fromEntries(Object.entries(row).filter(([key, value]) => value !== null && !NOT_OF_ONE_TASK.includes(key)))

describe('a run of every task', () => {
  it('has all tasks that there are', () => {
    expect(Object.keys(ASKED).sort()).toEqual(tasks.map(({ name }) => name).sort())
    expect(together.frame('strict')?.category('task').levels).toHaveLength(tasks.length)
  })

  it('leaves out no analysis because it broke off', () => {
    expect(ofAll.skipped.filter(({ cause }) => cause === 'error')).toEqual([])
  })

  it.each(Object.keys(ASKED))('says of %s what a run of it alone says', async (task) => {
    const lone = reported(await framesOf([task], task), [task])
    const alone = about(task, lone, lone)
    expect(about(task, reported(together, [task], OWN), ofAll)).toEqual(alone)
    expect(alone.own.length).toBeGreaterThan(0)
    expect(alone.whole.length).toBeGreaterThan(0)
  })
})
