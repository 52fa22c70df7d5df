import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRun, type ExecuteOptions, executeRun, openRun, parseExperiment } from '../../../src/runner/index.ts'
import {
  BATCH_USAGE,
  type BatchMock,
  type BatchMockOptions,
  type Step,
  startBatchMock,
  type ToldBatch,
} from '../../mock/batches.ts'
import { mockContext, scratch } from '../../mock/context.ts'

/** What one computed line is billed with, in US dollars. */
const BILLED = (BATCH_USAGE.input + 10 * BATCH_USAGE.output) / 1e6
/** An hour: longer than any test. */
const HOUR = 3600

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

const key = 'key-of-a-test'
const KEYS = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, GOOGLE_GENERATIVE_AI_API_KEY: key }

async function whole(options: BatchMockOptions, ...mores: readonly ExecuteOptions[]) {
  mock = await startBatchMock(options)
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: 20 },
    models: [
      {
        model: `${options.protocol}:m`,
        name: 'm',
        baseUrl: mock.url,
        batch: { lines: 10 },
        price: { input: 1, output: 10 },
        settings: { maxTokens: 100 },
      },
    ],
    limits: { retries: 2 },
  })
  const context = mockContext({ env: KEYS })
  await using run = await createRun({ dir: join(folder, 'run'), experiment }, context)
  const results = []
  for (const more of mores) results.push(await executeRun(run, { poll: 0.01, settling: 0, random: () => 0, ...more }))
  return results.at(-1)!
}

/** Goes on with the run of `whole`. */
async function again(more: ExecuteOptions = {}) {
  await using run = await openRun(join(folder, 'run'), mockContext({ env: KEYS }), { mode: 'write' })
  return await executeRun(run, { poll: 0.01, settling: 0, random: () => 0, ...more })
}

/** Ends a run at the n-th time that a step is taken. */
function endAt(step: Step, n: number) {
  const stop = new AbortController()
  let seen = 0
  return {
    stop: stop.signal,
    see: (now: Step): void => {
      if (now === step && ++seen === n) stop.abort()
    },
  }
}

const DAY_MS = 86_400_000
const old = (said: ToldBatch): ToldBatch => {
  const at = Date.now() - 5 * DAY_MS
  const about = said['metadata'] as ToldBatch | undefined
  return {
    ...said,
    created_at: typeof said['created_at'] === 'number' ? Math.floor(at / 1000) : new Date(at).toISOString(),
    ...(about === undefined ? {} : { metadata: { ...about, createTime: new Date(at).toISOString() } }),
  }
}
const isOthers = (said: ToldBatch): boolean => String(said['id'] ?? said['name']).startsWith('newer')

describe.each(['openai', 'anthropic', 'google'] as const)('what a server of %s does not show', (protocol) => {
  it('sends a lost batch not again before lists have had their time, however often it looks', async () => {
    const end = endAt('list', 12)
    const result = await whole(
      {
        protocol,
        step: (step) => {
          end.see(step)
          return step === 'create' ? 'cut' : undefined
        },
      },
      { stop: end.stop, settling: HOUR },
    )
    // Two of ten lines each.
    expect(mock.steps.filter((step) => step === 'create')).toHaveLength(2)
    expect(result.counts).toMatchObject({ batched: 20 })
  })

  it('gives no line up before files have had their time, however often it looks', async () => {
    const end = endAt('look', 24)
    const result = await whole(
      {
        protocol,
        step: (step) => {
          end.see(step)
          return step === 'results' ? 404 : undefined
        },
      },
      { stop: end.stop, settling: HOUR },
    )
    expect(result.counts).toMatchObject({ batched: 20, failed: 0 })
  })

  it('gives lines up whose batch is there and whose results are not, and keeps them booked', async () => {
    const result = await whole({ protocol, step: (step) => (step === 'results' ? 404 : undefined) }, {})
    expect(result.counts).toMatchObject({ failed: 20, batched: 0 })
    expect(result.costUsd).toBeGreaterThanOrEqual(20 * BILLED)
    expect(mock.batches).toBe(2)
  })

  it('gives up a batch that is not there any more also where nothing is waited for', async () => {
    const result = await whole(
      { protocol, step: (step) => (step === 'look' ? 404 : undefined) },
      { wait: false },
      { wait: false },
    )
    expect(result.counts).toMatchObject({ failed: 20, batched: 0 })
    expect(mock.batches).toBe(2)
  })

  it('waits not for ever for a batch in a state that nobody knows, and sends nothing of it again', async () => {
    let fixed = false
    const told = (said: ToldBatch): object => {
      if (fixed) return said
      const metadata = said['metadata'] as ToldBatch | undefined
      if (protocol === 'google')
        return { ...said, done: false, response: null, metadata: { ...metadata, state: 'JOB_STATE_ODD' } }
      return { ...said, [protocol === 'openai' ? 'status' : 'processing_status']: 'odd' }
    }
    const result = await whole({ protocol, told }, {})
    expect(result.counts).toMatchObject({ batched: 20, failed: 0, done: 0 })
    expect(result.stoppedModels).toMatchObject({ m: { message: expect.stringMatching(/state "odd"|state "ODD"/u) } })
    expect(mock.batches).toBe(2)
    fixed = true
    expect((await again()).counts).toMatchObject({ done: 20, batched: 0 })
    expect(mock.batches).toBe(2)
  })

  it('finds a lost batch behind many old ones, since no list promises its order', async () => {
    let cuts = 0
    const result = await whole(
      {
        protocol,
        newer: 150,
        told: (said) => (isOthers(said) ? old(said) : said),
        step: (step) => (step === 'created' && cuts++ < 1 ? 'cut' : undefined),
      },
      {},
    )
    expect(result.counts.done).toBe(20)
    expect(mock.computed).toBe(20)
    expect(result.costUsd).toBeCloseTo(20 * BILLED, 10)
  })

  it('asks no line again before files have had their time, also where nothing else is waited for', async () => {
    const result = await whole(
      { protocol, looks: 0, garble: (lines) => lines.slice(1) },
      { wait: false },
      { wait: false, settling: HOUR, stop: AbortSignal.timeout(400) },
    )
    expect(mock.batches).toBe(2)
    expect(result.counts.batched).toBeGreaterThan(0)
  })

  it('stops in the middle of results that never end, and collects them another day', async () => {
    let endless = true
    const step = (now: Step) =>
      now === 'results-half' && endless ? new Promise<undefined>(() => undefined) : undefined
    const result = await whole({ protocol, step }, { stop: AbortSignal.timeout(400) })
    expect(result).toMatchObject({ status: 'interrupted', counts: { failed: 0, waiting: 0 } })
    endless = false
    expect((await again()).counts).toMatchObject({ done: 20 })
    expect(mock.batches).toBe(2)
  })

  it('looks no more where it was asked to wait', async () => {
    await whole(
      { protocol, step: (step) => (step === 'look' ? 'slow' : undefined) },
      { stop: AbortSignal.timeout(400) },
    )
    expect(mock.steps.filter((step) => step === 'look').length).toBeLessThan(2)
  })
})

describe.each(['openai', 'google'] as const)('a server of %s that drops what a batch carries', (protocol) => {
  it.each(['mark', 'file'] as const)(
    'its lost batch is known by its file, or else by its results: without %s',
    async (forgets) => {
      let cuts = 0
      const result = await whole(
        { protocol, forgets, newer: 3, step: (step) => (step === 'created' && cuts++ < 2 ? 'cut' : undefined) },
        {},
      )
      expect(result.counts.done).toBe(20)
      expect([mock.computed, mock.batches]).toEqual([20, 2])
      expect(result.costUsd).toBeCloseTo(20 * BILLED, 10)
    },
  )
})

describe.each(['openai', 'anthropic', 'google'] as const)('a lost batch of %s of which nothing tells', (protocol) => {
  const lost = async () => {
    let cuts = 0
    let deleted = true
    const step = (step: Step) => {
      if (step === 'created' && cuts++ < 1) return 'cut'
      return step === 'results' && deleted ? 404 : undefined
    }
    const { status, stoppedModels } = await whole({ protocol, forgets: 'file', step }, {})
    const { message = '', advice = '' } = stoppedModels['m'] ?? {}
    const restore = (): void => {
      deleted = false
    }
    return { status, message, restore, key: /--batch-id (\S+)=ID/u.exec(advice)?.[1] ?? '' }
  }

  it('is asked for, neither sent again nor waited for, and attached as somebody says', async () => {
    const { status, message, restore, key } = await lost()
    expect(status).toBe('models-stopped')
    expect(message).toMatch(/name of a batch of 10 lines, .* may be \S*0, and nothing there tells/u)
    expect(mock.batches).toBe(2)
    await expect(again({ batchIds: ['x=none'] })).rejects.toThrow(key)
    restore()
    const name = /may be (\S+),/u.exec(message)?.[1] ?? ''
    expect((await again({ batchIds: [`${key}=${name}`] })).counts).toMatchObject({ done: 10 })
    expect(mock.batches).toBe(2)
  })

  it('is sent again where somebody says that it is not there', async () => {
    const { key } = await lost()
    await again({ batchIds: [`${key}=none`] })
    expect(mock.batches).toBe(3)
  })
})

it.each(['openai', 'google'] as const)(
  'collects a batch of %s that is shown once, and refused from then on',
  async (protocol) => {
    let ended = false
    const result = await whole(
      {
        protocol,
        told: (said) => {
          ended ||= String(said['output_file_id'] ?? '') !== '' || said['done'] === true
          return said
        },
        step: (step) => (step === 'look' && ended ? 403 : undefined),
      },
      {},
    )
    // The first of two batches was seen to end.
    expect(result.counts.done).toBe(10)
  },
)

it.each(['openai', 'anthropic', 'google'] as const)(
  'results of %s that stay away are looked for so long, and then all stays as it is',
  async (protocol) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const step = (step: Step) => {
        if (step !== 'results') return undefined
        vi.advanceTimersByTime(10_000)
        return 500
      }
      const result = await whole({ protocol, step }, {})
      expect(result.status).toBe('models-stopped')
      expect(result.stoppedModels['m']?.advice).toMatch(/resume/u)
      expect(result.counts).toMatchObject({ batched: 20, failed: 0 })
      expect(result.costUsd).toBeGreaterThan(20 * BILLED)
    } finally {
      vi.useRealTimers()
    }
  },
)

it('says at once that a batch of Anthropic which has not ended may be the lost one', async () => {
  let cuts = 0
  const end = endAt('list', 2)
  const result = await whole(
    {
      protocol: 'anthropic',
      looks: 1000,
      step: (step) => {
        end.see(step)
        return step === 'created' && cuts++ < 1 ? 'cut' : undefined
      },
    },
    { stop: end.stop, settling: HOUR },
  )
  expect(result.warnings.join()).toMatch(/m: the name of a batch of 10 lines.* may be msgbatch_0.*--batch-id \S+=none/u)
})

it('knows a lost batch of Anthropic by any of its results, not only by the first', async () => {
  let cuts = 0
  const other = `${JSON.stringify({ custom_id: 'other-0', result: { type: 'expired' } })}\n`
  const result = await whole(
    {
      protocol: 'anthropic',
      garble: (lines) => [other, ...lines],
      step: (step) => (step === 'created' && cuts++ < 2 ? 'cut' : undefined),
    },
    {},
  )
  expect(result.counts.done).toBe(20)
  expect(mock.computed).toBe(20)
})
