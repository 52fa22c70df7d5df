import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Ledger, noRedaction } from '../../src/store/index.ts'
import { scratch } from '../mock/context.ts'
import { type Behaviour, behaviourOf, type Mix } from '../mock/faults.ts'
import { rightAnswer } from '../mock/parity.ts'
import { type Mock, startMock, USAGE } from '../mock/server.ts'
import { nightly, sample } from '../nightly.ts'

const ITEMS = sample({ nightly: 20_000, otherwise: 300 })
const KILLS = sample({ nightly: 50, otherwise: 2 })

const PRICE = { input: 2, output: 10 }
const MAX_TOKENS = 100
const SECRET = 'sk-storm-5d1f0c9e7b3a4826'
const usd = (input: number, output: number): number => (input * PRICE.input + output * PRICE.output) / 1e6

/** What a dishonest hour of a server is made of, in equal parts of 30 %. */
const FAULTS: readonly Behaviour[] = [
  'rate-limit',
  'rate-limit-after',
  'error-500',
  'cut',
  'cut-body',
  'silent',
  'bad-json',
  'wrong-json',
  'streamed',
  'odd-json',
  'usage-text',
  'usage-negative',
  'usage-fraction',
  'usage-absurd',
  'usage-none',
  'usage-above',
  'huge',
  'huge-chunked',
]
const MIX: Mix = Object.fromEntries(FAULTS.map((fault) => [fault, 0.3 / FAULTS.length]))
/** What nobody can be billed for. */
const FREE: readonly Behaviour[] = ['rate-limit', 'rate-limit-after']

let folder: string
let remove: () => Promise<void>
let mock: Mock
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
  mock = await startMock({ latency: 5, answer: rightAnswer, behave: ({ id }) => behaviourOf(MIX, 'storm', id) })
})
afterEach(async () => {
  await mock.close()
  await remove()
})

/** The server bills all it was asked, whatever became of the answer, and all it wrote, above what it was allowed too. */
const bill = (): number =>
  mock.books
    .filter(({ behaviour }) => !FREE.includes(behaviour))
    .reduce((sum, { behaviour }) => {
      const output = behaviour === 'usage-above' ? USAGE_ABOVE : USAGE.completion_tokens
      return sum + usd(USAGE.prompt_tokens, output)
    }, 0)
const USAGE_ABOVE = MAX_TOKENS + 50

const main = fileURLToPath(new URL('../mock/run-main.ts', import.meta.url))

/** @returns what the process says at its end; null where it was killed. */
async function runFor(dir: string, limit: number, ms: number | null): Promise<{ readonly status: string } | null> {
  const args = ['--dir', dir, '--url', mock.url, '--count', String(ITEMS), '--timeout', '0.5', '--concurrency', '40']
  const money = ['--price', JSON.stringify(PRICE), '--usd', String(limit), '--max-tokens', String(MAX_TOKENS)]
  const child = spawn(process.execPath, [main, ...args, ...money], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, OPENAI_COMPATIBLE_API_KEY: SECRET },
  })
  let out = ''
  child.stdout.on('data', (data: Buffer) => {
    if (out === '' && ms !== null) setTimeout(() => child.kill('SIGKILL'), ms)
    out += data.toString()
  })
  await once(child, 'exit')
  const end = out.split('\n').find((line) => line.startsWith('{'))
  return end === undefined ? null : (JSON.parse(end) as { readonly status: string })
}

const ledgerOf = (dir: string): Ledger =>
  new Ledger(join(dir, 'ledger.db'), { readOnly: true, redact: { known: noRedaction, shapes: noRedaction } })

/** What the ledger says is spent. */
async function spent(dir: string): Promise<number> {
  await using ledger = ledgerOf(dir)
  return ledger.bookedUsd()
}

describe(`a storm of ${ITEMS} items, 30 % faults and ${KILLS} kills`, () => {
  it.each([
    ['that a limit does not reach', ITEMS * 0.02, 'completed'],
    ['that a limit ends', ITEMS * 0.0006, 'cost-limit'],
  ])(
    '%s: bill <= ledger <= limit, one response a cell, no secret on disk',
    async (_, limit, status) => {
      const dir = join(folder, 'run')
      let killed = 0
      for (; killed < KILLS; killed++) {
        const ended = await runFor(dir, limit, 50 + Math.random() * ((ITEMS * 1.2) / KILLS))
        const booked = await spent(dir)
        expect(booked).toBeGreaterThanOrEqual(bill())
        expect(booked).toBeLessThanOrEqual(limit + 1e-9)
        if (ended !== null) break
      }
      expect(await runFor(dir, limit, null)).toMatchObject({ status })
      const booked = await spent(dir)
      expect(booked).toBeGreaterThanOrEqual(bill())
      expect(booked).toBeLessThanOrEqual(limit + 1e-9)
      await using ledger = ledgerOf(dir)
      const counts = await ledger.counts()
      const { responses, calls } = ledger.sizes()
      expect(calls).toBe(ITEMS)
      expect(responses).toBe(counts.done)
      expect(counts.leased).toBe(0)
      if (status === 'completed') expect(counts.waiting).toBe(0)
      expect(await ledger.checkChain()).toMatchObject({ kind: 'whole', links: responses })
      expect(mock.books.every(({ authorization }) => authorization === `Bearer ${SECRET}`)).toBe(true)
      for (const name of readdirSync(dir)) expect(readFileSync(join(dir, name)).includes(SECRET)).toBe(false)
      if (nightly)
        process.stdout.write(
          `${status}: ${mock.books.length} calls, ${killed} kills, bill $${bill().toFixed(4)}, ledger $${booked.toFixed(4)}, limit $${limit.toFixed(4)}, ${JSON.stringify(counts)}\n`,
        )
    },
    Math.max(120_000, KILLS * 30_000),
  )
})
