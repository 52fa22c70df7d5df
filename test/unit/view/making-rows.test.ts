import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRun } from '../../../bench/view/make-run.ts'
import { loadEnvironment } from '../../../src/lab/environment.ts'
import { framesByThread } from '../../../src/lab/rows.ts'
import { openRun } from '../../../src/runner/index.ts'
import { loadFrames } from '../../../src/store/index.ts'
import { folders } from '../../../src/view/api/index.ts'
import { viewApp } from '../../../src/view/server/app.ts'
import { OpenRuns } from '../../../src/view/server/open-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-making-rows-'))
const dir = join(folder, 'run')
/** A page of a reading and a little more. */
const CELLS = 32_000
beforeAll(async () => {
  await makeRun(dir, CELLS)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('rows that a thread reads are those that are read here', async () => {
  await using run = await openRun(dir, await (await loadEnvironment([], {}, [])).runContext(), { mode: 'read' })
  const told: number[] = []
  const frames = await framesByThread(run, (done, of) => {
    expect(of).toBe(CELLS)
    told.push(done)
  })
  expect(told).toEqual([0, 20_000, CELLS])
  expect([...frames.pages()]).toEqual([...(await loadFrames(run)).pages()])
})

test('whoever asks meanwhile is answered, and told how far the rows are', async () => {
  const token = 'a-token-of-this-test'
  const runs = new OpenRuns([])
  const app = viewApp({ paths: [folder], token, assets: new Map(), runs })
  const ask = async (at: string): Promise<unknown> =>
    (
      await app.request(`http://127.0.0.1:7000${at}`, {
        headers: { host: '127.0.0.1:7000', authorization: `Bearer ${token}` },
      })
    ).json()
  const listed = async () => folders.parse(await ask('/api/folders')).folders[0]
  const before = await listed()
  expect(before).toMatchObject({ kind: 'run', making: null })
  const opened = ask(`/api/runs/${before?.id}/items`).then(() => 'opened')
  const seen: unknown[] = []
  while ((await Promise.race([opened, listed()])) !== 'opened') {
    const now = await listed()
    if (now?.kind === 'run' && now.making !== null) seen.push(now.making)
  }
  expect(seen).toContainEqual({ done: 0, of: CELLS })
  expect(await listed()).toMatchObject({ making: null })
  await runs.close()
})
