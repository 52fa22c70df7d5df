import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe } from 'vitest'
import { Ledger, noRedaction } from '../../src/store/index.ts'
import { storeTests } from './store-tests.ts'

const redact = { known: noRedaction, shapes: noRedaction }
const cleaning: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

describe('the SQLite ledger', () => {
  storeTests(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-'))
    cleaning.push(() => rm(folder, { recursive: true }))
    const open = (path: string): Ledger => {
      const ledger = new Ledger(path, { redact })
      cleaning.push(() => ledger[Symbol.asyncDispose]())
      return ledger
    }
    const path = join(folder, 'ledger.db')
    return {
      a: open(path),
      tamper: (sql) => {
        new DatabaseSync(path).exec(sql)
        return Promise.resolve()
      },
      crash: async () => {
        // The bytes on disk at this moment, log included, are what a killed process leaves.
        await cp(path, join(folder, 'left.db'))
        await cp(join(folder, 'ledger.db-wal'), join(folder, 'left.db-wal'))
        const ledger = open(join(folder, 'left.db'))
        await ledger.reclaim()
        return ledger
      },
    }
  })
})
