import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openLab } from '../../../src/index.ts'
import { folders } from '../../../src/view/api/index.ts'
import { viewApp } from '../../../src/view/server/app.ts'
import { OpenRuns } from '../../../src/view/server/open-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'touchstone-open-runs-'))
beforeAll(async () => {
  const lab = await openLab({ env: {} })
  const experiment = {
    items: [{ task: 'recoglab/comparison', preset: 'people', count: 6 }],
    models: ['baseline:oracle', 'baseline:random'],
  }
  for (const name of ['a', 'b', 'c', 'd']) await lab.run({ experiment, out: join(folder, name) })
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a run that is let go of while others are looked into has answered first', async () => {
  const token = 'a-token-of-this-test'
  const runs = new OpenRuns([], { runs: 3, withRows: 1 })
  const app = viewApp({ paths: [folder], token, assets: new Map(), runs })
  const ask = async (path: string): Promise<Response> =>
    app.request(`http://127.0.0.1:7000${path}`, {
      headers: { host: '127.0.0.1:7000', authorization: `Bearer ${token}` },
    })
  const listed = folders.parse(await (await ask('/api/folders')).json())
  const pages = ['overview', 'items', 'tokens', 'by-feature?x=symbols', 'compare?a=baseline:oracle&b=baseline:random']
  const asked = listed.folders.flatMap(({ id }) => pages.map((page) => `/api/runs/${id}/${page}`))
  const turns = [...asked, '/api/folders', ...asked.toReversed(), '/api/folders', ...asked]
  const answers = await Promise.all(turns.map(ask))
  expect(answers.flatMap(({ status }, i) => (status === 500 ? [turns[i]] : []))).toEqual([])
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(turns.length / 2)
  await runs.close()
})

test('a list of runs takes no rows from those that are looked into', async () => {
  const runs = new OpenRuns([], { runs: 8, withRows: 2 })
  const dirs = ['a', 'b', 'c', 'd'].map((name) => join(folder, name))
  const made = (dir: string) =>
    runs.visit(dir, async (viewed) => {
      let count = 0
      await viewed.remembered('what this test makes', () => Promise.resolve(++count))
      return count
    })
  const [a = '', b = '', c = ''] = dirs
  expect([await made(a), await made(b)]).toEqual([1, 1])
  for (const dir of dirs) await runs.glance(dir, ({ run }) => Promise.resolve(run.file.name))
  expect([await made(a), await made(b)]).toEqual([0, 0])
  expect([await made(c), await made(b), await made(a)]).toEqual([1, 0, 1])
  await runs.close()
})

test('a run that cannot be opened is told to whoever asked for it, and to nobody else', async () => {
  const runs = new OpenRuns([], { runs: 8, withRows: 1 })
  const nothing = (dir: string) => runs.visit(dir, () => Promise.resolve('opened'))
  const asked = await Promise.allSettled([nothing(join(folder, 'no run')), nothing(join(folder, 'a'))])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  await runs.close()
})

test('what changes while rows are too young to be made anew is announced once they no longer are', async () => {
  const runs = new OpenRuns([])
  const dir = join(folder, 'd')
  const look = () => runs.visit(dir, async (viewed) => [await viewed.frames(), viewed.revision()] as const)
  const [rows, seen] = await look()
  using ledger = new DatabaseSync(join(dir, 'ledger.db'))
  ledger.exec("UPDATE meta SET value = value + 1 WHERE key = 'revision'")
  expect(await look()).toEqual([rows, seen])
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 60_000)
  const announced = await runs.visit(dir, async (viewed) => {
    const before = viewed.revision()
    const frames = await viewed.frames()
    // Whoever works with rows has the same ones to its end.
    ledger.exec("UPDATE meta SET value = value + 1 WHERE key = 'revision'")
    clock.mockReturnValue(now + 120_000)
    expect(await viewed.frames()).toBe(frames)
    return before
  })
  const [later] = await look()
  clock.mockRestore()
  expect(announced).toBe(seen + 1)
  expect(later).not.toBe(rows)
  await runs.close()
})
