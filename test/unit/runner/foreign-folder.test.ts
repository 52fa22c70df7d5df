import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyRun } from '../../../src/extras/seals/index.ts'
import { writeReportFiles } from '../../../src/report/index.ts'
import {
  createRun,
  executeRun,
  openRun,
  parseExperiment,
  RUN_FILES,
  type Run,
  repairRun,
  withRun,
} from '../../../src/runner/index.ts'
import { isStoreError, lockHolder } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { rightAnswer } from '../../mock/parity.ts'
import { startMock } from '../../mock/server.ts'

const { folder, remove } = await scratch()
afterAll(remove)
const context = mockContext()
const good = join(folder, 'good')
const victim = join(folder, 'victim')
const CONTENT = 'what belongs to somebody else\n'

beforeAll(async () => {
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'small', count: 4 },
    models: ['baseline:exact'],
  })
  await withRun(await createRun({ experiment, dir: good }, context), executeRun)
})

const report = {
  schema: 'touchstone/report/1',
  run: 'r',
  rows: 0,
  parser: null,
  tasks: [],
  verdict: null,
  headline: [],
  analyses: [],
  skipped: [],
} as const
const open = (dir: string, mode: 'read' | 'write', work: (run: Run) => Promise<unknown>) =>
  openRun(dir, context, { mode }).then((run) => withRun(run, work))

/** All that works in a folder that somebody sent. */
const doors: { readonly [name: string]: (dir: string) => Promise<unknown> } = {
  resume: (dir) => open(dir, 'write', executeRun),
  'resume --accept-older-ledger': async (dir) =>
    withRun(await openRun(dir, context, { mode: 'write', acceptOlderLedger: true }), executeRun),
  repair: (dir) => repairRun(dir, context),
  verify: (dir) => open(dir, 'read', verifyRun),
  report: (dir) => open(dir, 'read', () => writeReportFiles(report, { out: join(dir, RUN_FILES.report) })),
  run: async (dir) => {
    await rm(join(dir, RUN_FILES.run), { force: true })
    const experiment = parseExperiment({
      items: { task: 'mock/parity', preset: 'small', count: 4 },
      models: ['baseline:exact'],
    })
    return withRun(await createRun({ experiment, dir }, context), executeRun)
  },
  status: (dir) => Promise.resolve(lockHolder(join(dir, RUN_FILES.lock))),
}

/** Every name that this program reads or writes in a run folder. */
const names =
  `run.json ledger.db ledger.db-wal ledger.db-shm ledger.db-journal run.lock run.lock-journal live.json reserve.tmp
  selection.json seal.json seal.json.sig run.json.0a1b2c3d.partial ledger.db.repaired ledger.db.repaired-wal
  ledger.db.repaired.copy ledger.db.damaged-1 report report/index.html report/report.md report/report.json report/tables
  report/figures report/tables/x.csv`.split(/\s+/u)

describe('a folder with links in it', () => {
  it.each(names)('%s leads elsewhere: nothing there is read or changed', async (name) => {
    for (const [door, work] of Object.entries(doors))
      for (const target of ['file', 'folder', 'nothing'] as const) {
        const [dir, elsewhere] = [join(folder, 'received'), join(folder, 'elsewhere')]
        await rm(dir, { recursive: true, force: true })
        await rm(elsewhere, { recursive: true, force: true })
        await cp(good, dir, { recursive: true })
        await mkdir(elsewhere)
        await writeFile(victim, CONTENT)
        const path = join(dir, name)
        await mkdir(join(path, '..'), { recursive: true })
        await rm(path, { recursive: true, force: true })
        await symlink(target === 'file' ? victim : target === 'folder' ? elsewhere : join(elsewhere, 'new'), path)
        const said = await work(dir).catch((error: unknown) => error)
        const what = `${door}, ${name} -> ${target}`
        if (said instanceof Error) expect(isStoreError(said) || 'kind' in said, `${what}: ${said.stack}`).toBe(true)
        expect(await readFile(victim, 'utf8'), what).toBe(CONTENT)
        expect(await readdir(elsewhere), what).toEqual([])
        if (['resume', 'repair', 'verify'].includes(door) && existsSync(join(dir, 'run.json')) && name !== 'run.json')
          expect(String(said), what).toMatch(/is a link: only files and folders may be here/u)
      }
  })
})

it('a folder that is moved away while its run works keeps its own, and the next run in its place too', async () => {
  const [dir, away] = [join(folder, 'latest'), join(folder, 'away')]
  let goOn = (): void => undefined
  const halfway = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let asked = 0
  const server = await startMock({
    answer: (prompt) => {
      if (++asked === 10) goOn()
      return rightAnswer(prompt)
    },
    latency: 20,
  })
  const experiment = parseExperiment({
    items: { task: 'mock/parity', config: { digits: 9 }, count: 40 },
    models: [{ model: 'openai-compatible:m', baseUrl: server.url }],
    limits: { concurrency: 2 },
  })
  try {
    const first = withRun(await createRun({ experiment, dir }, context), executeRun).catch((error: unknown) => error)
    await halfway
    await rename(dir, away)
    const second = await createRun({ experiment, dir }, context)
    await withRun(second, async (run) => {
      const ended = await first
      expect(isStoreError(ended) && ended.message).toMatch(/latest was moved or replaced .*: touchstone resume FOLDER/u)
      expect(JSON.parse(await readFile(join(dir, 'run.json'), 'utf8'))).toMatchObject({ id: run.file.id })
      await executeRun(run)
    })
    for (const place of [dir, away]) {
      expect(await open(place, 'write', executeRun), place).toMatchObject({ status: 'completed', counts: { done: 40 } })
      expect(await open(place, 'read', verifyRun), place).toMatchObject({ mismatches: 0, responses: 40 })
    }
    // Nothing was paid twice.
    expect(server.books.length).toBe(80)
  } finally {
    await server.close()
  }
})
