import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { verifyRun } from '../../../src/extras/seals/index.ts'
import { createRun, executeRun, openRun, readExperiment } from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

const DRAFTS = ['run.json.0a1b2c3d.partial', 'live.json.0a1b2c3d.partial']

it('drafts of killed processes are no fault of a run, and go when nobody can be at work on them any more', async () => {
  const { folder, remove } = await scratch()
  const dir = join(folder, 'run')
  const context = mockContext()
  const yaml = 'items: { task: mock/parity, preset: small, count: 4 }\nmodels: ["baseline:exact"]'
  {
    await using run = await createRun({ experiment: readExperiment(yaml), dir }, context)
    await executeRun(run)
  }
  for (const name of DRAFTS) await writeFile(join(dir, name), 'half')
  {
    await using run = await openRun(dir, context, { mode: 'read' })
    const { mismatches, notChecked } = await verifyRun(run)
    expect(mismatches).toBe(0)
    expect(notChecked).toContainEqual(expect.stringMatching(/^unfinished files/u))
  }

  const [old = '', ...young] = DRAFTS
  const before = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(dir, old), before, before)
  await (await openRun(dir, context, { mode: 'write' }))[Symbol.asyncDispose]()
  const left = await readdir(dir)
  expect(left).not.toContain(old)
  expect(left).toEqual(expect.arrayContaining(young))
  await remove()
})
