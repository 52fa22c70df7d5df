import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { type Model, type Provider, plainAnswer, type TokenUsage } from '../../../src/models/index.ts'
import { failure, LOCAL } from '../../../src/models/model.ts'
import {
  createRun,
  dryRun,
  executeRun,
  importResponses,
  openRun,
  type Run,
  type RunContext,
  readExperiment,
  rescoreRun,
  retryFailed,
  runPrompts,
} from '../../../src/runner/index.ts'
import { writePlan } from '../../../src/runner/plan/plan.ts'
import { loadFrames } from '../../../src/store/index.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { parity, rightAnswer } from '../../mock/parity.ts'

let folder: string
let remove: () => Promise<void>
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
})
afterEach(() => remove())

const using = async <T>(run: Run, work: (run: Run) => Promise<T>): Promise<T> => {
  try {
    return await work(run)
  } finally {
    await run[Symbol.asyncDispose]()
  }
}

const create = (yaml: string, context: RunContext = mockContext(), dir = join(folder, 'run')): Promise<Run> =>
  createRun({ experiment: readExperiment(yaml), dir }, context)

const small = (models: string): string => `
items: { task: mock/parity, preset: small }
models: ${models}
`

/** A model made of a function of the prompt. */
const programmed = (name: string, call: Model['call'], more: Partial<Model> = {}): Provider => ({
  name,
  argument: 'X',
  summary: '',
  open: (rest) =>
    Promise.resolve({
      name: `${name}:${rest}`,
      kind: 'chat',
      route: name,
      concurrency: LOCAL,
      reusesContext: false,
      call,
      ...more,
    }),
})

describe('a run', () => {
  it('gives every cell one response, scored, and tables of them', async () => {
    await using(
      await create(small('["baseline:exact", "baseline:even", "baseline:random", "baseline:gold"]')),
      async (run) => {
        const result = await executeRun(run)
        expect(result).toMatchObject({ status: 'completed', counts: { done: 400, waiting: 0, leased: 0, failed: 0 } })
        const frames = await loadFrames(run)
        const frame = frames.frame('strict')
        expect(frames.length).toBe(400)
        const { codes, levels } = frame?.category('model') ?? { codes: [], levels: [] }
        const value = frame?.number('score') ?? []
        const accuracy = (model: string): number => {
          const mine = [...codes].flatMap((code, i) => (levels[code] === model ? [value[i] as number] : []))
          return mine.reduce((a, b) => a + b, 0) / mine.length
        }
        expect(accuracy('baseline:exact')).toBe(1)
        expect(accuracy('baseline:gold')).toBe(1)
        expect(accuracy('baseline:even')).toBe(0.5)
        expect(accuracy('baseline:random')).toBeGreaterThan(0.2)
        expect(accuracy('baseline:random')).toBeLessThan(0.8)
        expect(frame?.category('status').levels).toEqual(['graded'])
        expect(frame?.category('feature_even').levels).toContain('1')
        expect(frames.frame('lenient')?.number('subscore_even').length).toBe(400)
        expect(frames.frame('published')).toBeNull()
      },
    )
  })

  it('is described by run.json alone: plan, versions, seeds', async () => {
    await using(await create(small('["baseline:exact"]')), () => Promise.resolve())
    const file = JSON.parse(await readFile(join(folder, 'run', 'run.json'), 'utf8'))
    expect(file).toMatchObject({
      schema: 'touchstone/run/1',
      seed: '0',
      software: { package: 'test' },
      sources: [{ task: 'mock/parity', version: 1, preset: 'small', label: 'small', count: 100, styles: ['plain'] }],
      models: [{ name: 'baseline:exact', samples: 1, settings: [{}] }],
    })
  })

  it('crosses styles, settings, samples and sweeps in file order', async () => {
    const yaml = `
items: { task: mock/parity, preset: endless, count: 10, sweep: { digits: [1, 2] }, style: [plain, polite] }
models: [{ model: "baseline:random", settings: [{}, { temperature: 1 }], samples: 3 }]
`
    await using(await create(yaml), async (run) => {
      const { counts, ignoredSettings } = await executeRun(run)
      expect(counts.done).toBe(2 * 10 * 2 * 2 * 3)
      expect(ignoredSettings).toEqual({ 'baseline:random': ['temperature'] })
      expect(run.file.sources.map((source) => source.label)).toEqual(['endless{digits=1}', 'endless{digits=2}'])
      const frame = (await loadFrames(run)).frame('strict')
      expect(frame?.category('settings').levels).toEqual(['{}', '{"temperature":1}'])
      // Samples of one cell draw apart.
      const answers = frame?.category('prediction').codes ?? new Int32Array()
      const triples = Array.from({ length: answers.length / 3 }, (_, i) => answers.slice(3 * i, 3 * i + 3))
      expect(triples.some((three) => new Set(three).size === 2)).toBe(true)
    })
  })

  it('asks the same config once for each of several seeds', async () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 4, seeds: [3, 5] }
models: ["baseline:exact"]
`
    await using(await create(yaml), async (run) => {
      expect(run.file.sources.map((source) => ('seed' in source ? source.seed : null))).toEqual(['3', '4', '5'])
    })
    await expect((async () => create(yaml.replace('seeds:', 'seed: 1, seeds:')))()).rejects.toThrow(/seed and seeds/)
    await expect((async () => create(yaml.replace('[3, 5]', '[5, 3]')))()).rejects.toThrow(/first and the last/)
  })

  it('carries what is said of its models into the rows', async () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 2 }
models:
  - { model: "baseline:exact", name: large, attributes: { size: 70, open: true } }
  - { model: "baseline:even", attributes: { size: 7 } }
`
    await using(await create(yaml), async (run) => {
      await executeRun(run)
      const frame = (await loadFrames(run)).frame('strict')
      expect(frame?.category('model').levels).toEqual(['large', 'baseline:even'])
      expect([...(frame?.number('attribute_size') ?? [])]).toEqual([70, 7, 70, 7])
      expect([...(frame?.number('attribute_open') ?? [])]).toEqual([1, Number.NaN, 1, Number.NaN])
    })
  })

  it('has rows though a model counts in halves', async () => {
    const usage = { inputTokens: 1.5, outputTokens: 2 }
    const odd = programmed('odd', () => Promise.resolve(plainAnswer('Yes', { usage })))
    await using(await create(small('["odd:x"]'), mockContext({ providers: [odd] })), async (run) => {
      await executeRun(run)
      const frame = (await loadFrames(run)).frame('strict')
      expect(frame?.number('input_tokens')[0]).toBeNaN()
      expect(frame?.number('output_tokens')[0]).toBe(2)
    })
  })

  it('asks no cell twice when taken up again', async () => {
    const asked: string[] = []
    const ids = new Set<string>()
    const model = programmed('echo', (call) => {
      asked.push(call.item)
      ids.add(call.attemptId)
      return Promise.resolve(plainAnswer('Yes'))
    })
    const context = mockContext({ providers: [model] })
    const stop = new AbortController()
    await using(await create(small('["echo:x"]'), context), async (run) => {
      const result = await executeRun(run, { stop: stop.signal, onProgress: (p) => p.done >= 0 && stop.abort() })
      expect(result.status).toBe('interrupted')
      expect(result.counts.leased).toBe(0)
    })
    await using(await openRun(join(folder, 'run'), context, { mode: 'write' }), async (run) => {
      expect((await executeRun(run)).counts).toMatchObject({ done: 100, waiting: 0 })
      expect((await executeRun(run)).counts.done).toBe(100)
    })
    expect(new Set(asked).size).toBe(100)
    expect(asked.length).toBe(100)
    // Unique, and telling a provider nothing of the item.
    expect(ids.size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/u)
  })

  it('aborts calls under way at once and gives their cells back', async () => {
    const model = programmed(
      'never',
      (_call, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(failure('aborted', 'aborted', 'never')))
        }),
      { concurrency: { start: 5, most: 5 } },
    )
    const abort = new AbortController()
    await using(await create(small('["never:x"]'), mockContext({ providers: [model] })), async (run) => {
      const result = await executeRun(run, {
        abort: abort.signal,
        onProgress: (progress) => progress.inFlight === 5 && abort.abort(),
      })
      expect(result).toMatchObject({ status: 'interrupted', counts: { waiting: 100, leased: 0, done: 0, failed: 0 } })
      const statuses = run.ledger.query('SELECT status, COUNT(*) AS n FROM attempt GROUP BY status')
      expect(statuses.map((row) => row['status'])).toEqual(['cancelled'])
    })
  })

  it('tries again what may pass and gives up what may not, with every attempt on record', async () => {
    let calls = 0
    const tries = new Map<string, number>()
    const model = programmed('flaky', (call) => {
      calls++
      const attempt = (tries.get(call.item) ?? 0) + 1
      tries.set(call.item, attempt)
      // One item of each group of ten.
      const place = Math.floor(Number(call.item.split('/').at(-1)) / 10)
      if (place === 0) return Promise.resolve(failure('http-400', 'no', 'never'))
      if (place === 1) return Promise.resolve(failure('http-500', 'oops', 'again'))
      return Promise.resolve(attempt < 3 ? failure('cut', 'cut', 'again') : plainAnswer('Yes'))
    })
    const yaml = 'items: { task: mock/parity, preset: small, count: 4 }\nmodels: ["flaky:x"]\nlimits: { retries: 2 }'
    await using(await create(yaml, mockContext({ providers: [model] })), async (run) => {
      const { counts } = await executeRun(run, { random: () => 0 })
      expect(counts).toMatchObject({ done: 2, failed: 2 })
      expect(calls).toBe(1 + 3 + 3 + 3)
      const frame = (await loadFrames(run)).frame('strict')
      expect(frame?.category('status').levels).toEqual(['error', 'graded'])
      expect(frame?.category('error_code').levels).toEqual(['http-400', 'http-500'])
      expect([...(frame?.number('attempts') ?? [])]).toEqual([1, 3, 3, 3])
      calls = 0
      const again = await retryFailed(run, ['http-500'], { random: () => 0 })
      expect(again.retried).toBe(1)
      expect(calls).toBe(3)
    })
  })

  it('wakes a route after its own pause, though another pauses for long', async () => {
    const stop = new AbortController()
    const pausing = (name: string, waitMs: number, then?: () => void): Provider => {
      let calls = 0
      return programmed(name, () => {
        if (calls++ === 0) return Promise.resolve(failure('rate-limited', 'wait', 'slow-down', { waitMs }))
        then?.()
        return Promise.resolve(plainAnswer('Yes'))
      })
    }
    const providers = [pausing('long', 600_000), pausing('short', 200, () => stop.abort())]
    const yaml = 'items: { task: mock/parity, preset: small, count: 2 }\nmodels: ["long:x", "short:x"]'
    await using(await create(yaml, mockContext({ providers })), async (run) => {
      const { counts } = await executeRun(run, { stop: stop.signal, random: () => 0 })
      expect(counts.done).toBe(1)
    })
  })

  it('makes no more calls at once than a model bears', async () => {
    let [open, most] = [0, 0]
    const narrow = programmed(
      'narrow',
      async () => {
        most = Math.max(most, ++open)
        await new Promise((resolve) => setImmediate(resolve))
        open--
        return plainAnswer('Yes')
      },
      { concurrency: { start: 2, most: 3 } },
    )
    await using(await create(small('["narrow:x"]'), mockContext({ providers: [narrow] })), (run) => executeRun(run))
    expect(most).toBe(3)
  })

  it('asks models of one provider in turn, however narrow it is and however often it fails', async () => {
    const asked: string[] = []
    const shared: Provider = {
      ...programmed('shared', () => Promise.resolve(plainAnswer('Yes'))),
      open(rest, ...around) {
        const ask = async () => {
          const nth = asked.push(rest)
          await new Promise((resolve) => setImmediate(resolve))
          return nth % 3 === 0 ? failure('rate-limited', 'wait', 'slow-down') : plainAnswer('Yes')
        }
        return programmed('shared', ask, { concurrency: { start: 1, most: 2 } }).open(rest, ...around)
      },
    }
    const context = mockContext({ providers: [shared] })
    await using(await create(small('["shared:first", "shared:second"]'), context), async (run) => {
      expect((await executeRun(run, { random: () => 0 })).counts.done).toBe(200)
    })
    const half = asked.slice(0, 100).filter((name) => name === 'first').length
    expect(half).toBeGreaterThan(40)
    expect(half).toBeLessThan(60)
  })

  /** Models of one server of this machine; `asked`: which one was asked, call by call. */
  const nearBy = (asked: string[]): Provider => ({
    ...programmed('near', () => Promise.resolve(plainAnswer('Yes'))),
    open: async (rest) => ({
      ...(await programmed('near', async () => {
        asked.push(rest)
        await new Promise((resolve) => setImmediate(resolve))
        return plainAnswer('Yes')
      }).open(rest, {}, {} as never, [])),
      route: 'openai-compatible localhost:11434',
    }),
  })

  it('goes on with the first model of a server of this machine, which may hold one only, while it has cells ready', async () => {
    const asked: string[] = []
    const near = nearBy(asked)
    await using(
      await create(small('["near:first", "near:second"]'), mockContext({ providers: [near] })),
      async (run) => {
        expect((await executeRun(run)).counts.done).toBe(200)
      },
    )
    const changes = asked.filter((name, i) => i > 0 && name !== asked[i - 1]).length
    expect(changes).toBeLessThan(5)
  })

  it('of two models of such a server that are compared none is further ahead than 128, and they change over in blocks', async () => {
    const asked: string[] = []
    const yaml = `
items: { task: mock/parity, preset: endless, count: 600 }
models: ["near:first", "near:second"]
until: { rule: "near:first>near:second" }
`
    await using(await create(yaml, mockContext({ providers: [nearBy(asked)] })), async (run) => {
      expect((await executeRun(run)).counts.done).toBe(1200)
    })
    let lead = 0
    const leads = asked.map((name) => (lead += name === 'near:first' || name === 'first' ? 1 : -1))
    expect(Math.max(...leads.map(Math.abs))).toBeLessThanOrEqual(128)
    expect(asked.filter((name, i) => i > 0 && name !== asked[i - 1]).length).toBeLessThan(12)
  })

  it('compares no further where the other model can no longer be paid', async () => {
    const cheap = programmed('cheap', () => Promise.resolve(plainAnswer('Yes')))
    const dear = programmed('dear', () =>
      Promise.resolve(plainAnswer('Yes', { usage: { inputTokens: 1000, outputTokens: 1000 } })),
    )
    const yaml = `
items: { task: mock/parity, preset: endless, count: 600 }
models: ["cheap:x", { model: "dear:x", price: { input: 1, output: 1000 }, settings: { maxTokens: 1000 } }]
until: { rule: "cheap:x>dear:x" }
limits: { usd: 20 }
`
    await using(await create(yaml, mockContext({ providers: [cheap, dear] })), async (run) => {
      expect((await executeRun(run)).status).toBe('cost-limit')
    })
  })

  it('counts a baseline that throws as failed at the task, never as wrong', async () => {
    await using(await create(small('["baseline:broken"]')), async (run) => {
      expect((await executeRun(run)).counts).toMatchObject({ failed: 100 })
      const [row] = run.ledger.query('SELECT DISTINCT error_source, code FROM attempt')
      expect(row).toMatchObject({ error_source: 'task', code: 'baseline-threw' })
    })
  })

  it('stops before it would spend more than it may', async () => {
    const model = programmed('dear', () =>
      Promise.resolve(plainAnswer('Yes', { usage: { inputTokens: 1000, outputTokens: 1000 } })),
    )
    const yaml = `
items: { task: mock/parity, preset: small }
models: [{ model: "dear:x", price: { input: 1, output: 1 }, settings: { maxTokens: 1000 } }]
limits: { usd: 0.0205 }
`
    const context = mockContext({ providers: [model] })
    await using(await create(yaml, context), async (run) => {
      const result = await executeRun(run)
      expect(result.status).toBe('cost-limit')
      expect(result.costUsd).toBeCloseTo(0.02)
      expect(result.costUsd).toBeLessThanOrEqual(0.0205)
      expect(result.counts).toMatchObject({ done: 10, leased: 0 })
      // Money spent before is remembered.
      expect((await executeRun(run)).counts.done).toBe(10)
    })
  })

  const dear = (usage: TokenUsage): Provider => programmed('dear', () => Promise.resolve(plainAnswer('Yes', { usage })))
  const dearRun = (models: string, limit = 'limits: { usd: 0.0205 }'): string => `
items: { task: mock/parity, preset: small }
models: ${models}
${limit}
`
  const price = 'price: { input: 1, output: 1 }, settings: { maxTokens: 1000 }'

  it('books what was set aside for answers that do not say what they used', async () => {
    const context = mockContext({ providers: [dear({})] })
    await using(await create(dearRun(`[{ model: "dear:x", ${price} }]`), context), async (run) => {
      const result = await executeRun(run)
      expect(result.status).toBe('cost-limit')
      // Less than one booking is left.
      expect(result.costUsd).toBeGreaterThan(0.0205 - 0.0021)
      expect(result.costUsd).toBeLessThanOrEqual(0.0205)
      expect(result.counts.done).toBeLessThan(25)
      expect((await executeRun(run)).counts.done).toBe(result.counts.done)
      // It is a bound, not a cost: tables do not show it as one.
      const frame = (await loadFrames(run)).frame('strict')
      expect([...(frame?.number('usd') ?? [])].every(Number.isNaN)).toBe(true)
    })
  })

  it('goes on under another limit', async () => {
    const context = mockContext({ providers: [dear({ inputTokens: 1000, outputTokens: 1000 })] })
    await using(await create(dearRun(`[{ model: "dear:x", ${price} }]`), context), async (run) => {
      expect((await executeRun(run)).counts.done).toBe(10)
      expect(await executeRun(run, { maxUsd: 0.0405 })).toMatchObject({ status: 'cost-limit', counts: { done: 20 } })
      expect(await executeRun(run, { maxUsd: 1 })).toMatchObject({ status: 'completed', counts: { done: 100 } })
    })
  })

  it('asks what is free though a dear model has used up the limit', async () => {
    const context = mockContext({ providers: [dear({ inputTokens: 1000, outputTokens: 1000 })] })
    const models = `[{ model: "dear:x", ${price} }, "baseline:exact"]`
    await using(await create(dearRun(models), context), async (run) => {
      expect(await executeRun(run)).toMatchObject({ status: 'cost-limit', counts: { done: 110, waiting: 90 } })
    })
  })

  it('spends nothing in a replay', async () => {
    const context = mockContext({ providers: [dear({ inputTokens: 1000, outputTokens: 1000 })] })
    await using(await create(dearRun(`[{ model: "dear:x", ${price} }]`, ''), context), (run) => executeRun(run))
    const replay = dearRun(JSON.stringify([`replay:${join(folder, 'run')}`]))
    await using(await create(replay, context, join(folder, 'second')), async (run) => {
      expect(await executeRun(run)).toMatchObject({ status: 'completed', costUsd: 0 })
      expect(run.ledger.bookedUsd()).toBe(0)
    })
  })

  it('keeps a computation without any waiting from starving the event loop', async () => {
    let ticks = 0
    const ticking = setInterval(() => ticks++, 1)
    const slow = programmed('busy', () => {
      const end = performance.now() + 2
      while (performance.now() < end);
      return Promise.resolve(plainAnswer('Yes'))
    })
    await using(await create(small('["busy:x"]'), mockContext({ providers: [slow] })), (run) => executeRun(run))
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(3)
  })
})

describe('what is refused', () => {
  it.each([
    [
      'items: { task: mock/party, preset: small }\nmodels: []',
      /unknown task "mock\/party" \(did you mean "mock\/parity"\?\)/u,
    ],
    ['items: { task: mock/parity, preset: smal }', /did you mean "small"/u],
    ['items: { task: mock/parity, preset: small, style: plian }', /no style "plian" \(did you mean "plain"\?\)/u],
    ['items: { task: mock/parity, preset: endless }', /is endless. Give the number of items/u],
    ['items: { task: mock/parity, preset: small, count: 101 }', /has 100 indices, "count" asks for 101/u],
    [
      'items: { task: mock/parity, preset: small, config: { digit: 3 } }',
      /unknown key "digit" \(did you mean "digits"\?\)/u,
    ],
    [small('["baselin:exact"]'), /did you mean "baseline"/u],
    [small('["baseline:exakt"]'), /no baseline "exakt" \(did you mean "exact"\?\)/u],
    [small('["openai:gpt"]'), /OPENAI_API_KEY is not set/u],
    [small('["openai-compatible:x"]'), /no base URL: give one with --base-url/u],
    [
      small('[{ model: "openai-compatible:x", baseUrl: "http://u:p@h/v1" }]'),
      /holds a user name, a password or a query. Put the URL into an environment/u,
    ],
    [
      small('[{ model: "openai-compatible:x", baseUrl: "http://tok12345678@h/v1" }]'),
      /holds a user name, a password or a query/u,
    ],
    [small('[{ model: "openai-compatible:x", baseUrl: "localhost:1/v1" }]'), /"localhost:1\/v1" is none/u],
    [
      small('[{ model: "openai-compatible:x", baseUrl: "http://h/v1" }]\nlimits: { usd: 1 }'),
      /a cost limit of \$1 needs the price of openai-compatible:x\. Add --price/u,
    ],
    [small('["baseline:exact", "baseline:exact"]'), /two models are called "baseline:exact"/u],
  ])('%j', async (yaml, message) => {
    await expect(create(yaml)).rejects.toThrow(message)
  })

  it('a model that cannot be used, before a plan is made, which may take seconds', async () => {
    const planless: Task = {
      ...parity,
      source: () => {
        throw new Error('a plan was made')
      },
    }
    const context = mockContext({ tasks: [planless] })
    await expect(create(small('["baseline:exact"]'), context)).rejects.toThrow(/a plan was made/u)
    await expect(create(small('["openai:gpt"]'), context)).rejects.toThrow(/OPENAI_API_KEY is not set/u)
    await expect(create(small('["baseline:exakt"]'), context)).rejects.toThrow(/did you mean "exact"/u)
  })

  it('tells a base URL in a variable that is none, but not its value', async () => {
    const context = mockContext({ env: { OPENAI_COMPATIBLE_BASE_URL: '127.0.0.1:8080/v1' } })
    await expect(create(small('["openai-compatible:x"]'), context)).rejects.toThrow(
      /what OPENAI_COMPATIBLE_BASE_URL holds is none/u,
    )
  })

  it('but no URL of the environment, however it is written', async () => {
    const env = {
      ANY_URL: 'postgres://u:50%off@h/db',
      TOKEN_URL: 'http://tok12345678@h/v1',
      DB_URL: 'postgres://postgres@h/db',
    }
    await using(await create(small('["baseline:exact"]'), mockContext({ env })), (run) => {
      expect(run.redact.known('postgres is tok12345678')).toBe('postgres is [redacted]')
      expect(run.redact.known('u:50%off')).toBe('[redacted]')
      return Promise.resolve()
    })
  })

  it('says that a folder is in use, is not a run, or belongs to another process', async () => {
    const run = await create(small('[]'))
    await expect(create(small('[]'))).rejects.toThrow(/holds a run already/u)
    await expect(openRun(join(folder, 'run'), mockContext(), { mode: 'write' })).rejects.toThrow(
      new RegExp(`process ${process.pid} on .+, since \\d{4}-.+ is working on this run`, 'u'),
    )
    await using(await openRun(join(folder, 'run'), mockContext(), { mode: 'read' }), () => Promise.resolve())
    await run[Symbol.asyncDispose]()
    await using(await openRun(join(folder, 'run'), mockContext(), { mode: 'write' }), () => Promise.resolve())
    await writeFile(join(folder, 'x.txt'), '')
    await expect(createRun({ experiment: readExperiment(small('[]')), dir: folder }, mockContext())).rejects.toThrow(
      /is not empty/u,
    )
    const refusal = (path: string) =>
      openRun(path, mockContext(), { mode: 'read' }).then(String, (error: unknown) => (error as Error).message)
    expect(await refusal(folder)).toContain(
      `is not a run folder: it has no run.json; below it are the runs ${join(folder, 'run')}`,
    )
    expect(await refusal(join(folder, 'x.txt'))).toContain(
      `it is a file; give the folder of the run, such as ${folder}. Import the log of another tool`,
    )
    expect(await refusal(join(folder, 'nowhere'))).toContain('is not a run folder: there is no such folder')
  })

  it('takes a folder in which a process died before its run had begun', async () => {
    await mkdir(join(folder, 'run'))
    for (const name of ['run.lock', 'run.lock-journal', 'run.json.0a1b2c3d.partial'])
      await writeFile(join(folder, 'run', name), '')
    await using(await create(small('["baseline:exact"]')), async (run) => {
      expect((await executeRun(run)).counts.done).toBe(100)
    })
  })

  it('makes no calls for a task whose items have changed, but scores what is there', async () => {
    await using(await create(small('["baseline:exact"]')), (run) => executeRun(run))
    const changed = mockContext({ tasks: [{ ...parity, version: 2 }] })
    await using(await openRun(join(folder, 'run'), changed, { mode: 'write' }), async (run) => {
      expect((await rescoreRun(run)).responses).toBe(100)
    })
  })
})

describe('scoring again', () => {
  it('keeps the old verdicts and reads the new ones', async () => {
    await using(await create(small('["baseline:even"]')), (run) => executeRun(run))
    const harsh: Task = { ...parity, scorerVersion: 2, grade: () => ({ value: 0 }) }
    await using(await openRun(join(folder, 'run'), mockContext({ tasks: [harsh] }), { mode: 'write' }), async (run) => {
      expect(await rescoreRun(run)).toEqual({ responses: 100, changed: 100, scorers: { 'mock/parity': 2 } })
      expect(await rescoreRun(run)).toMatchObject({ changed: 0 })
      const frame = (await loadFrames(run)).frame('strict')
      expect(new Set(frame?.number('score'))).toEqual(new Set([0]))
      expect(new Set(frame?.number('scorer'))).toEqual(new Set([2]))
      expect(
        run.ledger.query('SELECT scorer, COUNT(*) AS n FROM score GROUP BY scorer').map((row) => row['n']),
      ).toEqual([100, 100])
    })
  })

  it('marks a scorer that throws as failed at the task', async () => {
    const broken: Task = {
      ...parity,
      parsers: {
        strict: () => {
          throw new Error('bug')
        },
        lenient: () => ({ kind: 'unparsed', reason: 'x' }),
      },
    }
    await using(await create(small('["baseline:even"]'), mockContext({ tasks: [broken] })), async (run) => {
      await executeRun(run)
      const frame = (await loadFrames(run)).frame('strict')
      expect(frame?.category('status').levels).toEqual(['error'])
      expect(frame?.category('error_code').levels).toEqual(['scorer-threw'])
      expect(frame?.category('error_source').levels).toEqual(['task'])
    })
  })
})

describe('subsamples', () => {
  const items = async (subsample: string): Promise<Set<string>> => {
    const yaml = `items: { task: mock/parity, preset: small }\nmodels: [{ model: "baseline:exact", subsample: ${subsample} }]`
    return using(await create(yaml, mockContext(), join(folder, subsample.replaceAll(/\W/gu, ''))), async (run) => {
      await executeRun(run)
      return new Set(run.ledger.query('SELECT item FROM call').map((row) => String(row['item'])))
    })
  }

  it('holds so many items a stratum of each group', async () => {
    // 10 groups, 2 strata in each.
    expect((await items('{ perStratum: 2 }')).size).toBe(40)
    expect((await items('{ perStratum: 9 }')).size).toBe(100)
  })

  it('is nested: a smaller part is inside a larger one', async () => {
    const [one, three] = [await items('{ perStratum: 1 }'), await items('{ perStratum: 3 }')]
    expect([...one].every((item) => three.has(item))).toBe(true)
    const [tenth, half] = [await items('{ fraction: 0.1 }'), await items('{ fraction: 0.5 }')]
    expect([...tenth].every((item) => half.has(item))).toBe(true)
    expect(half.size).toBeGreaterThan(30)
    expect(half.size).toBeLessThan(70)
  })
})

describe('a dry run', () => {
  it('says what would be asked, without a key', () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 50, style: [plain, polite] }
models:
  - { model: "openai:gpt", samples: 2, price: { input: 1, output: 2 }, settings: { maxTokens: 10 } }
  - { model: "baseline:exact", subsample: { fraction: 0.5 } }
`
    const plan = dryRun(readExperiment(yaml), mockContext())
    expect(plan).toMatchObject({
      exact: true,
      items: 50,
      calls: 250,
      models: [
        { calls: 200, outputTokens: 2000 },
        { calls: 50, usdAtMost: null },
      ],
    })
    const [dear] = plan.models
    // Every prompt could have as many tokens as bytes, and a template around it; nobody answers longer than asked.
    expect(dear?.usdLikely).toBeCloseTo(((dear?.inputTokens ?? 0) + 4000) / 1e6)
    expect(dear?.usdAtMost).toBeGreaterThan((200 * 1024 + 4000) / 1e6)
    expect(dear?.usdAtMost).toBeLessThan((200 * 1200 + 4000) / 1e6)
    expect(dear?.inputTokens).toBeGreaterThan(200 * 5)
  })

  it('of a part counts its own', () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 50 }
models: [{ model: "openai:gpt", samples: 2, price: { input: 1, output: 2 }, settings: { maxTokens: 10 } }]
`
    const parts = [0, 1, 2].map((index) => dryRun(readExperiment(yaml), mockContext(), undefined, { index, of: 3 }))
    expect(parts.map(({ items }) => items)).toEqual([18, 16, 16])
    expect(parts.map(({ items, calls }) => calls - 2 * items)).toEqual([0, 0, 0])
    expect(parts[0]?.models[0]?.outputTokens).toBe(10 * (parts[0]?.calls ?? 0))
    expect(() => dryRun(readExperiment(yaml), mockContext(), undefined, { index: 3, of: 3 })).toThrow('got 3/3')
  })

  it('of a whole source is at most what it says, since indices may be empty', () => {
    expect(dryRun(readExperiment(small('["baseline:exact"]')), mockContext()).exact).toBe(false)
  })

  it('of a run that chooses its items counts those that it may ask', () => {
    const yaml = `
items: { task: mock/parity, preset: endless, count: 50 }
models: [{ model: "openai:gpt", price: { input: 1, output: 2 }, settings: { maxTokens: 10 } }]
adapt: { parameter: digits, from: 1, to: 9, maxItems: 40 }
`
    const [adapted] = dryRun(readExperiment(yaml), mockContext()).models
    const [all] = dryRun(readExperiment(yaml.replace('40 }', '450 }')), mockContext()).models
    expect(all).toMatchObject({ calls: 450, outputTokens: 4500 })
    expect(adapted).toMatchObject({ calls: 40, outputTokens: 400 })
    expect(adapted?.usdAtMost).toBeGreaterThanOrEqual(((all?.usdAtMost ?? 0) * 40) / 450)
    expect(adapted?.usdLikely).toBeCloseTo(((all?.usdLikely ?? 0) * 40) / 450)
  })
})

describe('answers made elsewhere', () => {
  it('come back by item and style, are scored, and leave no trouble untold', async () => {
    const file = join(folder, 'answers.jsonl')
    await using(await create(small('[]')), async (run) => {
      await executeRun(run)
      const lines: string[] = []
      for await (const page of runPrompts(run))
        for (const prompt of page) {
          const text = 'messages' in prompt ? rightAnswer(prompt.messages.at(-1)?.content ?? '') : ''
          lines.push(JSON.stringify({ item: prompt.item, style: prompt.style, model: 'mine', sample: 0, text }))
        }
      expect(lines.length).toBe(100)
      const trouble = ['{"item":"none","text":"Yes"}', '{"item":', '{"item":"x"}', lines[0] as string]
      await writeFile(file, [...lines, ...trouble].join('\n'))
      const result = await importResponses(run, file)
      expect(result).toMatchObject({ lines: 104, responses: 100 })
      expect(result.problems.map(({ kind, line, count }) => [kind, line, count])).toEqual([
        ['unknown-item', 101, 1],
        ['bad-line', 102, 1],
        ['bad-line', 103, 1],
        ['already-answered', 104, 1],
      ])
      const frame = (await loadFrames(run)).frame('strict')
      expect(frame?.category('model').levels).toEqual(['mine'])
      expect(new Set(frame?.number('score'))).toEqual(new Set([1]))
    })
  })
})

describe('answers to planned cells', () => {
  /** Plans a run, asks nothing, and takes lines about its first item. */
  const take = async (yaml: string, lines: readonly object[]) => {
    const file = join(folder, 'answers.jsonl')
    return using(await create(yaml), async (run) => {
      await writePlan(run, [])
      const [first] = run.ledger.query('SELECT id FROM item ORDER BY position LIMIT 1')
      const whole = lines.map((line) => ({ item: first?.['id'], model: 'baseline:exact', text: 'Yes', ...line }))
      await writeFile(file, whole.map((line) => JSON.stringify(line)).join('\n'))
      const result = await importResponses(run, file)
      const prompts: string[] = []
      for await (const page of runPrompts(run)) prompts.push(...page.map(({ style }) => style))
      return { result, counts: await run.ledger.counts(), prompts }
    })
  }

  it('fill them though they do not name the settings', async () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 1 }
models: [{ model: "baseline:exact", settings: { temperature: 0 } }]
`
    const { result, counts } = await take(yaml, [{}])
    expect(result).toMatchObject({ responses: 1, problems: [] })
    expect(counts).toMatchObject({ done: 1, waiting: 0 })
  })

  it('must name them where there are several', async () => {
    const yaml = `
items: { task: mock/parity, preset: small, count: 1 }
models: [{ model: "baseline:exact", settings: [{ temperature: 0 }, { temperature: 1 }] }]
`
    const { result, counts } = await take(yaml, [{}, { settings: { temperature: 1 } }])
    expect(result.problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['bad-line', 'baseline:exact is asked with several settings: say which in "settings"'],
    ])
    expect(counts).toMatchObject({ done: 1, waiting: 1 })
  })

  it('are asked for and taken in the styles of all entries with the same items', async () => {
    const yaml = `
items:
  - { task: mock/parity, preset: small, count: 2, style: plain }
  - { task: mock/parity, preset: small, count: 1, style: polite }
models: ["baseline:exact"]
`
    const { result, counts, prompts } = await take(yaml, [{ style: 'plain' }, { style: 'polite' }])
    expect(result).toMatchObject({ responses: 2, problems: [] })
    expect(counts).toMatchObject({ done: 2, waiting: 1 })
    expect(prompts).toEqual(['plain', 'polite', 'plain'])
  })

  it('with settings nested without end are bad lines', async () => {
    const file = join(folder, 'deep.jsonl')
    await writeFile(file, `{"item":"x","text":"y","settings":{"a":${'['.repeat(9000)}${']'.repeat(9000)}}}`)
    await using(await create(small('[]')), async (run) => {
      expect((await importResponses(run, file)).problems).toMatchObject([{ kind: 'bad-line', count: 1 }])
    })
  })
})

describe('replay', () => {
  it('answers as an earlier run did', async () => {
    await using(await create(small('["baseline:random"]')), (run) => executeRun(run))
    const dir = join(folder, 'run')
    const yaml = small(JSON.stringify([`replay:${dir}`]))
    await using(await create(yaml, mockContext(), join(folder, 'second')), async (run) => {
      expect((await executeRun(run)).counts.done).toBe(100)
      const first = await openRun(dir, mockContext(), { mode: 'read' })
      const texts = (one: Run) =>
        one.ledger.query('SELECT c.item, r.text FROM call c JOIN response r ON r.call = c.id ORDER BY c.id')
      expect(texts(run)).toEqual(texts(first))
      await first[Symbol.asyncDispose]()
    })
  })
})

describe('a run whose task asks in other words now', () => {
  const reworded = mockContext({ tasks: [{ ...parity, promptVersion: parity.promptVersion + 1 }] })
  const dir = (): string => join(folder, 'run')

  it('asks nothing more: half of its answers would be to another question', async () => {
    await using(await create(small('["baseline:random"]')), (run) => executeRun(run, { planOnly: true }))
    await using(await openRun(dir(), reworded, { mode: 'write' }), async (run) => {
      await expect(executeRun(run)).rejects.toThrow(/prompt version 1 of mock\/parity, version 2 is installed/u)
      expect(await run.ledger.counts()).toMatchObject({ waiting: 100, done: 0 })
    })
  })

  it('plans nothing in them either', async () => {
    await using(await create(small('["baseline:random"]')), async () => undefined)
    await using(await openRun(dir(), reworded, { mode: 'write' }), async (run) => {
      await expect(executeRun(run)).rejects.toThrow('version 2 is installed')
    })
  })

  it('is over where it was over', async () => {
    await using(await create(small('["baseline:random"]')), (run) => executeRun(run))
    await using(await openRun(dir(), reworded, { mode: 'write' }), async (run) => {
      expect(await executeRun(run)).toMatchObject({ status: 'completed', counts: { done: 100 } })
    })
  })
})

describe('a secret that occurs in what is asked', () => {
  it('is told, and nothing is asked: it would be another question', async () => {
    const env = { CACHE_KEY: 'is this number even', DB_PASSWORD: 'hunter2hunter2' }
    const asked: string[] = []
    const spoken: Task = {
      ...parity,
      name: 'mock/spoken',
      source: (...args) => {
        const source = parity.source(...args)
        return {
          ...source,
          item: (index) => {
            const item = source.item(index)
            return item.kind === 'hole'
              ? item
              : { ...item, features: { ...item.features, words: 'is this number even' } }
          },
        }
      },
    }
    const echo = programmed('echo', (call) => {
      asked.push(call.item)
      return Promise.resolve(plainAnswer('Yes'))
    })
    const context = mockContext({ env, providers: [echo], tasks: [spoken] })
    const run = await create('items: { task: mock/spoken, preset: small }\nmodels: ["echo:x"]', context)
    await expect(executeRun(run)).rejects.toThrow(
      /the environment variable CACHE_KEY occurs in what is asked .*env -u CACHE_KEY/u,
    )
    expect(asked).toEqual([])
    await run[Symbol.asyncDispose]()
  })
})
