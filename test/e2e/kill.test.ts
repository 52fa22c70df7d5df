import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attemptId } from '../../src/runner/calls/call.ts'
import { Ledger, noRedaction } from '../../src/store/index.ts'
import { scratch } from '../mock/context.ts'
import { rightAnswer } from '../mock/parity.ts'
import { type MockProcess, spawnMock } from '../mock/process.ts'
import { sample } from '../nightly.ts'

const KILLS = sample({ nightly: 50, otherwise: 4 })
const ITEMS = sample({ nightly: 20_000, otherwise: 400 })

let folder: string
let remove: () => Promise<void>
let mock: MockProcess
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(async () => {
  await mock.close()
  await remove()
})

const main = fileURLToPath(new URL('../mock/run-main.ts', import.meta.url))
const redact = { known: noRedaction, shapes: noRedaction }

interface Held {
  /** Response text by cell. */
  readonly responses: ReadonlyMap<number, string>
  readonly attempts: ReadonlySet<string>
}

const runFile = (dir: string) =>
  JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8')) as { id: string; created: string }

/** What is on disk, read as a stranger would. */
async function onDisk(dir: string): Promise<Held | null> {
  try {
    const file = runFile(dir)
    const ledger = new Ledger(join(dir, 'ledger.db'), { readOnly: true, redact })
    const responses = ledger.query('SELECT call, text FROM response')
    const attempts = ledger.query('SELECT call, attempt_no FROM attempt')
    await ledger[Symbol.asyncDispose]()
    return {
      responses: new Map(responses.map((row) => [Number(row['call']), String(row['text'])])),
      attempts: new Set(attempts.map((row) => attemptId(file, Number(row['call']), Number(row['attempt_no'])))),
    }
  } catch {
    return null
  }
}

/** When to kill: so many ms after the process began, or after its run was opened. */
type Moment = { readonly after: 'spawn' | 'open'; readonly ms: number }

/** Starts the run and kills it (null: lets it end). @returns whether it ended by itself. */
async function runFor(dir: string, url: string, moment: Moment | null): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [main, '--dir', dir, '--url', url, '--count', String(ITEMS), '--timeout', '0.5', '--concurrency', '10'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let timer: NodeJS.Timeout | undefined
  const arm = (): void => {
    if (moment !== null) timer ??= setTimeout(() => child.kill('SIGKILL'), moment.ms)
  }
  if (moment?.after === 'spawn') arm()
  child.stdout.on('data', arm)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  return code === 0
}

describe(`a run killed ${KILLS} times (${ITEMS} items, 30 % faults)`, () => {
  it(
    'ends with one response a cell, loses nothing that was on disk and asks nothing of it again',
    async () => {
      mock = await spawnMock('--latency', '20', '--faults', '0.3', '--seed', 'kill')
      const dir = join(folder, 'run')
      let kills = 0
      let before: Held | null = null
      // Ten calls at once of 20 ms each: a run takes at least 2 ms an item, so no kill comes too late. Every fourth comes
      // while the process starts.
      const span = (ITEMS * 2) / KILLS
      while (kills < KILLS) {
        const starting = kills % 4 === 0
        const ended = await runFor(dir, mock.url, {
          after: starting ? 'spawn' : 'open',
          ms: Math.random() * (starting ? 700 : span),
        })
        const now = await onDisk(dir)
        if (before !== null && now !== null) {
          for (const [cell, text] of before.responses) expect(now.responses.get(cell)).toBe(text)
          for (const attempt of before.attempts) expect(now.attempts.has(attempt)).toBe(true)
        }
        const seen = (await mock.books()).books
        // Nothing went out that the ledger does not know of.
        const known = now?.attempts ?? new Set()
        for (const { id } of seen) expect(known.has(id)).toBe(true)
        before = now
        expect(ended).toBe(false)
        kills++
      }
      expect(await runFor(dir, mock.url, null)).toBe(true)

      const ledger = new Ledger(join(dir, 'ledger.db'), { readOnly: true, redact })
      const cells = ledger.query(
        'SELECT c.id, c.state, i.given, r.text, r.attempt FROM call c JOIN item i ON i.id = c.item LEFT JOIN response r ON r.call = c.id',
      )
      expect(cells.length).toBe(ITEMS)
      for (const cell of cells) {
        expect(cell['state']).toBe('done')
        expect(cell['text']).toBe(rightAnswer(`${(JSON.parse(String(cell['given'])) as { n: number }).n}?`))
      }
      // The server's own books: each response is that of the attempt it names, and no later attempt was made.
      const { books } = await mock.books()
      const answered = new Set(books.filter((entry) => entry.answered).map(({ id }) => id))
      const asked = new Set(books.map(({ id }) => id))
      const file = runFile(dir)
      for (const cell of cells) {
        const [id, attempt] = [Number(cell['id']), Number(cell['attempt'])]
        expect(answered.has(attemptId(file, id, attempt))).toBe(true)
        expect(asked.has(attemptId(file, id, attempt + 1))).toBe(false)
      }
      const [attempts] = ledger.query("SELECT COUNT(*) AS n FROM attempt WHERE status <> 'cancelled'")
      const lost = ledger.query("SELECT COUNT(*) AS n FROM attempt WHERE status = 'lost'")
      // Every attempt but those a kill cut off before they went out is in the server's books.
      expect(books.length).toBeGreaterThanOrEqual(Number(attempts?.['n']) - Number(lost[0]?.['n']))
      expect(new Set(books.map((entry) => entry.id)).size).toBe(books.length)
      await ledger[Symbol.asyncDispose]()
    },
    Math.max(600_000, KILLS * 60_000),
  )
})

describe('Ctrl-C', () => {
  it('once: calls under way end and are saved; twice: they are aborted', async () => {
    mock = await spawnMock('--latency', '400')
    const dir = join(folder, 'run')
    const start = () =>
      spawn(process.execPath, [main, '--dir', dir, '--url', mock.url, '--count', '200'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    const once1 = start()
    await once(once1.stdout, 'data')
    await new Promise((resolve) => setTimeout(resolve, 900))
    once1.kill('SIGINT')
    expect(await once(once1, 'exit')).toEqual([0, null])
    const first = await onDisk(dir)
    const { books } = await mock.books()
    // Whatever went out was awaited.
    expect(first?.responses.size).toBe(books.length)
    expect(first?.responses.size).toBeGreaterThan(0)
    expect(first?.responses.size).toBeLessThan(200)

    const twice = start()
    await once(twice.stdout, 'data')
    await new Promise((resolve) => setTimeout(resolve, 900))
    twice.kill('SIGINT')
    setTimeout(() => twice.kill('SIGINT'), 20)
    expect(await once(twice, 'exit')).toEqual([0, null])
    const ledger = new Ledger(join(dir, 'ledger.db'), { readOnly: true, redact })
    expect(await ledger.counts()).toMatchObject({ leased: 0 })
    expect(ledger.query("SELECT COUNT(*) AS n FROM attempt WHERE status = 'open'")[0]?.['n']).toBe(0)
    await ledger[Symbol.asyncDispose]()
  })
})
