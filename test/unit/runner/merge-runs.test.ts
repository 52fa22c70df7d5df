import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRun, executeRun, mergeRuns, openRun, parseExperiment } from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(() => remove())

it.each<readonly [object, object, RegExp]>([
  [{}, { maxTokens: 60 }, /their list of models differs \(0\.settings\.0\.maxTokens: 60, and there 50\)/u],
  [{}, { seed: 7 }, /their list of models differs \(0\.settings\.0\.seed: 7, and there none\)/u],
  [{ count: 19 }, {}, /their list of items differs \(0\.count: 19, and there 20\)/u],
])('what makes a shard of another run is told with its place: %j %j', async (item, settings, words) => {
  const dirs = [0, 1].map((index) => join(folder, `s${index}`))
  for (const [index, dir] of dirs.entries()) {
    const own = index === 1
    const experiment = parseExperiment({
      items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: 20, ...(own ? item : {}) },
      models: [
        {
          model: 'openai-compatible:m',
          baseUrl: 'http://127.0.0.1:9/v1',
          settings: { maxTokens: 50, ...(own ? settings : {}) },
        },
      ],
    })
    await using run = await createRun({ dir, experiment, shard: { index, of: 2 } }, mockContext())
    await executeRun(run, { planOnly: true })
  }
  await expect(mergeRuns(dirs, join(folder, 'all'), mockContext())).rejects.toThrow(words)
})

it('shards in any order are one run, which may spend what they may together', async () => {
  const dirs = [0, 1].map((index) => join(folder, `s${index}`))
  for (const [index, dir] of dirs.entries()) {
    const experiment = parseExperiment({
      items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: 20 },
      models: ['baseline:exact'],
      limits: { usd: 2 + index, concurrency: 4 },
    })
    await using run = await createRun({ dir, experiment, shard: { index, of: 2 } }, mockContext())
    await executeRun(run)
  }
  const files = []
  for (const [name, order] of [['a', dirs] as const, ['b', dirs.toReversed()] as const]) {
    await mergeRuns(order, join(folder, name), mockContext())
    await using run = await openRun(join(folder, name), mockContext(), { mode: 'read' })
    files.push(run.file)
  }
  expect(files[0]?.limits).toMatchObject({ usd: 5, concurrency: 4 })
  expect(files[1]?.limits).toEqual(files[0]?.limits)
  expect(files[1]?.ledgerState?.head).toBe(files[0]?.ledgerState?.head)
})
