import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUsageError } from '../../src/core/index.ts'
import { PostgresStore, schemaOf } from '../../src/extras/postgres/index.ts'
import { verifyRun } from '../../src/extras/seals/index.ts'
import { loadEnvironment } from '../../src/lab/environment.ts'
import { mirrored } from '../../src/lab/stored.ts'
import {
  allowance,
  createRun,
  mirrorRun,
  openRun,
  parseExperiment,
  pullRun,
  pushRun,
  type Trust,
  withRun,
  workOnShared,
} from '../../src/runner/index.ts'
import { isStoreError, noRedaction } from '../../src/store/index.ts'
import { mockContext, scratch } from '../mock/context.ts'
import { rightAnswer } from '../mock/parity.ts'
import { startPostgres } from '../mock/postgres.ts'
import { startMock } from '../mock/server.ts'
import { sample } from '../nightly.ts'

const server = await startPostgres()
if (typeof server === 'string') console.warn(`stores of others are not tested here: ${server}`)
const url = typeof server === 'string' ? '' : server.url
const { folder, remove } = await scratch()
const model = await startMock({ answer: rightAnswer })
const origin = new URL(model.url).origin
afterAll(async () => {
  await model.close()
  if (typeof server !== 'string') await server.stop()
  await remove()
})

const redact = { known: noRedaction, shapes: noRedaction }
const open = (run: string, at = url) => PostgresStore.open(at, run, { redact, mode: 'open' })
const stranger = (allowed: Trust['allowed'] = []): Trust => ({ allowed, made: new Set<string>() })
const env = { MINE: 'my-secret-key-of-this-machine' }

let n = 0
/** A run that somebody else put into the store. */
async function pushed(spec: object = {}, count = 3): Promise<{ readonly id: string; readonly dir: string }> {
  const dir = join(folder, `pushed-${n++}`)
  const context = mockContext({ trust: stranger(), env: { ...env } })
  const experiment = parseExperiment({
    items: { task: 'mock/parity', config: { digits: 9 }, count },
    models: [{ model: 'openai-compatible:m', baseUrl: model.url, ...spec }],
    limits: { retries: 0, timeout: 5 },
  })
  await using run = await createRun({ experiment, dir }, context)
  const { run: id } = await pushRun(run, (name) => PostgresStore.open(url, name, { redact, mode: 'make' }), 'here')
  return { id, dir }
}

async function work(id: string, trust: Trust): Promise<string> {
  await using store = await open(id)
  return (await workOnShared(store, mockContext({ env, trust }), { random: () => 0.02 })).status
}

const inWords = (error: unknown): string => {
  if (!isStoreError(error) && !isUsageError(error)) throw error
  return (error as Error).message
}

describe.skipIf(typeof server === 'string')('a store that somebody else wrote to', () => {
  it('makes a worker start no program and send no variable until its owner allows it', async () => {
    const proof = join(folder, 'ran')
    const program = await pushed({ model: `exec:touch ${proof}; cat` })
    await expect(work(program.id, stranger())).rejects.toThrow(
      `It would start the program touch ${proof}; cat. If you trust its author: touchstone cluster worker --allow-exec 'touch ${proof}; cat'`,
    )
    expect(existsSync(proof)).toBe(false)
    const before = model.books.length
    const key = await pushed({ apiKeyEnv: 'MINE' })
    await expect(work(key.id, stranger())).rejects.toThrow(`send the variable MINE to ${origin}`)
    expect(model.books.length).toBe(before)
    expect(await work(key.id, stranger(allowance('env', `MINE=${origin}`)))).toBe('completed')
    expect(model.books.slice(before).map(({ authorization }) => authorization)).toEqual(
      Array(3).fill(`Bearer ${env.MINE}`),
    )
  })

  it('names no path: schemas and pushes of odd names write nothing outside of the home', async () => {
    const { id } = await pushed()
    const sql = postgres(url, { max: 1, onnotice: () => undefined })
    await sql.unsafe('CREATE SCHEMA "touchstone_../../../evil"; CREATE TABLE "touchstone_../../../evil".money (x INT)')
    expect(await PostgresStore.runs(url)).not.toContainEqual(expect.stringContaining('/'))
    await sql.unsafe(`UPDATE ${schemaOf(id)}.meta SET value = '/../../x' WHERE key = 'push'`)
    await sql.unsafe('DROP SCHEMA "touchstone_../../../evil" CASCADE')
    await sql.end()
    const [home, before] = [join(folder, 'a/b/home'), process.env['TOUCHSTONE_HOME']]
    await mkdir(home, { recursive: true })
    process.env['TOUCHSTONE_HOME'] = home
    try {
      const here = await loadEnvironment([], { TOUCHSTONE_STORE_URL: url }, [])
      const { dir } = await mirrored(
        { ...here, madeWith: () => Promise.resolve({ ...here, runContext: () => Promise.resolve(mockContext()) }) },
        `store:${id}`,
      )
      expect(dir).toMatch(/\/a\/b\/home\/store\/[0-9a-f]{32}$/u)
      expect([await readdir(join(folder, 'a')), await readdir(join(folder, 'a/b'))]).toEqual([['b'], ['home']])
    } finally {
      if (before === undefined) delete process.env['TOUCHSTONE_HOME']
      else process.env['TOUCHSTONE_HOME'] = before
    }
  })

  /** The first two say something in every type. */
  const VALUES = [`'"../../../x"'`, '-1', `'{"a":[]}'`, "''", '9007199254740993', 'NULL', "'\\x00ff'"]

  it('may lie in every column: who reads it ends in words, and nothing is written outside', async () => {
    const { id } = await pushed({}, 4)
    expect(await work(id, stranger(allowance('host', origin)))).toBe('completed')
    const schema = schemaOf(id)
    const sql = postgres(url, { max: 1, onnotice: () => undefined, connection: { search_path: schema } })
    const columns =
      await sql`SELECT table_name AS tab, column_name AS col FROM information_schema.columns WHERE table_schema = ${schema} ORDER BY 1, 2`
    expect(columns.length).toBeGreaterThan(50)
    const inside = join(folder, 'lies')
    await mkdir(inside)
    await writeFile(join(folder, 'untouched'), '')
    const before = await readdir(folder)
    let tried = 0
    for (const { tab, col } of columns)
      for (const value of VALUES.slice(0, sample({ nightly: VALUES.length, otherwise: 2 }))) {
        const changed = await sql
          .unsafe(`CREATE TABLE backup AS TABLE ${tab}; UPDATE ${tab} SET ${col} = ${value}`)
          .then(
            () => true,
            () => false,
          )
        if (!changed) await sql.unsafe('DROP TABLE IF EXISTS backup')
        else {
          tried++
          await using store = await open(id).catch((error: unknown) => {
            inWords(error)
            return null
          })
          if (store !== null) {
            const dir = join(inside, String(tried))
            await workOnShared(store, mockContext({ env, trust: stranger(allowance('host', origin)) }), {
              stop: AbortSignal.timeout(300),
            }).catch(inWords)
            await mirrorRun(store, dir, 'there', mockContext())
              .then(async () => withRun(await openRun(dir, mockContext(), { mode: 'read' }), verifyRun))
              .catch(inWords)
          }
          await sql.unsafe(
            `ALTER TABLE ${tab} DISABLE TRIGGER USER; DELETE FROM ${tab}; INSERT INTO ${tab} SELECT * FROM backup; DROP TABLE backup; ALTER TABLE ${tab} ENABLE TRIGGER USER`,
          )
        }
      }
    await sql.end()
    expect(tried).toBeGreaterThan(50)
    expect(await readdir(folder)).toEqual(before)
  })

  it('may have columns of other names: they are no SQL of the ledger here', async () => {
    const { id, dir } = await pushed()
    expect(await work(id, stranger(allowance('host', origin)))).toBe('completed')
    const sql = postgres(url, { max: 1, connection: { search_path: schemaOf(id) } })
    await sql.unsafe(
      `ALTER TABLE attempt ADD COLUMN "x) SELECT 1; --" TEXT DEFAULT 'x'; ALTER TABLE response ADD COLUMN more TEXT DEFAULT 'x'`,
    )
    await sql.end()
    const context = mockContext({ trust: stranger() })
    await withRun(await openRun(dir, context, { mode: 'write' }), async (run) => {
      expect(await pullRun(run, (name) => open(name))).toMatchObject({ waiting: 0 })
      expect((await verifyRun(run)).problems).toEqual([])
    })
  })

  describe('a connection that is cut', () => {
    let cuts = 0
    let proxy: ReturnType<typeof createServer>
    let at = ''
    beforeAll(async () => {
      const port = Number(new URL(url).port)
      proxy = createServer((socket: Socket) => {
        const to = dial(port, '127.0.0.1')
        for (const one of [socket, to]) one.on('error', () => undefined)
        socket.pipe(to).pipe(socket)
        socket.on('close', () => to.destroy())
        // While it starts: some of the first connections are reset, each a little later in the conversation.
        if (cuts-- > 0) setTimeout(() => socket.resetAndDestroy(), cuts % 4)
      })
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve()))
      const address = proxy.address()
      at = url.replace(`:${port}/`, `:${typeof address === 'object' ? address?.port : 0}/`)
    })
    afterAll(() => new Promise((resolve) => proxy.close(resolve)))

    it('while a worker starts does not end it', async () => {
      const main = fileURLToPath(new URL('../mock/worker-main.ts', import.meta.url))
      for (let round = 0; round < sample({ nightly: 4, otherwise: 2 }); round++) {
        const { id } = await pushed()
        cuts = 3 + (round % 3)
        const worker = spawn(process.execPath, [main, '--store', at, '--run', id], {
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        expect(await once(worker, 'exit')).toEqual([0, null])
        await using store = await open(id)
        expect(await store.counts()).toMatchObject({ done: 3 })
      }
    })
  })
})
