import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUsageError } from '../../../src/core/index.ts'
import { loadAdaptive, loadSteps } from '../../../src/extras/adaptive/index.ts'
import { verifyRun } from '../../../src/extras/seals/index.ts'
import { loadSequentialTest } from '../../../src/extras/sequential/index.ts'
import {
  createRun,
  executeRun,
  openRun,
  parseExperiment,
  type Run,
  readExperiment,
  withRun,
} from '../../../src/runner/index.ts'
import { callDetails } from '../../../src/runner/scoring/call-details.ts'
import { isStoreError, loadFrames } from '../../../src/store/index.ts'
import { mockContext } from '../../mock/context.ts'

const root = await mkdtemp(join(tmpdir(), 'touchstone-forged-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const good = join(root, 'good')

beforeAll(async () => {
  const experiment = readExperiment(
    'items: { task: mock/parity, preset: small, count: 30 }\nmodels: ["baseline:exact", "baseline:random"]\nuntil: { rule: "baseline:exact>baseline:random", checkEvery: 5 }',
  )
  await withRun(await createRun({ experiment, dir: good }, mockContext()), executeRun)
})

/** All that reads what a ledger holds. */
const readers: { readonly [name: string]: (run: Run) => unknown } = {
  until: loadSequentialTest,
  adapt: loadAdaptive,
  choices: loadSteps,
  show: (run) => callDetails(run, 1),
  rows: loadFrames,
  verify: verifyRun,
  resume: executeRun,
}

const forgeries: readonly (readonly [place: string, values: readonly string[]])[] = [
  ["meta SET value = ? WHERE key = 'until'", ['garbage', 'null', '{}', '{"interim":[null],"verdict":null}']],
  ["meta SET key = 'adapt', value = ? WHERE key = 'until'", ['garbage', '5', '{"models":[null]}']],
  ["meta SET value = ? WHERE key = 'attributes'", ['garbage', 'null', '[null]']],
  ["meta SET value = ? WHERE key = 'names'", ['garbage', '{}']],
  ["meta SET value = ? WHERE key = 'schema'", ['garbage', '0']],
  ['score SET outcome = ? WHERE call = 1', ['null', '{"kind":"answered"}', '{"kind":"measured"}']],
  ['score SET scorer = ? WHERE call = 1', ['garbage', '99999999999999999999']],
  ['response SET usage = ? WHERE call = 1', ['garbage', '{"usd":"much"}']],
  ['response SET logprobs = ? WHERE call = 1', ['garbage', '[5]']],
  ['item SET features = ? WHERE position = 0', ['null', '{"a":[]}']],
  ['item SET version = ? WHERE position = 0', ['garbage']],
  ['item SET given = ? WHERE position = 0', ['garbage', '99999999999999999999']],
  ['call SET sample = ? WHERE id = 1', ['garbage']],
]

it.each(forgeries)('what somebody else wrote is told in words: %s', async (place, values) => {
  for (const value of values) {
    const told: string[] = []
    for (const [name, read] of Object.entries(readers)) {
      const dir = await mkdtemp(join(root, 'run-'))
      await cp(good, dir, { recursive: true })
      const db = new DatabaseSync(join(dir, 'ledger.db'))
      db.prepare(`UPDATE ${place}`).run(value)
      db.close()
      const said = await openRun(dir, mockContext(), { mode: 'write' })
        .then((run) => withRun(run, read as (run: Run) => Promise<unknown>))
        .catch((error: unknown) => error)
      if (said instanceof Error && !isStoreError(said) && !isUsageError(said))
        throw new Error(`${name}, where a forger wrote ${value}: ${said.stack}`)
      if (said instanceof Error) told.push(said.message)
    }
    if (!place.includes('given')) expect(told, value).toContainEqual(expect.stringMatching(WORDS))
  }
})

/** What becomes of a run of three cells whose ledger somebody wrote into before any was asked. */
async function forgedBefore(place: string, value: string): Promise<unknown> {
  const dir = await mkdtemp(join(root, 'waiting-'))
  const price = { input: 1, output: 1 }
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'small', count: 3 },
    models: [{ model: 'openai-compatible:m', baseUrl: 'http://127.0.0.1:9', price, settings: { maxTokens: 9 } }],
    limits: { retries: 0 },
  })
  return await withRun(await createRun({ experiment, dir: join(dir, 'run') }, mockContext()), async (run) => {
    await executeRun(run, { planOnly: true })
    const db = new DatabaseSync(join(dir, 'run/ledger.db'))
    db.prepare(`UPDATE ${place}`).run(value)
    db.close()
    return executeRun(run).catch((error: unknown) => error)
  })
}

it('settings of a cell that are none end a run in words', async () => {
  const ended = await forgedBefore('call SET settings = ?', 'garbage')
  const words = /the settings of a call is not what this program writes: garbage/u
  expect(isStoreError(ended) && ended.message).toMatch(words)
})

it('items that cannot be put into words fail by themselves, and nothing is set aside for them', async () => {
  expect(await forgedBefore('item SET given = ?', 'null')).toMatchObject({
    status: 'completed',
    counts: { failed: 3 },
    costUsd: 0,
  })
})

const WORDS = /not what this program writes|not a ledger of this program/u
