import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRun } from '../../../bench/view/make-run.ts'
import { loadEnvironment } from '../../../src/lab/environment.ts'
import { rowsByThreads } from '../../../src/lab/rows.ts'
import { openRun, RUN_FILES, refreshRunRows } from '../../../src/runner/index.ts'
import { places } from '../../../src/view/api/index.ts'
import { viewApp } from '../../../src/view/server/app.ts'
import { OpenRuns } from '../../../src/view/server/open-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-making-rows-'))
const dir = join(folder, 'run')
const path = join(dir, RUN_FILES.rows)
/** A row group and a little more: two parts. */
const CELLS = 32_000
beforeAll(async () => {
  await makeRun(dir, CELLS)
})
afterAll(() => rmSync(folder, { recursive: true }))

const digest = (): string => createHash('sha256').update(readFileSync(path)).digest('hex')

test('rows made by threads are those made by one, byte for byte', async () => {
  await using run = await openRun(dir, await (await loadEnvironment([], {}, [])).runContext(), { mode: 'read' })
  await refreshRunRows(run)
  const alone = digest()
  rmSync(path)
  const told: number[] = []
  await rowsByThreads(run, (done, of) => {
    expect(of).toBe(CELLS)
    told.push(done)
  })
  expect(digest()).toBe(alone)
  expect(told).toEqual([0, 30_720, CELLS])
})

test('whoever asks meanwhile is answered, and told how far the rows are', async () => {
  rmSync(path, { force: true })
  const token = 'a-token-of-this-test'
  const runs = new OpenRuns([])
  const app = viewApp({ paths: [folder], token, assets: new Map(), runs })
  const ask = async (at: string): Promise<unknown> =>
    (
      await app.request(`http://127.0.0.1:7000${at}`, {
        headers: { host: '127.0.0.1:7000', authorization: `Bearer ${token}` },
      })
    ).json()
  const listed = async () => places.parse(await ask('/api/places')).places[0]
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
