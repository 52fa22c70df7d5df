import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, type Model, type ModelReply, type Provider, plainAnswer } from '../../../src/models/index.ts'
import {
  createRun,
  executeRun,
  openRun,
  type Run,
  type RunContext,
  readExperiment,
  reparseBodies,
} from '../../../src/runner/index.ts'
import { Budget } from '../../../src/runner/money/cost.ts'
import { Ledger, loadFrames, noRedaction } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import type { Behaviour } from '../../mock/faults.ts'
import { type Mock, OVERRUN, startMock, USAGE } from '../../mock/server.ts'
import { sample } from '../../nightly.ts'

let folder: string
let remove: () => Promise<void>
let mock: Mock | null = null
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(async () => {
  await mock?.close()
  mock = null
  await remove()
})

/** Sums of dollars differ in their last digits by the order of adding. */
const CENT = 1e-9

describe('a budget', () => {
  it('counts what calls under way may still cost against the ceiling', () => {
    const budget = new Budget(1, 0.2)
    expect(budget.reserve(0.5)).toBe(true)
    expect(budget.reserve(0.4)).toBe(false)
    expect(budget.reserve(0.3)).toBe(true)
    budget.settle(0.5, 0.1)
    expect(budget.usd).toBeCloseTo(0.3)
    expect(budget.reserve(0.5)).toBe(false)
    expect(budget.reserve(0.4)).toBe(true)
  })
})

// ---- the law, with a provider made of chance

/**
 * What one call really costs at the provider, and what comes back; `over`: what it says that it took above all it was
 * allowed, and what of that is owed.
 */
type Fault = (bill: (usd: number) => void, over: (said: number, owed: number) => void) => Promise<ModelReply>

const MAX_OUTPUT = 50

interface Prices {
  readonly input: number
  readonly output: number
}

function faults(prices: Prices, input: number, output: number): readonly Fault[] {
  const cost = (input * prices.input + output * prices.output) / 1e6
  const said = (inputTokens: number, outputTokens: number): Fault => {
    return (bill) => {
      bill(cost)
      return Promise.resolve(plainAnswer('Yes', { usage: { inputTokens, outputTokens } }))
    }
  }
  const lost = (...[code, message, retry, more]: Parameters<typeof failure>): Fault => {
    return (bill) => {
      bill(cost)
      return Promise.resolve(failure(code, message, retry, more))
    }
  }
  const free = (...[code, message, retry]: Parameters<typeof failure>): Fault => {
    return () => Promise.resolve(failure(code, message, retry, { free: true }))
  }
  return [
    said(input, output),
    said(input, output),
    said(input, output),
    said(-1e9, output),
    said(input, -5),
    said(input, 2.5),
    said(Number.NaN, output),
    said(Number.POSITIVE_INFINITY, output),
    said(input, Number.MAX_SAFE_INTEGER),
    (_, over) => {
      over(prices.output / 1e6, 0)
      return said(input, MAX_OUTPUT + 1)(_, over)
    },
    // Servers that do not keep to maxTokens: all that they say is owed.
    ...[true, false].map(
      (readable): Fault =>
        (bill, over) => {
          const usage = { prompt_tokens: input, completion_tokens: 90_000 + output }
          const usd = (usage.prompt_tokens * prices.input + usage.completion_tokens * prices.output) / 1e6
          bill(cost)
          over(usd, usd - cost)
          const body = JSON.stringify({ hello: 'world', usage })
          return Promise.resolve(
            readable
              ? plainAnswer('Yes', {
                  usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
                })
              : failure('bad-body', 'unreadable', 'again', { body }),
          )
        },
    ),
    said(Number.MAX_SAFE_INTEGER, 0),
    (bill) => {
      bill(cost)
      return Promise.resolve(plainAnswer('Yes'))
    },
    lost('cut', 'cut', 'again'),
    lost('timeout', 'late', 'again'),
    lost('bad-body', 'unreadable', 'again', { body: '{"hello":' }),
    lost('too-large', 'too large', 'never'),
    lost('http-500', 'oops', 'again'),
    lost('improve-threw', 'bug', 'never', { boundary: 'task' }),
    free('connect', 'refused', 'again'),
    free('rate-limited', 'slow', 'slow-down'),
    free('http-400', 'no', 'never'),
    (bill) => {
      bill(cost)
      return new Promise((resolve) => setTimeout(() => resolve(plainAnswer('Yes')), 5))
    },
  ]
}

function chancy(name: string, call: Model['call']): Provider {
  return {
    name,
    argument: 'X',
    summary: '',
    costs: () => true,
    open: (rest) =>
      Promise.resolve({
        name: `${name}:${rest}`,
        kind: 'chat',
        route: name,
        concurrency: { start: 8, most: 8 },
        reusesContext: false,
        call,
      }),
  }
}

/** The files as a kill would leave them: nothing is written between two turns of the event loop. */
function killed(from: string, to: string): void {
  mkdirSync(to)
  for (const file of ['run.json', 'ledger.db', 'ledger.db-wal'])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file))
}

const booked = async (dir: string): Promise<number> => {
  const ledger = new Ledger(join(dir, 'ledger.db'), {
    readOnly: true,
    redact: { known: noRedaction, shapes: noRedaction },
  })
  const usd = ledger.bookedUsd()
  await ledger[Symbol.asyncDispose]()
  return usd
}

describe('the law of money', () => {
  it('bill <= ledger <= limit (and what servers took above what they may), whatever goes wrong, whatever is killed', async () => {
    let number = 0
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.nat(1_000_000)),
        fc.record({
          input: fc.double({ min: 0, max: 30, noNaN: true }),
          output: fc.double({ min: 0.01, max: 90, noNaN: true }),
        }),
        fc.double({ min: 0.0005, max: 0.2, noNaN: true }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 3 }),
        async (dice, prices, limit, kills) => {
          let bill = 0
          let above = 0
          let heard = 0
          let calls = 0
          let killAt = Number.POSITIVE_INFINITY
          let onKill: () => void = () => undefined
          const roll = (): number => Number(dice.next().value)
          const provider = chancy('dear', async (_call, signal) => {
            if (signal.aborted) return failure('aborted', 'aborted', 'never')
            calls++
            const list = faults(prices, 1 + (roll() % 8), roll() % (MAX_OUTPUT + 1))
            const fault = list[roll() % list.length] as Fault
            const reply = await fault(
              (usd) => {
                bill += usd
              },
              (said, owed) => {
                above += said
                heard += owed
              },
            )
            if (calls >= killAt) onKill()
            return reply
          })
          const context: RunContext = mockContext({ providers: [provider] })
          const yaml = `
items: { task: mock/parity, preset: small, count: 30 }
models: [{ model: "dear:x", price: { input: ${prices.input}, output: ${prices.output} }, settings: { maxTokens: ${MAX_OUTPUT} } }]
limits: { usd: ${limit}, retries: 2 }
`
          let dir = join(folder, `run-${number++}`)
          let run: Run = await createRun({ experiment: readExperiment(yaml), dir }, context)
          for (const kill of [...kills, null]) {
            const abort = new AbortController()
            let dead = false
            const next = join(folder, `run-${number++}`)
            const from = dir
            killAt = kill === null ? Number.POSITIVE_INFINITY : calls + kill
            onKill = () => {
              if (!dead) killed(from, next)
              dead = true
              abort.abort()
            }
            await executeRun(run, { abort: abort.signal, random: () => 0 })
            await run[Symbol.asyncDispose]()
            if (dead) dir = next
            run = await openRun(dir, context, { mode: 'write' })
            // What a killed process did not hear, or not write down, nobody can know of.
            if (!dead) bill += heard
            heard = 0
            expect(run.ledger.bookedUsd()).toBeGreaterThanOrEqual(bill - CENT)
            expect(run.ledger.bookedUsd()).toBeLessThanOrEqual(limit + above + CENT)
          }
          await run[Symbol.asyncDispose]()
          expect(await booked(dir)).toBeGreaterThanOrEqual(bill - CENT)
        },
      ),
      { numRuns: sample({ nightly: 100, otherwise: 3 }) },
    )
  }, 120_000)
})

describe('what a model asks by itself before its first answer', () => {
  it('is booked for as long as there is none, and stays booked', async () => {
    const price = { input: 1000, output: 0 }
    let asked = 0
    const plain = chancy('prober', () => {
      asked++
      return Promise.resolve(
        asked < 3
          ? failure('cut', 'cut', 'again')
          : plainAnswer('Yes', { usage: { inputTokens: 10, outputTokens: 1 } }),
      )
    })
    const provider: Provider = {
      ...plain,
      open: async (...args) => ({ ...(await plain.open(...args)), remote: true, probing: { input: 100, output: 4 } }),
    }
    const yaml = `
items: { task: mock/parity, preset: small, count: 20 }
models: [{ model: "prober:x", price: ${JSON.stringify(price)}, settings: { maxTokens: 10 } }]
limits: { retries: 3 }
`
    const context = mockContext({ providers: [provider] })
    const dir = join(folder, 'run')
    const run = await createRun({ experiment: readExperiment(yaml), dir }, context)
    const { costUsd } = await executeRun(run, { random: () => 0 })
    // Three calls went out without an answer before them, 100 tokens each; two of them were cut.
    const calls = 20 * 0.01
    expect(Number(await run.ledger.meta('carried'))).toBeCloseTo(0.3)
    expect(run.ledger.bookedUsd()).toBeGreaterThan(0.3 + calls + 2)
    expect(costUsd).toBeCloseTo(run.ledger.bookedUsd())
    await run[Symbol.asyncDispose]()
  })

  it('is given back where every answer is a kept one', async () => {
    const plain = chancy('prober', () =>
      Promise.resolve(plainAnswer('Yes', { usage: { inputTokens: 1, outputTokens: 1 } })),
    )
    const provider: Provider = {
      ...plain,
      open: async (...args) => ({ ...(await plain.open(...args)), remote: true, probing: { input: 100, output: 4 } }),
    }
    const yaml = `
items: { task: mock/parity, preset: small, count: 5 }
models: [{ model: "prober:x", price: { input: 1000, output: 0 }, settings: { maxTokens: 10 } }]
`
    const spent: number[] = []
    for (const name of ['a', 'b']) {
      const create = { experiment: readExperiment(yaml), dir: join(folder, name) }
      await using run = await createRun(create, mockContext({ providers: [provider] }))
      const { costUsd } = await executeRun(run, { cache: join(folder, 'kept') })
      expect(costUsd).toBeCloseTo(run.ledger.bookedUsd(), 10)
      spent.push(costUsd)
    }
    expect(spent[0]).toBeGreaterThan(0.1)
    expect(spent[1]).toBeCloseTo(0, 10)
  })
})

// ---- the same over HTTP

const price = { input: 2, output: 10 }
const trueCost = (USAGE.prompt_tokens * price.input + USAGE.completion_tokens * price.output) / 1e6

async function served(behave: (number: number) => Behaviour, usd: number | null, count = 100): Promise<Run> {
  mock = await startMock({ behave: ({ number }) => behave(number) })
  const yaml = `
items: { task: mock/parity, preset: small, count: ${count} }
models: [{ model: "openai-compatible:m", baseUrl: "${mock.url}", price: ${JSON.stringify(price)}, settings: { maxTokens: 100 } }]
limits: { ${usd === null ? '' : `usd: ${usd}, `}retries: 2, timeout: 1 }
`
  return createRun({ experiment: readExperiment(yaml), dir: join(folder, 'run') }, mockContext())
}

describe('a server that is paid for each answer', () => {
  it.each([
    'bad-json',
    'wrong-json',
    'huge',
    'huge-chunked',
    'cut-body',
    'usage-negative',
    'usage-absurd',
    'usage-none',
  ] as const)(
    'is never paid more than the limit: %s',
    async (behaviour) => {
      const run = await served(() => behaviour, 0.05)
      const { costUsd } = await executeRun(run, { random: () => 0 })
      const bill = (mock?.requests ?? 0) * trueCost
      expect(run.ledger.bookedUsd()).toBeGreaterThanOrEqual(bill)
      expect(run.ledger.bookedUsd()).toBeLessThanOrEqual(0.05 + CENT)
      expect(costUsd).toBeCloseTo(run.ledger.bookedUsd())
      await run[Symbol.asyncDispose]()
    },
    60_000,
  )

  it('is asked once more where its answer cannot be read, and not as often as where nothing came', async () => {
    const run = await served(() => 'bad-json', null, 4)
    await executeRun(run, { random: () => 0 })
    expect(mock?.requests).toBe(8)
    expect(await run.ledger.counts()).toMatchObject({ failed: 4 })
    await run[Symbol.asyncDispose]()
  })

  it.each(['overrun', 'overrun-unread'] as const)(
    'and writes more than it was asked for is stopped at its first answer, and booked what it says: %s',
    async (behaviour) => {
      const run = await served(() => behaviour, 0.05)
      const result = await executeRun(run, { random: () => 0 })
      const cost = (OVERRUN.prompt_tokens * price.input + OVERRUN.completion_tokens * price.output) / 1e6
      expect(mock?.requests).toBe(1)
      expect(run.ledger.bookedUsd()).toBeCloseTo(cost)
      expect(result.costUsd).toBeCloseTo(cost)
      expect(result.status).toBe('models-stopped')
      expect(result.stoppedModels['openai-compatible:m']).toMatchObject({ kind: 'overrun' })
      expect(result.stoppedModels['openai-compatible:m']?.message).toMatch(
        /cost \$0\.5000 .* at most \$0\.00\d\d was set aside/u,
      )
      await run[Symbol.asyncDispose]()
      const again = await openRun(join(folder, 'run'), mockContext(), { mode: 'write' })
      expect(await executeRun(again, { random: () => 0 })).toMatchObject({ status: 'cost-limit' })
      expect(mock?.requests).toBe(1)
      await again[Symbol.asyncDispose]()
    },
  )

  it('is booked what it says, and told of, where there is no limit', async () => {
    const run = await served((n) => (n === 0 ? 'overrun' : 'right'), null, 3)
    const { status, costUsd, warnings } = await executeRun(run)
    expect(status).toBe('completed')
    expect(costUsd).toBeGreaterThan(0.5)
    expect(warnings).toEqual([
      expect.stringMatching(/outputTokens 50000, .* from 0 to 100 can be; booked is what that costs, \$0\.5000/u),
    ])
    await run[Symbol.asyncDispose]()
  })

  it('and refuses after work, by its own words, is not taken to be free', async () => {
    const run = await served(() => 'usage-400', 0.05, 3)
    await executeRun(run, { random: () => 0 })
    expect(run.ledger.bookedUsd()).toBeGreaterThanOrEqual(3 * trueCost)
    await run[Symbol.asyncDispose]()
  })

  it('is told of what it says of its use that cannot be', async () => {
    const run = await served((n) => (n === 0 ? 'usage-negative' : n === 1 ? 'usage-fraction' : 'right'), null, 3)
    const { warnings } = await executeRun(run)
    expect(warnings.join('\n')).toMatch(/inputTokens -1000000000, where a whole number from 0 to \d+ can be/u)
    expect(warnings.join('\n')).toMatch(/outputTokens 2\.5/u)
    await run[Symbol.asyncDispose]()
  })

  it('is understood though it writes counts as text, or something odd beside its answer', async () => {
    const run = await served((n) => (n % 2 === 0 ? 'usage-text' : 'odd-json'), 0.05, 4)
    expect(await executeRun(run)).toMatchObject({ status: 'completed', counts: { done: 4 } })
    expect(mock?.requests).toBe(4)
    expect(run.ledger.bookedUsd()).toBeCloseTo(4 * trueCost)
    const frame = (await loadFrames(run)).frame('strict')
    expect([...(frame?.number('output_tokens') ?? [])]).toEqual([3, 3, 3, 3])
    await run[Symbol.asyncDispose]()
  })

  it('costs nothing where it refuses', async () => {
    const run = await served((n) => (n < 3 ? 'rate-limit' : 'right'), 0.05, 4)
    await executeRun(run, { random: () => 0 })
    expect(run.ledger.bookedUsd()).toBeCloseTo(4 * trueCost)
    await run[Symbol.asyncDispose]()
  })

  it('loses no paid answer that could not be read: it is read again later', async () => {
    const run = await served(() => 'streamed', null, 4)
    expect(await executeRun(run, { random: () => 0 })).toMatchObject({ counts: { failed: 4 } })
    const asked = mock?.requests
    expect(run.ledger.bookedUsd()).toBeGreaterThan(8 * trueCost)
    expect(await reparseBodies(run)).toEqual({ bodies: 8, reparsed: 4 })
    expect(mock?.requests).toBe(asked)
    expect(await run.ledger.counts()).toMatchObject({ done: 4, failed: 0 })
    const frame = (await loadFrames(run)).frame('strict')
    expect(frame?.category('prediction').levels).toEqual(['true'])
    expect(await reparseBodies(run)).toEqual({ bodies: 0, reparsed: 0 })
    await run[Symbol.asyncDispose]()
  })

  it('is not asked under a limit where nothing ends its answers', async () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 1 }
models: [{ model: "openai-compatible:m", baseUrl: "http://127.0.0.1:9/v1", price: { input: 1, output: 1 } }]
limits: { usd: 1 }
`
    await expect(
      createRun({ experiment: readExperiment(yaml), dir: join(folder, 'run') }, mockContext()),
    ).rejects.toThrow(
      /a cost limit of \$1 needs the most output of a call to openai-compatible:m: add --max-tokens N, or `maxTokens`/u,
    )
  })
})
