import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ledger, loadFrames, lockHolder, lockRun, noRedaction } from '../../../src/store/index.ts'
import { batch, response } from '../../contract/store-tests.ts'
import { scratch } from '../../mock/context.ts'

const redact = { known: noRedaction, shapes: noRedaction }
let folder: string
let remove: () => Promise<void>
let path: string
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
  path = join(folder, 'ledger.db')
})
afterEach(() => remove())

async function filled(n = 30): Promise<void> {
  await using ledger = new Ledger(path, { redact })
  await ledger.plan(batch(n))
  const cells = await ledger.lease(n, 'A', 1000, 'm')
  await ledger.commit(cells.map((cell) => response(cell)))
}

describe('the schema', () => {
  const named = async (version: string): Promise<void> => {
    await filled()
    const db = new DatabaseSync(path)
    db.prepare("UPDATE meta SET value = ? WHERE key = 'schema'").run(version)
    db.close()
  }

  it.each([
    ['2', /written by a newer version .*schema 2, this one knows 1/u],
    ['0.5', /not a ledger of this program \(its schema is 0\.5\).*touchstone resume RUN --repair/u],
    ['x', /not a ledger of this program \(its schema is NaN\)/u],
  ])('of version %s is refused, for writing and for reading', async (version, message) => {
    await named(version)
    for (const readOnly of [false, true]) expect(() => new Ledger(path, { redact, readOnly })).toThrow(message)
  })

  it('is created in an empty file, also for reading', async () => {
    await writeFile(path, '')
    await using ledger = new Ledger(path, { redact, readOnly: true })
    expect(ledger.sizes()).toEqual({ items: 0, calls: 0, responses: 0 })
  })
})

describe('a damaged file', () => {
  it('that is cut off is named, with what to do', async () => {
    await filled(2000)
    await truncate(path, 200_000)
    for (const readOnly of [false, true])
      expect(() => new Ledger(path, { redact, readOnly })).toThrow(
        /ledger\.db is damaged: it is truncated, 200000 bytes of \d+; touchstone resume \S+ --repair saves/u,
      )
  })

  it('that is not a ledger is named', async () => {
    await writeFile(path, 'once upon a time, '.repeat(100))
    expect(() => new Ledger(path, { redact })).toThrow(/does not begin like a ledger/u)
  })

  it('with a page overwritten is named when it is read', async () => {
    await filled(2000)
    const bytes = await readFile(path)
    bytes.fill(0xff, 4096 * 3, 4096 * 40)
    await writeFile(path, bytes)
    const read = async (): Promise<void> => {
      await using ledger = new Ledger(path, { redact })
      for await (const _ of ledger.responses());
    }
    await expect(read()).rejects.toMatchObject({ kind: 'store', code: 'damaged' })
  })

  it('whose log is torn keeps what was committed before the tear', async () => {
    const ledger = new Ledger(path, { redact })
    await ledger.plan(batch(10))
    const cells = await ledger.lease(10, 'A', 1000, 'm')
    for (const cell of cells.slice(0, 5)) await ledger.commit([response(cell, 'kept')])
    const before = (await readFile(`${path}-wal`)).length
    for (const cell of cells.slice(5)) await ledger.commit([response(cell, 'torn')])
    const copy = join(folder, 'copy.db')
    await copyFile(path, copy)
    await copyFile(`${path}-wal`, `${copy}-wal`)
    await ledger[Symbol.asyncDispose]()
    // The last transactions are half on disk.
    await truncate(`${copy}-wal`, before + 1000)
    await using left = new Ledger(copy, { redact })
    expect(left.query("SELECT COUNT(*) AS n FROM response WHERE text = 'kept'")[0]?.['n']).toBe(5)
    expect(left.query("SELECT COUNT(*) AS n FROM response WHERE text = 'torn'")[0]?.['n']).toBe(0)
  })
})

it('says that another process is writing', async () => {
  await filled(1)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  await using ledger = new Ledger(path, { redact })
  await expect(ledger.setMeta('a', 'b')).rejects.toMatchObject({ kind: 'store', code: 'held' })
  other.close()
  await ledger.setMeta('a', 'b')
}, 30_000)

describe('the lock of a run', () => {
  it('tells who holds it, and ends with its holder', () => {
    const file = join(folder, 'run.lock')
    expect(lockHolder(file)).toBeNull()
    const lock = lockRun(file)
    expect(lockHolder(file)).toEqual(lock.holder)
    expect(lock.holder.pid).toBe(process.pid)
    expect(() => lockRun(file)).toThrow(
      new RegExp(`process ${process.pid} on ${lock.holder.host}, since ${lock.holder.since}`, 'u'),
    )
    lock[Symbol.dispose]()
    expect(lockHolder(file)).toBeNull()
    lockRun(file)[Symbol.dispose]()
  })

  it('holds nothing of the run: where it is none, it may be removed', async () => {
    const file = join(folder, 'run.lock')
    await writeFile(file, 'garbage')
    expect(() => lockRun(file)).toThrow(/run\.lock is not a lock of this program\. Remove it/u)
  })
})

describe('rows of a ledger', () => {
  it('has a typed column for each feature, and missing values where there are none', async () => {
    await filled()
    await using ledger = new Ledger(path, { redact })
    await ledger.plan({
      groups: [],
      items: [],
      calls: [{ item: 't/x@1/test/abc/0', style: 'plain', model: 'failing', settings: '{}', sample: 0, priority: 0 }],
    })
    const [cell] = await ledger.lease(1, 'A', 1000, 'failing')
    await ledger.commit([
      {
        kind: 'failure',
        call: cell?.id ?? 0,
        attempt: 1,
        started: 1,
        ended: 501,
        http: 500,
        requestId: null,
        final: true,
        source: 'provider',
        code: 'http-500',
        message: 'm',
        free: false,
        body: null,
      },
    ])
    const frames = await loadFrames({ ledger })
    const frame = frames.frame('strict')
    if (frame === null) throw new Error('no frame')
    expect(frame.length).toBe(31)
    expect(Array.from(frame.number('feature_length').subarray(0, 3))).toEqual([0, 0.25, 0.5])
    expect(Array.from(frame.number('feature_label').subarray(0, 3))).toEqual([1, 0, 1])
    expect(frame.category('feature_label')).toEqual({ codes: expect.anything(), levels: ['1', '0'] })
    expect(frame.category('feature_kind').levels).toEqual(['k'])
    expect(frame.has('feature_none')).toBe(false)
    expect(() => frame.number('feature_none')).toThrow(/no column/u)
    expect(() => frame.number('feature_kind')).toThrow(/holds text/u)
    const last = frame.length - 1
    const text = (name: string): string | undefined => {
      const { codes, levels } = frame.category(name)
      return levels[codes[last] as number]
    }
    expect([text('status'), text('error_code'), text('model'), text('prediction')]).toEqual([
      'error',
      'http-500',
      'failing',
      undefined,
    ])
    expect(frame.number('score')[last]).toBeNaN()
    expect(frame.number('seconds')[0]).toBe(0.5)
    expect(frame.number('input_tokens')[0]).toBe(3)
    const few = await loadFrames({ ledger }, { where: "model = 'm'" })
    expect(few.length).toBe(30)
    expect(few.frame('strict')?.category('model').levels).toEqual(['m'])
  })
})
