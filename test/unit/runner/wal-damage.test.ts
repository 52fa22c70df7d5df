import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUsageError } from '../../../src/core/index.ts'
import { verifyRun } from '../../../src/extras/seals/index.ts'
import { createRun, executeRun, openRun, parseExperiment, repairRun, withRun } from '../../../src/runner/index.ts'
import { isStoreError } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'

const { folder, remove } = await scratch()
afterAll(remove)
const context = mockContext()
const COUNT = 30

/** A run folder as a process leaves it that is killed at once, with its log; how many responses run.json says it has. */
const killed: { readonly [when: string]: string } = Object.fromEntries(
  ['created', 'planned', 'done'].map((when) => [when, join(folder, when)]),
)

beforeAll(async () => {
  const experiment = parseExperiment({
    items: { task: 'mock/parity', config: { digits: 9 }, count: COUNT },
    models: ['baseline:exact'],
  })
  const dir = join(folder, 'run')
  await withRun(await createRun({ experiment, dir }, context), async (run) => {
    await cp(dir, killed['created'] ?? '', { recursive: true })
    await executeRun(run, { planOnly: true })
    await cp(dir, killed['planned'] ?? '', { recursive: true })
    await executeRun(run)
    await cp(dir, killed['done'] ?? '', { recursive: true })
  })
  await writeFile(join(folder, 'other-wal'), await readFile(join(killed['planned'] ?? '', 'ledger.db-wal')))
})

type Damage = (path: string) => Promise<void>
const edited =
  (change: (bytes: Buffer) => Buffer): Damage =>
  async (path) =>
    writeFile(path, change(await readFile(path)))

/** What may become of a log. */
const damages: readonly (readonly [what: string, damage: Damage])[] = [
  ['lost', (path) => rm(path)],
  ['emptied', (path) => writeFile(path, '')],
  ['full of zeros', edited((bytes) => Buffer.alloc(bytes.length))],
  ['full of other bytes', edited((bytes) => Buffer.alloc(bytes.length, 0xa5))],
  ['of another run', (path) => cp(join(folder, 'other-wal'), path)],
  ...[0.001, 0.2, 0.5, 0.9, 0.999].flatMap((part): (readonly [string, Damage])[] => [
    [`cut at ${part}`, edited((bytes) => bytes.subarray(0, Math.floor(bytes.length * part)))],
    [
      `with one byte changed at ${part}`,
      edited((bytes) => {
        const at = Math.floor(bytes.length * part)
        bytes[at] = (bytes[at] ?? 0) ^ 0x55
        return bytes
      }),
    ],
  ]),
]

const cases = Object.keys(killed).flatMap((when) => damages.map(([what, damage]) => [when, what, damage] as const))

it.each(cases)(
  'a run that was killed when it was %s, its log %s: nothing is lost in silence, and it goes on',
  async (when, what, damage) => {
    const dir = join(folder, `${when}-${what}`)
    await cp(killed[when] ?? '', dir, { recursive: true })
    await damage(join(dir, 'ledger.db-wal')).catch((error: NodeJS.ErrnoException) => {
      // There is no log right after the run was created.
      if (when !== 'created' || error.code !== 'ENOENT') throw error
    })
    const { ledgerState } = JSON.parse(await readFile(join(dir, 'run.json'), 'utf8')) as {
      ledgerState: { responses: number }
    }
    const responses = await openRun(dir, context, { mode: 'read' })
      .then((run) => withRun(run, () => Promise.resolve(run.ledger.responseCount())))
      .catch((error: unknown) => {
        if (!isStoreError(error) && !isUsageError(error)) throw error
        expect(error.message).toMatch(/is older than the run|has lost its last response|damaged/u)
        return null
      })
    if (responses !== null) expect(responses).toBeGreaterThanOrEqual(ledgerState.responses)
    const repaired = await repairRun(dir, context)
    expect(repaired.kind).toBe(responses === null ? 'repaired' : 'whole')
    await withRun(await openRun(dir, context, { mode: 'write' }), async (run) => {
      expect(await executeRun(run)).toMatchObject({ status: 'completed', counts: { done: COUNT } })
    })
    await withRun(await openRun(dir, context, { mode: 'read' }), async (run) => {
      expect((await verifyRun(run)).problems).toEqual([])
    })
  },
)

it('the ledger of another run is not repaired', async () => {
  const dir = join(folder, 'foreign')
  await cp(killed['done'] ?? '', dir, { recursive: true })
  const path = join(dir, 'run.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace(/"id": "[^"]*"/u, '"id": "another"'))
  await expect(repairRun(dir, context)).rejects.toThrow(/is not the ledger of this run: there is nothing to repair/u)
})
