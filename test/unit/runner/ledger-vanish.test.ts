import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { verifyRun } from '../../../src/extras/seals/index.ts'
import { createRun, executeRun, openRun, readExperiment } from '../../../src/runner/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

let folder: string
let dir: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
  dir = join(folder, 'run')
})
afterEach(() => remove())

const yaml = 'items: { task: mock/parity, preset: small, count: 20 }\nmodels: ["baseline:exact"]'
const context = mockContext()

async function finished(where = dir): Promise<void> {
  await using run = await createRun({ experiment: readExperiment(yaml), dir: where }, context)
  await executeRun(run)
}

const opened = async (mode: 'read' | 'write', acceptOlderLedger = false): Promise<void> => {
  await using _ = await openRun(dir, context, { mode, acceptOlderLedger })
}

const ledger = (): string => join(dir, 'ledger.db')

describe.each(['read', 'write'] as const)('a ledger, to %s,', (mode) => {
  it('that is deleted is missed', async () => {
    await finished()
    await rm(ledger())
    await expect(opened(mode)).rejects.toThrow(
      /ledger\.db is gone, and .*run\.json recorded 20 responses .*--accept-older-ledger/u,
    )
  })

  it('that is emptied is missed', async () => {
    await finished()
    await truncate(ledger(), 0)
    await expect(opened(mode)).rejects.toThrow(/ledger\.db is empty/u)
  })

  it('of another run is refused', async () => {
    await finished()
    await finished(join(folder, 'other'))
    await cp(join(folder, 'other', 'ledger.db'), ledger())
    await expect(opened(mode)).rejects.toThrow(/is not the ledger of this run/u)
  })

  it('from an older copy is refused', async () => {
    const run = await createRun({ experiment: readExperiment(yaml), dir }, context)
    await run[Symbol.asyncDispose]()
    await cp(ledger(), join(folder, 'older.db'))
    const again = await openRun(dir, context, { mode: 'write' })
    await executeRun(again)
    await again[Symbol.asyncDispose]()
    await cp(join(folder, 'older.db'), ledger())
    await expect(opened(mode)).rejects.toThrow(/is older than the run: it has 0 responses .* the run had 20 after/u)
  })

  it('whose rows were taken out is refused', async () => {
    await finished()
    const db = new DatabaseSync(ledger())
    db.exec('DELETE FROM response WHERE call > 10')
    db.close()
    await expect(opened(mode)).rejects.toThrow(/is older than the run/u)
  })
})

it('is made anew when that is said', async () => {
  await finished()
  await rm(ledger())
  await opened('write', true)
  await using run = await openRun(dir, context, { mode: 'write' })
  expect(await executeRun(run)).toMatchObject({ status: 'completed', counts: { done: 20 } })
})

describe('the chain of responses', () => {
  it('is whole after a run, and its last link is in run.json', async () => {
    await finished()
    const { ledgerState: reached } = JSON.parse(await readFile(join(dir, 'run.json'), 'utf8'))
    await using run = await openRun(dir, context, { mode: 'read' })
    expect(await run.ledger.checkChain()).toEqual({ kind: 'whole', links: 20, head: reached.head })
    expect(run.ledger.integrity()).toEqual([])
  })

  it.each([
    ["UPDATE response SET text = 'x' || text WHERE call = 7", /the response of call 7 is not what was recorded/u],
    ["UPDATE response SET finish = 'refused' WHERE call = 20", /call 20/u],
    ['UPDATE call SET sample = 5 WHERE id = 3', /call 3 is/u],
    ['UPDATE response SET attempt = 2 WHERE call = 1', /call 1 is/u],
  ])('shows %s', async (sql, words) => {
    await finished()
    const db = new DatabaseSync(ledger())
    db.exec(sql)
    db.close()
    await using run = await openRun(dir, context, { mode: 'read' })
    const state = await run.ledger.checkChain()
    expect(state.kind === 'broken' ? state.message : '').toMatch(words)
  })
})

it.each(['before its ledger was there', 'before its ledger was marked'])(
  'a run whose maker was killed %s is gone on with, and known from then on',
  async (when) => {
    const made = await createRun({ experiment: readExperiment(yaml), dir }, context)
    await made[Symbol.asyncDispose]()
    const path = join(dir, 'run.json')
    const { ledgerState: _, ...file } = JSON.parse(await readFile(path, 'utf8'))
    await writeFile(path, JSON.stringify(file))
    if (when === 'before its ledger was there') await rm(ledger())
    else {
      const db = new DatabaseSync(ledger())
      db.exec("DELETE FROM meta WHERE key IN ('run', 'attributes')")
      db.close()
    }
    {
      await using run = await openRun(dir, context, { mode: 'write' })
      await executeRun(run)
    }
    await opened('read')
    await using run = await openRun(dir, context, { mode: 'read' })
    expect(await verifyRun(run)).toMatchObject({ mismatches: 0 })
  },
)
