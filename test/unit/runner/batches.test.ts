import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createRun,
  type ExecuteOptions,
  executeRun,
  mergeRuns,
  openRun,
  parseExperiment,
  type Run,
} from '../../../src/runner/index.ts'
import {
  BATCH_OVERRUN,
  BATCH_USAGE,
  type BatchMock,
  type BatchMockOptions,
  startBatchMock,
  type ToldBatch,
} from '../../mock/batches.ts'
import { mockContext, scratch } from '../../mock/context.ts'

const PROTOCOLS = ['openai', 'anthropic', 'google'] as const
type Protocol = (typeof PROTOCOLS)[number]
const PRICE = { input: 1, output: 10 }
/** What one computed line is billed with, in US dollars. */
const BILLED = (BATCH_USAGE.input * PRICE.input + BATCH_USAGE.output * PRICE.output) / 1e6

let folder: string
let remove: () => Promise<void>
let mock: BatchMock
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(async () => {
  await mock.close()
  await remove()
})

const context = () =>
  mockContext({
    env: {
      OPENAI_API_KEY: 'k1-secret-of-openai',
      ANTHROPIC_API_KEY: 'k2-secret-of-anthropic',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k3-secret-of-google',
    },
  })

const experiment = (protocol: Protocol, more: object = {}, limits: object = {}, count = 40) =>
  parseExperiment({
    items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count },
    models: [
      {
        model: `${protocol}:m`,
        name: 'm',
        baseUrl: mock.url,
        batch: { lines: 15 },
        price: PRICE,
        settings: { maxTokens: 100 },
        ...more,
      },
    ],
    limits: { retries: 2, ...limits },
  })

const begin = async (options: BatchMockOptions): Promise<void> => {
  mock = await startBatchMock(options)
}
const FAST = { poll: 0.02, settling: 0, random: () => 0 } as const

async function whole(protocol: Protocol, options: ExecuteOptions = {}, more = {}, limits = {}) {
  await using run = await createRun(
    { dir: join(folder, 'run'), experiment: experiment(protocol, more, limits) },
    context(),
  )
  return { result: await executeRun(run, { ...FAST, ...options }), responses: await texts(run) }
}

async function texts(run: Run): Promise<readonly string[]> {
  const out: string[] = []
  for await (const page of run.ledger.responses()) out.push(...page.map(({ response }) => response.text))
  return out
}

const resume = async (options: ExecuteOptions = {}) => {
  await using run = await openRun(join(folder, 'run'), context(), { mode: 'write' })
  return { result: await executeRun(run, { ...FAST, ...options }), responses: await texts(run) }
}

/** A batch that is over before all of it was computed, and says how much was. */
function expired(said: ToldBatch, right: number): object {
  const counts = { total: 15, completed: right, failed: 0 }
  if (said['status'] === 'completed') return { ...said, status: 'expired', request_counts: counts }
  const about = (said['metadata'] ?? {}) as ToldBatch
  if (about['state'] === 'BATCH_STATE_SUCCEEDED')
    return {
      ...said,
      metadata: { ...about, state: 'BATCH_STATE_EXPIRED', batchStats: { successfulRequestCount: String(right) } },
    }
  return said
}

describe.each(PROTOCOLS)('batches of %s', (protocol) => {
  it('answers every cell, in batches of the size asked for, and books what the provider bills', async () => {
    await begin({ protocol, strangers: 250 })
    const { result, responses } = await whole(protocol)
    expect(result.status).toBe('completed')
    expect(result.counts).toEqual({ waiting: 0, leased: 0, batched: 0, done: 40, failed: 0 })
    expect(mock.batches).toBe(3)
    expect(mock.computed).toBe(40)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
    expect(new Set(responses)).toEqual(new Set(['Yes', 'No']))
  })

  it('finds a batch again whose name was cut off on its way, among others', async () => {
    let cuts = 0
    await begin({
      protocol,
      strangers: 250,
      step: (step) => (step === 'created' && cuts++ < 2 ? 'cut' : undefined),
    })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect(mock.computed).toBe(40)
    expect(Math.max(...mock.byPrompt.values())).toBe(1)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('finds a batch of a server that was too busy to say that it took it', async () => {
    let busy = 0
    await begin({ protocol, step: (step) => (step === 'created' && busy++ < 2 ? [429, 503][busy - 1] : undefined) })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect([mock.computed, mock.batches]).toEqual([40, 3])
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('sends a batch off again that never got there', async () => {
    let cuts = 0
    await begin({ protocol, step: (step) => (step === 'create' && cuts++ < 1 ? 'cut' : undefined) })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect(mock.computed).toBe(40)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('goes on reading where the results were cut off', async () => {
    let cuts = 0
    await begin({ protocol, step: (step) => (step === 'results-half' && cuts++ < 3 ? 'cut' : undefined) })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect(mock.computed).toBe(40)
  })

  it('reads results again that end too early, and asks nothing twice', async () => {
    // Cut within a line, and between two.
    const cut = [-40, 0]
    await begin({
      protocol,
      garble: (lines, reads) => (reads < 2 ? [...lines.slice(0, 3), (lines[3] ?? '').slice(0, cut[reads])] : lines),
    })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect(mock.computed).toBe(40)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('sends nothing again by itself where a batch ended without any result', async () => {
    await begin({ protocol, garble: () => [] })
    const { result } = await whole(protocol, {}, { batch: { lines: 40 } })
    expect(result.status).toBe('models-stopped')
    expect(result.stoppedModels['m']?.message).toContain('without any result')
    expect(result.counts).toMatchObject({ waiting: 40, done: 0, failed: 0 })
    expect(mock.batches).toBe(1)
    expect(result.costUsd).toBeGreaterThanOrEqual(40 * BILLED)
  })

  it('tells where a batch has fewer results than its provider says', async () => {
    await begin({ protocol, garble: (lines) => (lines.length === 40 ? lines.slice(3) : lines) })
    const { result } = await whole(protocol, {}, { batch: { lines: 40 } })
    expect(result.counts.done).toBe(40)
    expect(result.warnings).toEqual([
      expect.stringMatching(
        /^m: batch \S+ has the results of 37 lines, and its provider says 40; what has none is asked again$/u,
      ),
    ])
  })

  it('asks a line again that has neither a response nor an error', async () => {
    const hollow = (line: string) => {
      const { custom_id, key } = JSON.parse(line) as { custom_id?: string; key?: string }
      return `${JSON.stringify({ custom_id, key })}\n`
    }
    // The second batch has one line.
    await begin({
      protocol,
      garble: (lines) => lines.map((line, i) => (lines.length === 40 && i === 0 ? hollow(line) : line)),
    })
    const { result, responses } = await whole(protocol, {}, { batch: { lines: 40 } })
    expect(result.counts.done).toBe(40)
    expect(new Set(responses)).toEqual(new Set(['Yes', 'No']))
    expect(mock.batches).toBe(2)
  })

  it('takes the first of two results of a line, and tells where they differ', async () => {
    const other = (line: string) => line.replace(/"(?:Yes|No)"/u, '"Perhaps"')
    await begin({
      protocol,
      garble: (lines) => [...lines, ...lines.slice(0, 2), ...lines.slice(2, 5).map(other), '{"custom_id":"x-0"}\n'],
    })
    const { result, responses } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect(new Set(responses)).toEqual(new Set(['Yes', 'No']))
    expect(mock.computed).toBe(40)
    const differing = result.warnings.filter((words) => words.includes('differ'))
    expect(differing.length).toBe(3)
    expect(differing[0]).toMatch(/^m: 3 lines of batch \S+ have two results that differ; the first of each counts$/u)
  })

  it('waits for a provider that takes no more, longer than for one that fails', async () => {
    let refused = 0
    const first = protocol === 'anthropic' ? 'create' : 'upload'
    await begin({ protocol, step: (step) => (step === first && refused++ < 10 ? 429 : undefined) })
    const { result } = await whole(protocol)
    expect(result).toMatchObject({ status: 'completed', counts: { done: 40 } })
    expect(mock.computed).toBe(40)
  })

  it('leaves results out that are of no line, and says so', async () => {
    const strange = (line: string): string => line.replace(/(ts-[\w-]+)-\d+/u, '$1-77')
    await begin({ protocol, garble: (lines) => ['{"cut\n', ...lines, strange(lines[0] ?? '')] })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    const [garbled, ...doubts] = result.warnings
    expect(garbled).toMatch(/^m: line 1 of the results of batch \S+ cannot be read$/u)
    expect(doubts[0]).toMatch(/^m: batch \S+ has 1 results that match no line of it \(ignored\)$/u)
    expect(result.warnings.join()).not.toContain('asked again')
  })

  it('asks lines again that expired, failed or are missing, as often as the limits say, and tells the rest', async () => {
    const fates = new Map<string, number>()
    await begin({
      protocol,
      fate: (prompt, seen) => {
        if (!fates.has(prompt)) fates.set(prompt, fates.size)
        const n = fates.get(prompt) ?? 0
        if (n === 0) return 'error'
        if (n < 10) return seen === 0 ? 'error' : 'right'
        if (n < 20) return seen === 0 ? 'missing' : 'right'
        return 'right'
      },
    })
    const { result } = await whole(protocol)
    expect(result.counts).toMatchObject({ done: 39, failed: 1, waiting: 0, batched: 0 })
    expect(mock.computed).toBe(39)
    // What is missing may have been billed, and stays booked.
    expect(result.costUsd).toBeGreaterThanOrEqual(39 * BILLED)
  })

  it('submits without waiting, and collects another day', async () => {
    await begin({ protocol, looks: 1 })
    const { result } = await whole(protocol, { wait: false })
    expect(result.status).toBe('batches-pending')
    expect(result.counts).toMatchObject({ batched: 40, done: 0 })
    expect(result.costUsd).toBeGreaterThan(40 * BILLED)
    const later = await resume()
    expect(later.result).toMatchObject({ status: 'completed', counts: { done: 40, batched: 0 } })
    expect(later.result.costUsd).toBeCloseTo(40 * BILLED, 10)
    expect(mock.computed).toBe(40)
  })

  it('cancels: what is done is kept, the rest waits and costs nothing', async () => {
    await begin({ protocol, looks: 1000 })
    await whole(protocol, { wait: false })
    const { result } = await resume({ cancelBatches: true })
    expect(result.counts).toMatchObject({ batched: 0, waiting: 40, done: 0 })
    expect(mock.computed).toBe(0)
    expect(result.costUsd).toBeCloseTo(0, 10)
  })

  it('waits for a batch that its provider does not cancel, and collects it', async () => {
    await begin({ protocol, looks: 6, step: (step) => (step === 'cancel' ? 404 : undefined) })
    await whole(protocol, { wait: false })
    const { result } = await resume({ cancelBatches: true })
    expect(result.counts).toMatchObject({ batched: 0, done: 40, failed: 0 })
    expect(result.warnings[0]).toMatch(/^m: batch \S+ is not ended by its provider \(HTTP 404: .*; it is waited for$/u)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('never books more than the limit allows, nor less than is billed', async () => {
    await begin({ protocol, fate: () => 'no-usage' })
    const usd = 0.05
    const { result } = await whole(protocol, {}, {}, { usd })
    expect(result.status).toBe('cost-limit')
    expect(result.counts.done).toBeGreaterThan(0)
    expect(result.counts.done).toBeLessThan(40)
    expect(result.costUsd).toBeLessThanOrEqual(usd)
    expect(mock.computed * BILLED).toBeLessThanOrEqual(result.costUsd)
  })

  it('sends no further batch where lines take more than they were allowed, and books what they say', async () => {
    await begin({ protocol, fate: () => 'overrun' })
    const { result } = await whole(protocol, {}, {}, { usd: 0.02 })
    const billed = (BATCH_USAGE.input * PRICE.input + BATCH_OVERRUN * PRICE.output) / 1e6
    expect(mock.batches).toBe(1)
    expect(result.costUsd).toBeCloseTo(mock.computed * billed, 10)
    expect(Object.values(result.stoppedModels)).toMatchObject([{ kind: 'overrun' }])
    expect(result.warnings.join()).toMatch(/outputTokens 50000, .* booked is what that costs/u)
  })

  it('sends smaller batches where the limit holds no more, and goes on when money comes back', async () => {
    await begin({ protocol })
    const { result } = await whole(protocol, {}, {}, { usd: 0.02 })
    expect(result).toMatchObject({ status: 'completed', counts: { done: 40 } })
    expect(mock.batches).toBeGreaterThan(3)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('stops when the key is refused, and nothing is owed', async () => {
    await begin({ protocol, step: (step) => (step === 'create' || step === 'upload' ? 401 : undefined) })
    const { result } = await whole(protocol)
    expect(result.status).toBe('models-stopped')
    expect(result.stoppedModels['m']?.kind).toBe('authentication')
    expect(result.counts).toMatchObject({ waiting: 40, batched: 0 })
    expect(result.costUsd).toBe(0)
  })

  it('waits where the provider takes no more for now', async () => {
    let refused = 0
    await begin({ protocol, step: (step) => (step === 'create' && refused++ < 2 ? 429 : undefined) })
    const { result } = await whole(protocol)
    expect(result).toMatchObject({ status: 'completed', counts: { done: 40 } })
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  })

  it('gives lines up whose batch is gone, and keeps them booked', async () => {
    let gone = false
    await begin({ protocol, step: (step) => (step === 'look' && gone ? 404 : undefined) })
    await whole(protocol, { wait: false })
    gone = true
    const { result } = await resume()
    expect(result.counts).toMatchObject({ failed: 40, batched: 0 })
    expect(result.costUsd).toBeGreaterThan(0)
  })

  it('asks some models in batches and others live, in one run', async () => {
    await begin({ protocol })
    const mixed = experiment(protocol)
    const both = parseExperiment({ ...mixed, models: [...mixed.models, { model: 'baseline:exact' }] })
    await using run = await createRun({ dir: join(folder, 'mixed'), experiment: both }, context())
    const result = await executeRun(run, FAST)
    expect(result).toMatchObject({ status: 'completed', counts: { done: 80 } })
    expect(mock.computed).toBe(40)
  })
})

it.each([
  ['openai', 'missing'],
  ['google', 'missing'],
  ['google', 'expired'],
] as const)(
  'nothing is owed for lines of a batch of %s that ended early, where it says how many were computed: %s',
  async (protocol, fate) => {
    let half = 0
    await begin({ protocol, fate: (_, seen) => (seen === 0 && half++ % 2 === 0 ? fate : 'right'), told: expired })
    const { result } = await whole(protocol)
    expect(result.counts.done).toBe(40)
    expect(mock.computed).toBe(40)
    expect(mock.batches).toBeGreaterThan(3)
    expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
  },
)

it('a batch of OpenAI that failed, and brought results all the same, is collected', async () => {
  await begin({
    protocol: 'openai',
    told: (said, right) =>
      said['status'] === 'completed'
        ? { ...said, status: 'failed', request_counts: { total: 15, completed: right, failed: 0 } }
        : said,
  })
  const { result } = await whole('openai')
  expect(result.counts.done).toBe(40)
  expect(result.costUsd).toBeCloseTo(40 * BILLED, 10)
})

it.each([
  ['openai', (said: ToldBatch) => ({ ...said, created_at: undefined })],
  ['anthropic', (said: ToldBatch) => ({ ...said, created_at: undefined, request_counts: undefined })],
] as const)('a lost batch of %s is found behind newer ones, though little is said of them', async (protocol, told) => {
  let cuts = 0
  await begin({ protocol, newer: 150, told, step: (step) => (step === 'created' && cuts++ < 1 ? 'cut' : undefined) })
  const { result } = await whole(protocol)
  expect(result.counts.done).toBe(40)
  expect(mock.computed).toBe(40)
})

it('a batch that is refused whole stops the model and says why', async () => {
  await begin({ protocol: 'openai', invalid: 'model_not_found' })
  const { result } = await whole('openai')
  expect(result.status).toBe('models-stopped')
  expect(result.stoppedModels['m']?.message).toContain('model_not_found')
  expect(result.costUsd).toBeCloseTo(0, 10)
})

it('a model without batches is refused before the run is made', async () => {
  await begin({ protocol: 'openai' })
  const wrong = parseExperiment({
    items: { task: 'mock/parity', preset: 'small' },
    models: [{ model: 'baseline:exact', batch: true }],
  })
  await expect(createRun({ dir: join(folder, 'x'), experiment: wrong }, context())).rejects.toThrow('in batches')
})

it('the listed price is halved, a price of the experiment is taken as it is', async () => {
  await begin({ protocol: 'openai' })
  const asked = parseExperiment({
    items: { task: 'mock/parity', preset: 'small' },
    models: [
      { model: 'openai:gpt-5-mini', batch: true, name: 'a' },
      { model: 'openai:gpt-5-mini', name: 'b' },
      { model: 'openai:gpt-5-mini', batch: true, name: 'c', price: { input: 7, output: 7 } },
    ],
  })
  await using run = await createRun({ dir: join(folder, 'p'), experiment: asked }, context())
  const [a, b, c] = run.file.models.map(({ price }) => price)
  expect(a?.input).toBe((b?.input ?? 0) / 2)
  expect(a?.output).toBe((b?.output ?? 0) / 2)
  expect(c?.input).toBe(7)
})

it('shards that wait for batches are not merged', async () => {
  await begin({ protocol: 'openai', looks: 1000 })
  const dirs = [0, 1].map((index) => join(folder, `s${index}`))
  for (const [index, dir] of dirs.entries()) {
    await using run = await createRun({ dir, experiment: experiment('openai'), shard: { index, of: 2 } }, context())
    await executeRun(run, { ...FAST, wait: false })
  }
  await expect(mergeRuns(dirs, join(folder, 'all'), context())).rejects.toThrow('--cancel-batches')
})
