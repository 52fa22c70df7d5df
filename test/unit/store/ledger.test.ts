import { copyFile, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ledger, loadFrames, lockHolder, lockRun, noRedaction, refreshRows } from '../../../src/store/index.ts'
import { MIGRATIONS } from '../../../src/store/schema.ts'
import { batch, response } from '../../contract/store-laws.ts'
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
  const next = [...MIGRATIONS, 'CREATE TABLE later (x TEXT)']

  it.each([false, true])('of an older file is brought up to date with its data (read only: %s)', async (readOnly) => {
    await filled()
    // To be read or to be written.
    await using ledger = new Ledger(path, { redact, migrations: next, readOnly })
    expect(await ledger.meta('schema')).toBe(String(next.length))
    expect(ledger.query('SELECT * FROM later')).toEqual([])
    expect(ledger.sizes()).toMatchObject({ items: 30, responses: 30 })
  })

  it('of a newer file is refused, for writing and for reading', async () => {
    await new Ledger(path, { redact, migrations: next })[Symbol.asyncDispose]()
    for (const readOnly of [false, true])
      expect(() => new Ledger(path, { redact, readOnly })).toThrow(
        new RegExp(`written by a newer version .*schema ${next.length}, this one knows ${MIGRATIONS.length}`, 'u'),
      )
  })

  it('of 3 learns which task has which features', async () => {
    await filled()
    const known = await (async () => {
      await using ledger = new Ledger(path, { redact })
      return ledger.names()
    })()
    const db = new DatabaseSync(path)
    db.exec(`UPDATE meta SET value = json_set(value, '$.features', json('{"length":"number"}')) WHERE key = 'names'`)
    db.exec(
      "UPDATE meta SET value = '3' WHERE key = 'schema'; DROP INDEX cell_batched; DROP TABLE batch; DROP TABLE line",
    )
    db.close()
    await using ledger = new Ledger(path, { redact })
    expect(ledger.names()).toEqual(known)
    expect(Object.values(known.features)[0]).toMatchObject({ length: 'number', label: 'boolean', kind: 'text' })
  })

  it('is not changed by a migration that fails', async () => {
    await filled()
    expect(() => new Ledger(path, { redact, migrations: [...MIGRATIONS, 'CREATE TABLE x (y); NONSENSE'] })).toThrow()
    await using ledger = new Ledger(path, { redact })
    expect(await ledger.meta('schema')).toBe(String(MIGRATIONS.length))
    expect(() => ledger.query('SELECT * FROM x')).toThrow()
  })
})

describe('a damaged file', () => {
  it('that is cut off is named, with what to do', async () => {
    await filled(2000)
    await truncate(path, 200_000)
    for (const readOnly of [false, true])
      expect(() => new Ledger(path, { redact, readOnly })).toThrow(
        /ledger\.db is damaged: it is cut off, 200000 bytes of \d+; touchstone resume \S+ --repair saves/u,
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
    expect(() => lockRun(file)).toThrow(/run\.lock is no lock of this program: remove it/u)
  })
})

describe('rows.parquet', () => {
  it('that is a folder is told with its path', async () => {
    await filled()
    const rows = join(folder, 'rows.parquet')
    await using ledger = new Ledger(path, { redact })
    await refreshRows(ledger, rows)
    await rm(rows)
    await mkdir(rows)
    await expect(refreshRows(ledger, rows)).rejects.toThrow(/rows\.parquet: is a folder/u)
  })

  it('is rebuilt when the ledger has changed, and only then', async () => {
    await filled()
    const rows = join(folder, 'rows.parquet')
    await using ledger = new Ledger(path, { redact })
    expect(await refreshRows(ledger, rows)).toBe(true)
    expect(await refreshRows(ledger, rows)).toBe(false)
    await ledger.setMeta('note', 'changed')
    expect(await refreshRows(ledger, rows)).toBe(true)
    await writeFile(rows, 'junk')
    expect(await refreshRows(ledger, rows)).toBe(true)
  })

  it('has a typed column for each feature, and missing values where there are none', async () => {
    await filled()
    const rows = join(folder, 'rows.parquet')
    await using ledger = new Ledger(path, { redact })
    await ledger.plan({
      groups: [],
      items: [],
      cells: [{ item: 't/x@1/test/abc/0', style: 'plain', model: 'failing', settings: '{}', sample: 0, turn: 0 }],
    })
    const [cell] = await ledger.lease(1, 'A', 1000, 'failing')
    await ledger.commit([
      {
        kind: 'failure',
        cell: cell?.id ?? 0,
        attempt: 1,
        started: 1,
        ended: 501,
        http: 500,
        requestId: null,
        final: true,
        boundary: 'provider',
        code: 'http-500',
        message: 'm',
        free: false,
        body: null,
      },
    ])
    await refreshRows(ledger, rows)
    const frames = await loadFrames(rows)
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
    expect([text('state'), text('code'), text('model'), text('answer')]).toEqual([
      'failed',
      'http-500',
      'failing',
      undefined,
    ])
    expect(frame.number('value')[last]).toBeNaN()
    expect(frame.number('seconds')[0]).toBe(0.5)
    expect(frame.number('inputTokens')[0]).toBe(3)
    const few = await loadFrames(rows, { columns: ['value', 'model'], where: "model = 'm'" })
    expect(few.length).toBe(30)
    expect(few.frame('strict')?.has('item')).toBe(false)
  })
})
