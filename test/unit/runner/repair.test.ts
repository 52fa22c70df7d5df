import { closeSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyRun } from '../../../src/extras/seals/index.ts'
import { createRun, executeRun, openRun, readExperiment, repairRun, withRun } from '../../../src/runner/index.ts'
import { mockContext } from '../../mock/context.ts'

const root = await mkdtemp(join(tmpdir(), 'touchstone-repair-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const good = join(root, 'good')
const CELLS = 600

beforeAll(async () => {
  const experiment = readExperiment(
    'items: { task: mock/parity, preset: small, count: 100 }\nmodels: [{ model: "baseline:exact", samples: 3 }, { model: "baseline:random", samples: 3 }]',
  )
  await withRun(await createRun({ experiment, dir: good }, mockContext()), async (run) => {
    await executeRun(run)
  })
})

const copy = async (): Promise<string> => {
  const dir = await mkdtemp(join(root, 'torn-'))
  await cp(good, dir, { recursive: true })
  return dir
}
const ledgerOf = (dir: string): string => join(dir, 'ledger.db')

/** Goes on with a repaired run to its end and verifies it. */
async function goOn(dir: string): Promise<void> {
  await withRun(await openRun(dir, mockContext(), { mode: 'write' }), async (run) => {
    expect(await executeRun(run)).toMatchObject({ status: 'completed', counts: { done: CELLS, failed: 0, waiting: 0 } })
  })
  await withRun(await openRun(dir, mockContext(), { mode: 'read' }), async (run) => {
    expect((await verifyRun(run)).problems).toEqual([])
  })
}

describe('repair', () => {
  it('leaves a whole ledger alone', async () => {
    expect(await repairRun(await copy(), mockContext())).toEqual({ kind: 'whole' })
  })

  it.each([0.9951, 0.99, 0.6123, 0.2])(
    'of a ledger of which %d is left saves what can be read, and the run goes on',
    async (part) => {
      const dir = await copy()
      truncateSync(ledgerOf(dir), Math.floor(statSync(ledgerOf(dir)).size * part))
      await expect(openRun(dir, mockContext(), { mode: 'write' })).rejects.toThrow(/touchstone resume \S+ --repair/u)
      const result = await repairRun(dir, mockContext())
      expect(result.kind).toBe('repaired')
      await goOn(dir)
    },
  )

  it('of a ledger with a destroyed page in every ten saves the rest', async () => {
    const dir = await copy()
    const path = ledgerOf(dir)
    const pages = statSync(path).size / 4096
    const file = openSync(path, 'r+')
    for (let page = 7; page < pages; page += 10) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096)
    closeSync(file)
    const result = await repairRun(dir, mockContext())
    expect(result).toMatchObject({ kind: 'repaired', salvaged: { kept: { response: expect.any(Number) } } })
    if (result.kind === 'repaired') expect(result.salvaged.kept['response']).toBeGreaterThan(CELLS / 2)
    await goOn(dir)
  })

  it('asks a response again that is not what was recorded', async () => {
    const dir = await copy()
    const db = new DatabaseSync(ledgerOf(dir))
    db.exec("UPDATE response SET text = 'x' || text WHERE call = 7")
    db.close()
    expect(await repairRun(dir, mockContext())).toMatchObject({
      kind: 'repaired',
      faults: [expect.stringMatching(/call 7 is not what was recorded/u)],
      salvaged: { dropped: 1 },
      waiting: 1,
    })
    await goOn(dir)
  })

  it('keeps money booked that was spent on what is lost', async () => {
    const dir = await copy()
    const db = new DatabaseSync(ledgerOf(dir))
    db.exec('UPDATE attempt SET usd = 0.5 WHERE call < 100')
    db.exec('DELETE FROM call WHERE id = 50; DELETE FROM response WHERE call = 60')
    db.close()
    await repairRun(dir, mockContext())
    await using run = await openRun(dir, mockContext(), { mode: 'read' })
    expect(run.ledger.bookedUsd()).toBeCloseTo(0.5 * 99)
  })

  it('says so where nothing can be read', async () => {
    const dir = await copy()
    const file = openSync(ledgerOf(dir), 'r+')
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, 0)
    closeSync(file)
    await expect(repairRun(dir, mockContext())).rejects.toThrow(/cannot be repaired: .* restore it from a copy/u)
  })
})
