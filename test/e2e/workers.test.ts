import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { PostgresStore } from '../../src/extras/postgres/index.ts'
import { verifyRun } from '../../src/extras/seals/index.ts'
import {
  createRun,
  executeRun,
  mirrorRun,
  openRun,
  parseExperiment,
  pullRun,
  pushRun,
  type Run,
  workOnShared,
} from '../../src/runner/index.ts'
import { loadFrames } from '../../src/store/index.ts'
import { mockContext, scratch } from '../mock/context.ts'
import { parity, rightAnswer } from '../mock/parity.ts'
import { startPostgres } from '../mock/postgres.ts'
import { startMock } from '../mock/server.ts'
import { sample } from '../nightly.ts'

// The full size is for an hour that has time: TOUCHSTONE_WORKER_CELLS=200000.
const CELLS = Number(process.env['TOUCHSTONE_WORKER_CELLS'] ?? sample({ nightly: 1000, otherwise: 300 }))
/** Few cells are answered so slowly that the workers are killed in the midst of them. */
const LATENCY = Math.max(5, 20_000 / CELLS)
const WORKERS = 4
const server = await startPostgres()
if (typeof server === 'string') console.warn(`workers on PostgreSQL are not tested here: ${server}`)
afterAll(async () => {
  if (typeof server !== 'string') await server.stop()
})
const main = fileURLToPath(new URL('../mock/worker-main.ts', import.meta.url))
const url = typeof server === 'string' ? '' : server.url

const experiment = (base: string, count: number, limits: object = {}, more: object = {}) =>
  parseExperiment({
    items: { task: 'mock/parity', config: { digits: 9 }, count },
    models: [
      {
        model: 'openai-compatible:m',
        baseUrl: base,
        price: { input: 1, output: 10 },
        settings: { maxTokens: 50 },
        ...more,
      },
    ],
    limits: { timeout: 5, ...limits },
  })

const store = (run: Run, mode: 'make' | 'open') => (id: string) =>
  PostgresStore.open(url, id, { redact: run.redact, mode })

/** The outcome of each call, whoever asked it and when. */
async function outcomes(run: Run): Promise<readonly string[]> {
  const out: string[] = []
  for (const page of (await loadFrames(run)).pages())
    for (const { item, style, status, score, prediction } of page)
      out.push(JSON.stringify([item, style, status, score, prediction]))
  return out.sort()
}

const begin = (run: string): ChildProcess =>
  spawn(process.execPath, [main, '--store', url, '--run', run], { stdio: ['ignore', 'pipe', 'inherit'] })

/** A worker in this process: what workers share is in the store. */
async function work(run: Run, id: string): Promise<void> {
  await using shared = await store(run, 'open')(id)
  await workOnShared(shared, mockContext(), { concurrency: 8, random: () => 0.02 })
}

describe.skipIf(typeof server === 'string')('workers on PostgreSQL', () => {
  it(`${WORKERS} of them, two killed, answer as one process does, and pay for nothing that is not booked`, async () => {
    const { folder, remove } = await scratch()
    const mock = await startMock({ answer: rightAnswer, latency: LATENCY })
    try {
      await using alone = await createRun(
        { dir: join(folder, 'alone'), experiment: experiment(mock.url, CELLS) },
        mockContext(),
      )
      await executeRun(alone)
      const before = mock.books.length
      await using run = await createRun(
        { dir: join(folder, 'shared'), experiment: experiment(mock.url, CELLS) },
        mockContext(),
      )
      const pushed = await pushRun(run, store(run, 'make'), 'here')
      expect(pushed).toMatchObject({ calls: CELLS, waiting: CELLS })
      await expect(executeRun(run)).rejects.toThrow('touchstone cluster pull')
      const workers = Array.from({ length: WORKERS }, () => begin(pushed.run))
      const ends = workers.map((worker) => once(worker, 'exit'))
      await Promise.all(workers.map(({ stdout }) => once(stdout as NodeJS.ReadableStream, 'data')))
      await sleep(300)
      for (const worker of workers.slice(0, 2)) worker.kill('SIGKILL')
      await Promise.all(ends.slice(0, 2))
      await expect(pullRun(run, store(run, 'open'))).rejects.toThrow('hold')
      // A copy is read at any time: here in the middle of it all, and again at the end.
      const copy = async () => {
        await using shared = await store(run, 'open')(pushed.run)
        return await mirrorRun(shared, join(folder, 'copy'), 'here', mockContext())
      }
      expect((await copy()).ended).toBeLessThan(CELLS)
      // Nobody waits a minute here: the dead are declared dead.
      const sql = postgres(url, { max: 1 })
      for (const { pid } of workers.slice(0, 2))
        await sql`UPDATE ${sql(`touchstone_${pushed.run.replaceAll('-', '_')}.call`)} SET lease_until = 0
          WHERE owner LIKE ${`%/${pid}/%`}`
      await sql.end()
      const codes = await Promise.all(ends.slice(2))
      expect(codes.map(([code]) => code as number)).toEqual([0, 0])
      const { fresh, ended } = await copy()
      expect([ended, fresh > 0 && fresh < CELLS]).toEqual([CELLS, true])
      // Where nothing is new nothing changes, and rows that were made of the copy are not made again.
      const revision = async () => {
        await using read = await openRun(join(folder, 'copy'), mockContext(), { mode: 'read' })
        return read.ledger.revision()
      }
      const seen = await revision()
      expect(await copy()).toMatchObject({ fresh: 0, ended: CELLS })
      expect(await revision()).toBe(seen)
      const pulled = await pullRun(run, store(run, 'open'))
      expect(pulled).toMatchObject({ waiting: 0 })
      expect(await run.ledger.counts()).toEqual({ waiting: 0, leased: 0, batched: 0, done: CELLS, failed: 0 })
      expect(await outcomes(run)).toEqual(await outcomes(alone))
      await using mirrored = await openRun(join(folder, 'copy'), mockContext(), { mode: 'read' })
      expect(await outcomes(mirrored)).toEqual(await outcomes(alone))
      expect(mirrored.ledger.bookedUsd()).toBeCloseTo(run.ledger.bookedUsd(), 9)
      expect(await run.ledger.checkChain()).toMatchObject({ kind: 'whole', links: CELLS })
      const verified = await verifyRun(run)
      expect(verified.problems).toEqual([])
      // What the server answered is billed; what was asked by a worker that died is booked at the most it can cost.
      const answers = mock.books.slice(before).filter(({ answered }) => answered).length
      const each = (20 + 3 * 10) / 1e6
      expect(run.ledger.bookedUsd()).toBeGreaterThanOrEqual(answers * each - 1e-9)
      expect(await PostgresStore.runs(url)).toEqual([])
    } finally {
      await mock.close()
      await remove()
    }
  })

  it('keep to one budget together', async () => {
    const { folder, remove } = await scratch()
    const mock = await startMock({ answer: rightAnswer, latency: 2 })
    try {
      const usd = 0.01
      await using run = await createRun(
        { dir: join(folder, 'run'), experiment: experiment(mock.url, 400, { usd }) },
        mockContext(),
      )
      const { run: id } = await pushRun(run, store(run, 'make'), 'here')
      await Promise.all([work(run, id), work(run, id)])
      await pullRun(run, store(run, 'open'))
      const { done, waiting } = await run.ledger.counts()
      expect(waiting).toBeGreaterThan(0)
      // One process leaves less than two calls may cost at most, too.
      expect(run.ledger.bookedUsd()).toBeGreaterThan(usd - 0.002)
      expect(done).toBeGreaterThan(20)
      expect(run.ledger.bookedUsd()).toBeLessThanOrEqual(usd)
      expect(mock.books.filter(({ answered }) => answered).length * ((20 + 3 * 10) / 1e6)).toBeLessThanOrEqual(usd)
    } finally {
      await mock.close()
      await remove()
    }
  })

  it('go on after an item that its task cannot put into words', async () => {
    const { folder, remove } = await scratch()
    const mock = await startMock({ answer: rightAnswer })
    try {
      await using run = await createRun(
        { dir: join(folder, 'run'), experiment: experiment(mock.url, 5) },
        mockContext(),
      )
      const { run: id } = await pushRun(run, store(run, 'make'), 'here')
      const sql = postgres(url, { max: 1 })
      await sql`UPDATE ${sql(`touchstone_${id.replaceAll('-', '_')}.item`)} SET given = 'null' WHERE position = 2`
      await sql.end()
      await work(run, id)
      await pullRun(run, store(run, 'open'))
      expect(await run.ledger.counts()).toMatchObject({ done: 4, failed: 1 })
      expect(run.ledger.failures()).toMatchObject([{ code: 'threw', calls: 1 }])
      expect(run.ledger.bookedUsd()).toBeCloseTo((4 * (20 + 3 * 10)) / 1e6, 10)
    } finally {
      await mock.close()
      await remove()
    }
  })

  it('keep to one rate of requests and one of tokens together', async () => {
    const { folder, remove } = await scratch()
    const times: number[] = []
    const behave = (): undefined => void times.push(performance.now())
    const mock = await startMock({ answer: rightAnswer, latency: 20, behave })
    // Each call uses 23 tokens: the tokens of the second run let 20 calls a second through, as the requests of the first do.
    // A bucket of requests holds a second's worth, one of tokens six.
    const arms = [
      { rate: { requests: 1200 }, count: 80, burst: 20 },
      { rate: { tokens: 1200 * 23 }, count: 165, burst: 115 },
    ] as const
    try {
      for (const [i, { rate, count, burst }] of arms.entries()) {
        await using run = await createRun(
          { dir: join(folder, `run-${i}`), experiment: experiment(mock.url, count, {}, { rate, name: `m${i}` }) },
          mockContext(),
        )
        const { run: id } = await pushRun(run, store(run, 'make'), 'here')
        times.length = 0
        await Promise.all([work(run, id), work(run, id)])
        await pullRun(run, store(run, 'open'))
        expect(await run.ledger.counts()).toMatchObject({ done: count })
        const [first = 0] = times
        const early = times.filter((at, k) => k > burst + ((at - first) / 1000) * 20 + 2)
        expect(early).toEqual([])
        expect((times.at(-1) ?? 0) - first).toBeGreaterThan(((count - burst) / 20) * 900)
      }
    } finally {
      await mock.close()
      await remove()
    }
  })

  it.each(['fill', 'setMeta'] as const)('get a run whose first push was cut off at %s', async (step) => {
    const { folder, remove } = await scratch()
    const mock = await startMock({ answer: rightAnswer })
    try {
      await using run = await createRun(
        { dir: join(folder, 'run'), experiment: experiment(mock.url, 5) },
        mockContext(),
      )
      const cut = async (id: string) => {
        const made = await store(run, 'make')(id)
        const setMeta = made.setMeta.bind(made)
        // The last fact is what tells that the run is there.
        if (step === 'fill') made.addSnapshots = () => Promise.reject(new Error('cut off'))
        else
          made.setMeta = (key, value) =>
            key === 'run.json' ? Promise.reject(new Error('cut off')) : setMeta(key, value)
        return made
      }
      await expect(pushRun(run, cut, 'here')).rejects.toThrow('cut off')
      const { run: id } = await pushRun(run, store(run, 'make'), 'here')
      await expect(executeRun(run)).rejects.toThrow('touchstone cluster pull')
      await expect(pushRun(run, store(run, 'make'), 'here')).rejects.toThrow('touchstone cluster pull')
      await work(run, id)
      await pullRun(run, store(run, 'open'))
      expect(await run.ledger.counts()).toMatchObject({ done: 5 })
    } finally {
      await mock.close()
      await remove()
    }
  })

  it('are refused where their tasks are others, and batches are not pushed', async () => {
    const { folder, remove } = await scratch()
    try {
      await using run = await createRun(
        { dir: join(folder, 'run'), experiment: experiment('http://127.0.0.1:9/v1', 5) },
        mockContext(),
      )
      const { run: id } = await pushRun(run, store(run, 'make'), 'here')
      await using shared = await store(run, 'open')(id)
      const other = mockContext({ tasks: [{ ...parity, scorerVersion: 2 }] })
      await expect(workOnShared(shared, other)).rejects.toThrow(
        'scorer version 1; this worker has version 1, prompt version 1, scorer version 2',
      )
      // The same versions of a plugin whose content is another one.
      const planned = JSON.parse((await shared.meta('run.json')) ?? '') as object
      const plugin = { name: 'parity.ts', version: '1.0.0', sha256: 'a'.repeat(64) }
      await shared.setMeta('run.json', JSON.stringify({ ...planned, plugins: [plugin] }))
      await expect(workOnShared(shared, mockContext())).rejects.toThrow('this worker has none of that name')
      const changed = { ...mockContext(), plugins: [{ ...plugin, version: '1.0.1', sha256: 'b'.repeat(64) }] }
      await expect(workOnShared(shared, changed)).rejects.toThrow(
        'the plugin parity.ts (version 1.0.0, sha256 aaaaaaaaaaaa); this worker has one of that name with version 1.0.1, sha256 bbbbbbbbbbbb',
      )
      await shared.setMeta('run.json', JSON.stringify(planned))
      const facts = (await shared.meta('tasks')) ?? ''
      for (const lost of ['', '{', '[]']) {
        await shared.setMeta('tasks', lost)
        await expect(workOnShared(shared, mockContext())).rejects.toThrow('does not name the task versions')
      }
      // Whoever changes that row lets nobody in who asks in other words than run.json says.
      const words = mockContext({ tasks: [{ ...parity, promptVersion: 2 }] })
      await shared.setMeta('tasks', facts.replace('"promptVersion":1', '"promptVersion":2'))
      await expect(workOnShared(shared, words)).rejects.toThrow('prompt version 1')
      await shared.setMeta('tasks', facts)
      await pullRun(run, store(run, 'open'))
      await using again = await openRun(join(folder, 'run'), mockContext(), { mode: 'read' })
      expect(await again.ledger.counts()).toMatchObject({ waiting: 5 })
    } finally {
      await remove()
    }
  })
})
