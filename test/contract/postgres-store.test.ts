import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PostgresStore, schemaOf } from '../../src/extras/postgres/index.ts'
import { type LeasedCall, noRedaction, RUN_KEY } from '../../src/store/index.ts'
import { startPostgres } from '../mock/postgres.ts'
import { batch, response, storeTests } from './store-tests.ts'
import { tokenBucketTests } from './token-bucket-tests.ts'

const redact = { known: noRedaction, shapes: noRedaction }
const server = await startPostgres()
if (typeof server === 'string') console.warn(`PostgreSQL is not tested here: ${server}`)
const cleaning: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})
afterAll(async () => {
  if (typeof server !== 'string') await server.stop()
})

const open = async (run: string, mode: 'make' | 'open'): Promise<PostgresStore> => {
  if (typeof server === 'string') throw new Error(server)
  const store = await PostgresStore.open(server.url, run, { redact, mode })
  cleaning.push(() => store[Symbol.asyncDispose]().catch(() => undefined))
  return store
}

/** Does something in the database that no store does. */
async function behind(run: string, sql: string): Promise<void> {
  const own = postgres(typeof server === 'string' ? '' : server.url, {
    max: 1,
    connection: { search_path: schemaOf(run) },
  })
  await own.unsafe(sql)
  await own.end()
}

/** The first message of a connection without the schema it asks for: `length, version, name, value, ..., end`. */
function withoutSchema(message: Buffer): Buffer {
  const words = message.subarray(8, -1).toString('utf8').split('\0').slice(0, -1)
  const at = words.indexOf('search_path')
  const body = Buffer.from(`${words.toSpliced(at, 2).join('\0')}\0\0`, 'utf8')
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length, 0)
  message.copy(head, 4, 4, 8)
  return Buffer.concat([head, body])
}

// First: once a database has answered, one that stays away is waited for.
it('a database that is not there is named', async () => {
  await expect(
    PostgresStore.open('postgres://postgres@127.0.0.1:9/postgres', 'r', { redact, mode: 'open' }),
  ).rejects.toMatchObject({ kind: 'store', message: expect.stringContaining('PostgreSQL') as string })
})

describe.skipIf(typeof server === 'string')('the PostgreSQL store', () => {
  storeTests(async () => {
    const run = randomUUID()
    const a = await open(run, 'make')
    return {
      a,
      tamper: (sql) => behind(run, sql),
      crash: async () => {
        // The whole server dies, and starts again on what is on disk.
        if (typeof server !== 'string') await server.crash()
        const store = await open(run, 'open')
        await store.releaseAll('A')
        return store
      },
    }
  })

  it('gives a cell to one of many workers, and all of them together every cell', async () => {
    const run = randomUUID()
    const first = await open(run, 'make')
    await first.plan(batch(500))
    const workers = await Promise.all([1, 2, 3, 4].map(() => open(run, 'open')))
    const taken = await Promise.all(
      workers.map(async (store, i) => {
        const mine: LeasedCall[] = []
        for (;;) {
          const cells = await store.lease(7, `w${i}`, 60_000, 'm')
          if (cells.length === 0) return mine
          mine.push(...cells)
          await store.commit(cells.map((cell) => response(cell)))
        }
      }),
    )
    const all = taken.flat().map(({ id }) => id)
    expect(all.length).toBe(500)
    expect(new Set(all).size).toBe(500)
    expect(await first.counts()).toMatchObject({ done: 500, waiting: 0, leased: 0 })
    expect(await first.checkChain()).toMatchObject({ kind: 'whole', links: 500 })
  })

  it('holds what a worker renews, and hands out what it does not', async () => {
    const run = randomUUID()
    const a = await open(run, 'make')
    await a.plan(batch(2))
    await a.lease(1, 'A', -1, 'm')
    await a.renewLeases('A', 60_000)
    await a.lease(1, 'gone', -1, 'm')
    expect((await a.lease(9, 'B', 60_000, 'm')).map(({ attempt }) => attempt)).toEqual([2])
  })

  describe('lets calls through for all workers of a database', () => {
    tokenBucketTests(async () => {
      const [one, other] = [await open(randomUUID(), 'make'), await open(randomUUID(), 'make')]
      const key = randomUUID()
      let turn = 0
      return {
        buckets: {
          // Two runs, one account.
          acquire: (name, rate, sizes, back) =>
            (turn++ % 2 === 0 ? one : other).sharedLimits.acquire(`${key} ${name}`, rate, sizes, back),
        },
        now: () => performance.now(),
        wait: sleep,
      }
    }, 0.05)
  })

  it('tells workers of pauses, and lets nothing through in them', async () => {
    const { sharedLimits } = await open(randomUUID(), 'make')
    const key = randomUUID()
    expect(await sharedLimits.peerStatus([key])).toEqual([])
    await sharedLimits.pause(key, 5000)
    await sharedLimits.pause(key, 10)
    const [news] = await sharedLimits.peerStatus([key, 'other'])
    expect(news?.pauseMs).toBeGreaterThan(4000)
    const passed = await sharedLimits.acquire(key, { requests: 1000 }, [0], 0)
    expect(passed.calls).toBe(0)
    expect(passed.waitMs).toBeGreaterThan(4000)
  })

  it('tells workers who gave up and why, whatever a server wrote', async () => {
    const { sharedLimits } = await open(randomUUID(), 'make')
    const key = randomUUID()
    await sharedLimits.reportStopped(key, 'A', '{"message":"\u0000 \' \\"}')
    const [news] = await sharedLimits.peerStatus([key])
    expect(news).toMatchObject({ key, pauseMs: 0, stopped: { by: 'A', cause: '{"message":"\u0000 \' \\"}' } })
  })

  it('lets nobody ask or give back what others hold by now, who stood still for longer than a lease', async () => {
    const run = randomUUID()
    const [late, other] = [await open(run, 'make'), await open(run, 'open')]
    await late.plan(batch(1))
    const [lost] = (await late.lease(1, 'late', -1, 'm')) as [LeasedCall]
    const [cell] = (await other.lease(1, 'other', 60_000, 'm')) as [LeasedCall]
    const of = ({ id, attempt }: LeasedCall) =>
      ({ kind: 'attempt', call: id, attempt, started: 1, maxUsd: 0.5 }) as const
    expect(await late.bookAttempt(of(lost), 'late')).toBe('lost')
    expect(await other.bookAttempt(of(cell), 'other')).toBe('booked')
    // A further try of the one has the number that the other has.
    expect(await late.bookAttempt(of(cell), 'late')).toBe('lost')
    await late.commit([{ kind: 'attempt', call: cell.id, attempt: cell.attempt, started: 2 }])
    await late.commit([{ kind: 'release', call: lost.id, attempt: lost.attempt, sent: false }])
    expect(await other.counts()).toMatchObject({ leased: 1, waiting: 0 })
    expect(await other.bookedUsd()).toBe(0.5)
  })

  it('lets one worker at a time look after the batches of a model, and nobody who stood still for longer than that', async () => {
    const run = randomUUID()
    const [late, other] = [await open(run, 'make'), await open(run, 'open')]
    await late.plan(batch(4))
    expect(await late.batchLease.renew('m', 'late', 60_000)).toBe(false)
    expect(await late.batchLease.acquire('m', 'late', -1)).toBe(true)
    const lines = async (store: PostgresStore, owner: string) =>
      (await store.lease(2, owner, 60_000, 'm')).map(({ id, attempt }) => ({ call: id, attempt, maxUsd: 0.5 }))
    const mine = await lines(late, 'late')
    // Nobody took over: it is its own still.
    expect(await late.batchLease.renew('m', 'late', -1)).toBe(true)
    expect(await late.recordBatch({ kind: 'intended', key: 'k1', model: 'm', at: 1, lines: mine }, 'late')).toBe(
      'booked',
    )
    expect(await other.batchLease.acquire('m', 'other', 60_000)).toBe(true)
    expect(await late.batchLease.acquire('m', 'late', 60_000)).toBe(false)
    expect(await late.batchLease.acquire('n', 'late', 60_000)).toBe(true)
    const found = { kind: 'accepted', key: 'k1', providerId: 'r', at: 2 } as const
    expect([await late.batchLease.renew('m', 'late', 60_000), await late.recordBatch(found, 'late')]).toEqual([
      false,
      'lost',
    ])
    await late.renewLeases('late', 60_000)
    expect(await other.recordBatch(found, 'other')).toBe('booked')
    expect(await other.openBatches()).toMatchObject([{ key: 'k1', providerId: 'r' }])
    // Cells that another holds go into no batch, and nothing of it is written.
    const theirs = await lines(late, 'late')
    expect(await other.recordBatch({ kind: 'intended', key: 'k2', model: 'm', at: 3, lines: theirs }, 'other')).toBe(
      'lost',
    )
    expect([(await other.openBatches()).length, await other.bookedUsd()]).toEqual([1, 1])
    expect(await other.close()).toEqual({ calls: 2, models: ['m', 'n'] })
    // What was left has been nobody's in between: it is not held any more.
    await other.batchLease.release('m', 'other')
    expect([await late.batchLease.renew('m', 'late', 1), await late.batchLease.acquire('m', 'late', 1)]).toEqual([
      false,
      true,
    ])
  })

  it('hands nothing out any more once it is closed, and what who stood still held is nobody\u2019s', async () => {
    const run = randomUUID()
    const [late, other] = [await open(run, 'make'), await open(run, 'open')]
    await late.plan(batch(4))
    const [cell] = (await late.lease(1, 'late', 60_000, 'm')) as [LeasedCall]
    expect(await other.close()).toEqual({ calls: 1, models: [] })
    expect((await other.lease(1, 'other', -1, 'm')).length).toBe(1)
    await late.renewLeases('late', -1)
    await late.batchLease.acquire('m', 'late', -1)
    expect(await other.close()).toEqual({ calls: 0, models: [] })
    expect(await other.close()).toEqual({ calls: 0, models: [] })
    const asking = { kind: 'attempt', call: cell.id, attempt: cell.attempt, started: 1, maxUsd: 0.5 } as const
    expect(await late.bookAttempt(asking, 'late')).toBe('lost')
    expect(await late.batchLease.renew('m', 'late', 60_000)).toBe(false)
    expect(await other.batchLease.acquire('m', 'other', 60_000)).toBe(false)
    expect(await other.lease(9, 'other', 60_000, 'm')).toEqual([])
    expect(await other.counts()).toMatchObject({ waiting: 4, leased: 0 })
    await other.setMeta(RUN_KEY, '{}')
    await other.release()
    expect(await (await open(run, 'make')).counts()).toMatchObject({ waiting: 0 })
    await expect(other.drop().then(() => late.counts())).rejects.toThrow('brought back (touchstone cluster pull)')
  })

  it('books a batch as a whole where the budget holds it, and once, however often it is told', async () => {
    const run = randomUUID()
    const store = await open(run, 'make')
    await store.plan(batch(6))
    await store.batchLease.acquire('m', 'A', 60_000)
    await store.setBudget(1.2)
    const lines = async () =>
      (await store.lease(3, 'A', 60_000, 'm')).map(({ id, attempt }) => ({ call: id, attempt, maxUsd: 0.3 }))
    const first = { kind: 'intended', key: 'k1', model: 'm', at: 1, lines: await lines() } as const
    const second = { ...first, key: 'k2', lines: await lines() }
    expect(await store.remainingBudget()).toBe(1.2)
    expect(await store.recordBatch(first, 'A')).toBe('booked')
    expect(await store.recordBatch(first, 'A')).toBe('booked')
    expect(await store.remainingBudget()).toBeCloseTo(0.3, 12)
    expect(await store.recordBatch(second, 'A')).toBe('over')
    expect(await store.counts()).toMatchObject({ batched: 3, leased: 3 })
    const read: number[] = []
    for await (const page of store.openBatchLines('k1')) read.push(...page.map(({ lineNo }) => lineNo))
    expect(read).toEqual([0, 1, 2])
    expect((await store.openBatches()).map(({ key }) => key)).toEqual(['k1'])
  })

  it('goes on where its connections are cut, in the middle of whatever it does', async () => {
    const run = randomUUID()
    const store = await open(run, 'make')
    await store.plan(batch(120))
    const cutter = postgres(typeof server === 'string' ? '' : server.url, { max: 1 })
    cleaning.push(() => cutter.end())
    let cuts = 0
    let cutting = true
    const cut = (async () => {
      while (cutting) {
        // Those that stand: what a client library makes of a connection that is cut before it stands is its own affair.
        const rows = await cutter`SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity
          WHERE application_name = 'touchstone' AND backend_start < now() - interval '150 ms'`
        cuts += rows.length
        await sleep(250)
      }
    })()
    const seen: number[] = []
    for (;;) {
      const cells = await store.lease(9, 'A', 60_000, 'm')
      if (cells.length === 0) break
      for (const { id, attempt } of cells)
        expect(await store.bookAttempt({ kind: 'attempt', call: id, attempt, started: 1, maxUsd: 0.5 }, 'A')).toBe(
          'booked',
        )
      await Promise.all(cells.map((cell) => store.commit([response(cell)])))
      seen.push(...cells.map(({ id }) => id))
      // A fast machine would be done before it was cut.
      while (seen.length > 60 && cuts < 2) await store.counts()
    }
    cutting = false
    await cut
    expect(cuts).toBeGreaterThan(1)
    expect(new Set(seen).size).toBe(seen.length)
    expect(await store.counts()).toMatchObject({ done: 120, waiting: 0, leased: 0 })
    expect(await store.checkChain()).toMatchObject({ kind: 'whole', links: 120 })
  })

  it('misses the last responses where they are taken out', async () => {
    const run = randomUUID()
    const store = await open(run, 'make')
    await store.plan(batch(3))
    await store.commit((await store.lease(3, 'A', 60_000, 'm')).map((cell) => response(cell)))
    await behind(run, 'DELETE FROM response WHERE seq = 3')
    expect(await store.checkChain()).toMatchObject({ kind: 'broken', call: null })
  })

  it('refuses a pooler that leaves out what a connection is to begin with, before anything is written', async () => {
    const real = Number(new URL(typeof server === 'string' ? '' : server.url).port)
    const pooler = createServer((client) => {
      const database = connect(real, '127.0.0.1')
      client.once('data', (first) => {
        database.write(withoutSchema(first))
        client.pipe(database)
      })
      database.pipe(client).on('error', () => undefined)
      database.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve))
    const url = `postgres://postgres@127.0.0.1:${(pooler.address() as AddressInfo).port}/postgres`
    await expect(PostgresStore.open(url, randomUUID(), { redact, mode: 'make' })).rejects.toThrow('a connection pooler')
    await expect(PostgresStore.runs(url)).rejects.toThrow('the database itself')
    pooler.close()
  })

  it('refuses tables of another version', async () => {
    const run = randomUUID()
    await open(run, 'make')
    await behind(run, "UPDATE meta SET value = '1' WHERE key = 'schema'")
    await expect(open(run, 'open')).rejects.toThrow('Pull it with the version that pushed it')
  })

  it('knows its runs', async () => {
    await expect(open('none', 'open')).rejects.toThrow('no run none')
    const run = randomUUID()
    const first = await open(run, 'make')
    await first.plan(batch(3))
    // Not brought here to its end: made anew.
    const again = await open(run, 'make')
    expect(await again.counts()).toMatchObject({ waiting: 0 })
    await again.setMeta(RUN_KEY, '{}')
    await expect(open(run, 'make')).rejects.toThrow('already')
  })
})

it('an address that is none is a usage error', async () => {
  await expect(PostgresStore.open('http://x', 'r', { redact, mode: 'open' })).rejects.toThrow('postgres://')
})

it.each(['postgres://u:hide%me@127.0.0.1:9/x', 'postgres://u:hide/me@127.0.0.1:9/x', 'postgres://u:hideme@h:99999/x'])(
  'an address that cannot be read is a usage error without its password: %s',
  async (url) => {
    const error = await PostgresStore.runs(url).catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ kind: 'usage', message: expect.stringMatching(/^(?!.*hide).*%25/u) as string })
  },
)
