import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { PostgresStore, schemaOf } from '../../src/extras/postgres/index.ts'
import { verifyRun } from '../../src/extras/seals/index.ts'
import {
  createRun,
  type ExecuteOptions,
  type ExecuteResult,
  executeRun,
  openRun,
  parseExperiment,
  pullRun,
  pushRun,
  type Run,
  workOnShared,
} from '../../src/runner/index.ts'
import { BILLED, PLACES } from '../mock/batch-deaths.ts'
import { type BatchMockOptions, type Step, startBatchMock } from '../mock/batches.ts'
import { mockContext, scratch } from '../mock/context.ts'
import { rightAnswer } from '../mock/parity.ts'
import { startPostgres } from '../mock/postgres.ts'
import { startMock } from '../mock/server.ts'
import { nightly } from '../nightly.ts'

const [LINES, EACH, LIVE] = [40, 15, 30]
const PROTOCOLS = nightly ? (['openai', 'anthropic', 'google'] as const) : (['openai'] as const)
const server = await startPostgres()
if (typeof server === 'string') console.warn(`batches of workers are not tested here: ${server}`)
const url = typeof server === 'string' ? '' : server.url
afterAll(async () => {
  if (typeof server !== 'string') await server.stop()
})
const main = fileURLToPath(new URL('../mock/worker-main.ts', import.meta.url))
const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }

const open = (run: Run, mode: 'make' | 'open') => (id: string) =>
  PostgresStore.open(url, id, { redact: run.redact, mode })

/** One model in batches, one live. */
const mixed = (protocol: string, batches: string, live: string) =>
  parseExperiment({
    items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: LINES },
    models: [
      {
        model: `${protocol}:m`,
        name: 'slow',
        baseUrl: batches,
        batch: { lines: EACH },
        price: { input: 1, output: 10 },
        settings: { maxTokens: 100 },
      },
      { model: 'openai-compatible:m', name: 'live', baseUrl: live, subsample: { fraction: LIVE / LINES } },
    ],
    limits: { timeout: 5 },
  })

describe.skipIf(typeof server === 'string')('batches of a run that workers share', () => {
  it.each(PROTOCOLS)(
    'are looked after by one worker after another, each killed or stopped at a step of %s, and nothing is lost or paid twice',
    async (protocol) => {
      const { folder, remove } = await scratch()
      const sql = postgres(url, { max: 1, onnotice: () => undefined })
      const missed: Step[] = [...PLACES[protocol]]
      let schema = ''
      let strikes = 0
      const workers = new Map<number, ChildProcess>()
      const stopped: ChildProcess[] = []
      const ends: Promise<unknown>[] = []
      const begin = (run: string): void => {
        const child = spawn(process.execPath, [main, '--store', url, '--run', run], {
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        workers.set(child.pid as number, child)
        ends.push(once(child, 'exit').then(([code]) => code as number | null))
      }
      let id = ''
      /** Ends or stops whoever looks after the batches; nobody waits a minute here: it is declared dead. */
      const strike = async (): Promise<void> => {
        const [keeper] =
          await sql`UPDATE ${sql(`${schema}.keeper`)} SET lease_until = 0 WHERE model = 'slow' RETURNING owner`
        const owner = String(keeper?.['owner'])
        const child = workers.get(Number(owner.split('/')[1]))
        if (strikes % 2 === 0) child?.kill('SIGKILL')
        else {
          child?.kill('SIGSTOP')
          if (child !== undefined) stopped.push(child)
        }
        await sql`UPDATE ${sql(`${schema}.call`)} SET lease_until = 0 WHERE owner = ${owner} AND state = 'leased'`
        begin(id)
        strikes++
      }
      const step: BatchMockOptions['step'] = async (what) => {
        if (what !== missed[0]) return undefined
        missed.shift()
        await strike()
        return 'cut'
      }
      const mock = await startBatchMock({ protocol, strangers: 3, step })
      const live = await startMock({ answer: rightAnswer })
      try {
        await using run = await createRun(
          { dir: join(folder, 'run'), experiment: mixed(protocol, mock.url, live.url) },
          mockContext({ env }),
        )
        ;({ run: id } = await pushRun(run, open(run, 'make'), 'here'))
        schema = schemaOf(id)
        for (let i = 0; i < 3; i++) begin(id)
        while (strikes < PLACES[protocol].length) await sleep(100)
        // They wake up, and find that others did their work.
        for (const child of stopped) child.kill('SIGCONT')
        const codes = await Promise.all(ends)
        expect(codes.filter((code) => code !== null && code !== 0)).toEqual([])
        await pullRun(run, open(run, 'open'))
        const { done } = await run.ledger.counts()
        expect(await run.ledger.counts()).toMatchObject({ waiting: 0, leased: 0, batched: 0, failed: 0 })
        const lines = (await run.ledger.counts('slow')).done
        expect(lines).toBe(LINES)
        expect(done - lines).toBeGreaterThan(0)
        expect([mock.batches, mock.computed]).toEqual([Math.ceil(LINES / EACH), LINES])
        expect(Math.max(...mock.byPrompt.values())).toBe(1)
        expect(run.ledger.bookedUsd()).toBeCloseTo(LINES * BILLED, 8)
        expect((await verifyRun(run)).problems).toEqual([])
      } finally {
        for (const child of workers.values()) child.kill('SIGKILL')
        await Promise.all(ends)
        await sql.end()
        await mock.close()
        await live.close()
        await remove()
      }
    },
    120_000,
  )

  /** A worker in this process. */
  async function work(run: Run, id: string, more: ExecuteOptions = {}): Promise<ExecuteResult> {
    await using shared = await open(run, 'open')(id)
    return await workOnShared(shared, mockContext({ env }), { poll: 0.02, settling: 0, random: () => 0.02, ...more })
  }

  it.each(PROTOCOLS)(
    'move between folder and store while %s has them, as often as somebody likes',
    async (protocol) => {
      const { folder, remove } = await scratch()
      const mock = await startBatchMock({ protocol, looks: 3 })
      const live = await startMock({ answer: rightAnswer })
      const dir = join(folder, 'run')
      const write = () => openRun(dir, mockContext({ env }), { mode: 'write' })
      const asked = { poll: 0.02, settling: 0, wait: false, random: () => 0 } as const
      try {
        {
          await using run = await createRun(
            { dir, experiment: mixed(protocol, mock.url, live.url) },
            mockContext({ env }),
          )
          expect(await executeRun(run, asked)).toMatchObject({ status: 'batches-pending', counts: { batched: LINES } })
          const { run: id } = await pushRun(run, open(run, 'make'), 'here')
          expect(await work(run, id, { wait: false })).toMatchObject({
            status: 'batches-pending',
            counts: { batched: LINES },
          })
          // Whose worker is gone is looked after by nobody: it may be brought back with all its batches.
          await pullRun(run, open(run, 'open'))
          expect((await run.ledger.openBatches()).map(({ providerId }) => typeof providerId)).toEqual([
            'string',
            'string',
            'string',
          ])
          expect(await run.ledger.counts()).toMatchObject({ batched: LINES, waiting: 0 })
        }
        {
          await using run = await write()
          const { run: id } = await pushRun(run, open(run, 'make'), 'here')
          const [one, other] = await Promise.all([work(run, id), work(run, id)])
          expect([one.status, other.status]).toEqual(['completed', 'completed'])
          await pullRun(run, open(run, 'open'))
          expect(await run.ledger.openBatches()).toEqual([])
          expect((await run.ledger.counts('slow')).done).toBe(LINES)
          expect((await verifyRun(run)).problems).toEqual([])
          expect(run.ledger.bookedUsd()).toBeCloseTo(LINES * BILLED, 8)
        }
        // Nothing is left to be asked or sent.
        await using run = await write()
        expect(await executeRun(run, asked)).toMatchObject({ status: 'completed' })
        expect([mock.batches, mock.computed]).toEqual([Math.ceil(LINES / EACH), LINES])
      } finally {
        await mock.close()
        await live.close()
        await remove()
      }
    },
  )

  it('keep to one budget with the calls that other workers make', async () => {
    const { folder, remove } = await scratch()
    const mock = await startBatchMock({ protocol: 'openai' })
    const live = await startMock({ answer: rightAnswer, latency: 5 })
    try {
      const usd = 0.0035
      const experiment = parseExperiment({
        items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: LINES },
        models: [
          {
            model: 'openai:m',
            name: 'slow',
            baseUrl: mock.url,
            batch: { lines: EACH },
            price: { input: 1, output: 10 },
            settings: { maxTokens: 100 },
          },
          {
            model: 'openai-compatible:m',
            name: 'live',
            baseUrl: live.url,
            price: { input: 1, output: 10 },
            settings: { maxTokens: 100 },
          },
        ],
        limits: { timeout: 5, usd },
      })
      await using run = await createRun({ dir: join(folder, 'run'), experiment }, mockContext({ env }))
      const { run: id } = await pushRun(run, open(run, 'make'), 'here')
      const ends = await Promise.all([work(run, id), work(run, id)])
      await pullRun(run, open(run, 'open'))
      const { done, waiting, batched } = await run.ledger.counts()
      expect([ends.map(({ status }) => status), batched]).toEqual([['cost-limit', 'cost-limit'], 0])
      expect(waiting).toBeGreaterThan(0)
      expect(done).toBeGreaterThan(15)
      expect(run.ledger.bookedUsd()).toBeLessThanOrEqual(usd)
      const answers = live.books.filter(({ answered }) => answered).length
      expect((mock.computed + answers) * BILLED).toBeLessThanOrEqual(usd)
      expect(run.ledger.bookedUsd()).toBeCloseTo((mock.computed + answers) * BILLED, 8)
    } finally {
      await mock.close()
      await live.close()
      await remove()
    }
  })
})
