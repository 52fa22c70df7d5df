import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '../../../src/models/model.ts'
import { createRun, executeRun, loadStopped, openRun, readExperiment } from '../../../src/runner/index.ts'
import { CircuitBreaker } from '../../../src/runner/limits/circuit-breaker.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { type Mock, startMock } from '../../mock/server.ts'

describe('a breaker', () => {
  const refused = failure('connect', 'ECONNREFUSED', 'again', { free: true })
  const denied = failure('http-401', 'no such key', 'never', { free: true })

  it('opens at the third refusal of a key in a row', () => {
    const breaker = new CircuitBreaker()
    expect(breaker.failed(denied)).toBeNull()
    breaker.succeeded()
    expect(breaker.failed(denied)).toBeNull()
    expect(breaker.failed(denied)).toBeNull()
    expect(breaker.failed(denied)).toMatchObject({
      kind: 'authentication',
      message: 'no such key',
      retryOnResume: true,
    })
  })

  it('gives a server that starts some seconds, and one that was there half a minute', () => {
    let now = 0
    const starting = new CircuitBreaker(() => now)
    for (now = 0; now < 3000; now += 100) expect(starting.failed(refused)).toBeNull()
    expect(starting.failed(refused)).toMatchObject({ kind: 'connection' })
    now = 0
    const away = new CircuitBreaker(() => now)
    away.succeeded()
    for (now = 0; now < 30_000; now += 1000) expect(away.failed(refused)).toBeNull()
    expect(away.failed(refused)).not.toBeNull()
  })

  it('opens when all failures are alike but for their numbers, not when they differ', () => {
    const alike = new CircuitBreaker()
    const differing = new CircuitBreaker()
    for (let i = 0; i < 19; i++) {
      expect(alike.failed(failure('http-400', `request 12345${i} is wrong`, 'never'))).toBeNull()
      expect(differing.failed(failure('http-400', `wrong ${'x'.repeat(i)}`, 'never'))).toBeNull()
    }
    expect(alike.failed(failure('http-400', 'request 99 is wrong', 'never'))).toMatchObject({ kind: 'repeated' })
    expect(differing.failed(failure('http-400', 'wrong', 'never'))).toBeNull()
  })

  it('opens at twenty answers that cannot be read, however they differ and however soon: each was paid', () => {
    const breaker = new CircuitBreaker(() => 0)
    breaker.succeeded()
    const misread = (i: number) => failure('bad-body', `what came: ${'x'.repeat(i)}`, 'once')
    for (let i = 0; i < 19; i++) expect(breaker.failed(misread(i))).toBeNull()
    expect(breaker.failed(misread(20))).toMatchObject({ kind: 'repeated' })
  })

  it('opens within seconds where nothing was ever answered, and after two minutes where something was', () => {
    let now = 0
    const oops = failure('http-500', 'oops', 'again')
    const never = new CircuitBreaker(() => now)
    for (now = 0; now < 10_000; now += 100) expect(never.failed(oops)).toBeNull()
    expect(never.failed(oops)).toMatchObject({ kind: 'repeated' })
    const once = new CircuitBreaker(() => now)
    once.succeeded()
    for (const end = now + 120_000; now < end; now += 1000) expect(once.failed(oops)).toBeNull()
    expect(once.failed(oops)).toMatchObject({ kind: 'repeated' })
  })

  it.each([
    ['connect', 3, 3000, 30_000],
    ['http-500', 20, 10_000, 120_000],
  ])('of %s opens at the ms, not before', (code, count, first, later) => {
    const fault = failure(code, 'oops', 'again', { free: true })
    for (const answered of [false, true]) {
      let now = 5
      const breaker = new CircuitBreaker(() => now)
      if (answered) breaker.succeeded()
      for (let i = 0; i < count; i++) expect(breaker.failed(fault)).toBeNull()
      now = 5 + (answered ? later : first) - 1
      expect(breaker.failed(fault)).toBeNull()
      now++
      expect(breaker.failed(fault)).not.toBeNull()
    }
  })

  it('knows that slowing down, tasks and aborts are not the provider\u2019s fault', () => {
    const breaker = new CircuitBreaker()
    for (let i = 0; i < 100; i++) {
      expect(breaker.failed(failure('rate-limited', 'slow', 'slow-down'))).toBeNull()
      expect(breaker.failed(failure('threw', 'bug', 'never', { boundary: 'task' }))).toBeNull()
      expect(breaker.failed(failure('aborted', 'aborted', 'never'))).toBeNull()
    }
  })
})

describe('a run that cannot come to anything', () => {
  let folder: string
  let remove: () => Promise<void>
  let mock: Mock
  beforeEach(async () => {
    ;({ folder, remove } = await scratch())
    mock = await startMock({ latency: 5 })
  })
  afterEach(async () => {
    await mock.close()
    await remove()
  })
  const create = (url: string, limits = {}) =>
    createRun(
      {
        experiment: readExperiment(
          `items: { task: mock/parity, preset: small }\nmodels: [{ model: "openai-compatible:m", baseUrl: "${url}" }, "baseline:exact"]\nlimits: ${JSON.stringify(limits)}`,
        ),
        dir: join(folder, 'run'),
      },
      mockContext(),
    )

  it('by a wrong key stops after three calls, says why, and goes on by resume', async () => {
    let wrong = true
    await mock.close()
    mock = await startMock({ behave: () => (wrong ? 'error-401' : 'right') })
    const run = await create(mock.url)
    const result = await executeRun(run)
    expect(result).toMatchObject({
      status: 'models-stopped',
      counts: { done: 100, waiting: 100, failed: 0, leased: 0 },
      stoppedModels: { 'openai-compatible:m': { kind: 'authentication' } },
    })
    expect(mock.requests).toBeLessThanOrEqual(5)
    // Whoever looks later, at cells that wait again, reads why.
    expect(await loadStopped(run)).toMatchObject({ 'openai-compatible:m': { advice: expect.stringContaining('key') } })
    await run[Symbol.asyncDispose]()
    wrong = false
    const again = await openRun(join(folder, 'run'), mockContext(), { mode: 'write' })
    expect(await executeRun(again)).toMatchObject({ status: 'completed', counts: { done: 200 } })
    expect(await loadStopped(again)).toEqual({})
    await again[Symbol.asyncDispose]()
  })

  it('by a port where nobody listens stops in seconds', async () => {
    const run = await create('http://127.0.0.1:9/v1')
    const began = performance.now()
    expect(await executeRun(run)).toMatchObject({
      status: 'models-stopped',
      counts: { done: 100, waiting: 100, failed: 0 },
      stoppedModels: { 'openai-compatible:m': { kind: 'connection' } },
    })
    expect(performance.now() - began).toBeLessThan(20_000)
    await run[Symbol.asyncDispose]()
  }, 30_000)

  it('loses no cell of a server that is away for a while, however few retries there are', async () => {
    await mock.close()
    const away: Promise<void>[] = []
    const leave = async (): Promise<void> => {
      await mock.close()
      await sleep(500)
      mock = await startMock({ port: Number(new URL(mock.url).port) })
    }
    mock = await startMock({
      latency: 20,
      behave: ({ number }) => {
        if (number === 20) away.push(leave())
        return undefined
      },
    })
    const run = await create(mock.url, { retries: 0, concurrency: 4 })
    const { status, counts } = await executeRun(run, { random: () => 0.02 })
    await Promise.all(away)
    // Calls that were under way have no other try.
    expect(status).toBe('completed')
    expect(counts.done).toBeGreaterThanOrEqual(196)
    expect(counts.failed + counts.done).toBe(200)
    expect(away).toHaveLength(1)
    await run[Symbol.asyncDispose]()
  })

  it('is asked by one call before all others, unless that is not wanted', async () => {
    const run = await create(mock.url)
    await executeRun(run)
    expect(mock.mostOpen).toBeGreaterThan(2)
    await run[Symbol.asyncDispose]()
  })
})
