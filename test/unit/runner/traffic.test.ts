import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createRun, executeRun, parseExperiment, type Run } from '../../../src/runner/index.ts'
import { LocalLimits, type PeerStatus, type SharedLimits } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import type { Behaviour } from '../../mock/faults.ts'
import { rightAnswer } from '../../mock/parity.ts'
import { type Mock, startMock } from '../../mock/server.ts'

const cleaning: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean()
})

/** What other workers say, and what this one says to them. */
class Others extends LocalLimits implements SharedLimits {
  told: string[] = []
  says: (keys: readonly string[]) => readonly PeerStatus[] = () => []
  override pause(key: string, ms: number): Promise<void> {
    this.told.push(`pause ${key} ${ms}`)
    return Promise.resolve()
  }
  override reportStopped(key: string, by: string, cause: string): Promise<void> {
    this.told.push(`broke ${key} ${by} ${cause}`)
    return Promise.resolve()
  }
  override peerStatus(keys: readonly string[]): Promise<readonly PeerStatus[]> {
    return Promise.resolve(this.says(keys))
  }
}

const broken = (keys: readonly string[], code: string): readonly PeerStatus[] =>
  keys.map((key) => ({
    key,
    pauseMs: 0,
    stopped: {
      by: 'another',
      at: 1,
      cause: JSON.stringify({
        kind: 'authentication',
        code,
        message: 'no',
        advice: 'check the key',
        retryOnResume: true,
      }),
    },
  }))

async function begin(
  behave: (number: number) => Behaviour | undefined,
  { count = 300, rate = {}, latency = 20 }: { count?: number; rate?: object; latency?: number } = {},
): Promise<{ run: Run; mock: Mock; others: Others; times: number[] }> {
  const { folder, remove } = await scratch()
  const times: number[] = []
  const mock = await startMock({
    answer: rightAnswer,
    latency,
    behave: ({ number }) => {
      times.push(performance.now())
      return behave(number)
    },
    retryAfter: 1,
  })
  const experiment = parseExperiment({
    items: { task: 'mock/parity', config: { digits: 9 }, count },
    models: [{ model: 'openai-compatible:m', baseUrl: mock.url, settings: { maxTokens: 50 }, ...rate }],
    limits: { timeout: 5, concurrency: 4 },
  })
  const run = await createRun({ dir: join(folder, 'run'), experiment }, mockContext())
  const others = new Others()
  Object.assign(run.ledger, { sharedLimits: others })
  cleaning.push(
    remove,
    () => mock.close(),
    async () => {
      await run[Symbol.asyncDispose]()
    },
  )
  return { run, mock, others, times }
}

describe('workers that share a provider', () => {
  it('stop where another gave up, after one call that fails alike', async () => {
    let gone = false
    const { run, others, times } = await begin((number) => {
      gone ||= number >= 100
      // By itself a worker would try for minutes.
      return gone ? 'error-500' : undefined
    })
    others.says = (keys) => (gone ? broken(keys, 'http-500') : [])
    const result = await executeRun(run)
    expect(result.status).toBe('models-stopped')
    expect(Object.keys(result.stoppedModels)).toEqual(['openai-compatible:m'])
    // News is a second old at most; nine tries of two hundred cells would be many more.
    expect(times.length).toBeLessThan(400)
  })

  it('are not told by an answer that was under way already when another gave up', async () => {
    const { run, others, times } = await begin((number) => (number >= 5 ? 'error-500' : undefined), { latency: 700 })
    others.says = (keys) => (times.length >= 5 ? broken(keys, 'http-500') : [])
    const result = await executeRun(run)
    expect(result.status).toBe('models-stopped')
    expect(result.counts.done).toBe(5)
    expect(times.length).toBeLessThan(12)
  })

  it('go on where what another met does not hold here', async () => {
    const { run, others, mock } = await begin(() => undefined)
    others.says = (keys) => broken(keys, 'http-401')
    const result = await executeRun(run)
    expect(result).toMatchObject({ status: 'completed', counts: { done: 300 } })
    expect(mock.mostOpen).toBe(4)
  })

  it('tell one another why they gave up, and of pauses; news that cannot be read is none', async () => {
    const { run, others } = await begin((number) =>
      number === 20 ? 'rate-limit-after' : number > 200 ? 'error-401' : undefined,
    )
    others.says = (keys) => keys.map((key) => ({ key, pauseMs: 0, stopped: { by: 'x', at: 2, cause: '{"kind":7' } }))
    await executeRun(run)
    expect(others.told[0]).toMatch(/^pause openai-compatible 127\.0\.0\.1:\d+ 1000$/u)
    expect(others.told.at(-1)).toMatch(/^broke openai-compatible 127\.0\.0\.1:\d+ openai-compatible:m .*"http-401"/u)
  })

  it('wait while another was told to wait', async () => {
    const { run, others, times } = await begin(() => undefined, { count: 400 })
    let said = 0
    others.says = (keys) => {
      if (said === 0) said = performance.now()
      return performance.now() - said > 500 ? [] : keys.map((key) => ({ key, pauseMs: 1500, stopped: null }))
    }
    await executeRun(run)
    expect(times.filter((at) => at > said + 300 && at < said + 1400)).toEqual([])
    expect(times.length).toBe(400)
  })

  it('keep to a rate of requests in one process', async () => {
    const { run, times } = await begin(() => undefined, { count: 60, rate: { rate: { requests: 1200 } } })
    const result = await executeRun(run)
    expect(result.counts.done).toBe(60)
    const first = times[0] ?? 0
    expect(times.filter((at) => at < first + 1000).length).toBeLessThanOrEqual(42)
    expect((times.at(-1) ?? 0) - first).toBeGreaterThan(1800)
  })
})
