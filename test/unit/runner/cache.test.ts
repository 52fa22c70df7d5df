import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeReport } from '../../../src/report/index.ts'
import { createRun, type ExecuteOptions, executeRun, parseExperiment } from '../../../src/runner/index.ts'
import { loadFrames } from '../../../src/store/index.ts'
import { startBatchMock } from '../../mock/batches.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { rightAnswer } from '../../mock/parity.ts'
import { type Mock, startMock } from '../../mock/server.ts'

let folder: string
let remove: () => Promise<void>
let mock: Mock
const SECRET = 'sk-a-secret-of-this-test'
beforeEach(async () => {
  ;({ folder, remove } = await scratch())
  mock = await startMock({ answer: (prompt) => `${rightAnswer(prompt)}`, latency: 3 })
})
afterEach(async () => {
  await mock.close()
  await remove()
})

const cache = (): string => join(folder, 'cache')
const online = () => mockContext({ env: { OPENAI_COMPATIBLE_API_KEY: SECRET } })

async function run(
  name: string,
  options: ExecuteOptions,
  { context = online(), more = {}, item = {}, beside = [] as readonly string[] } = {},
) {
  const experiment = parseExperiment({
    items: { task: 'mock/parity', preset: 'endless', config: { digits: 9 }, count: 30, ...item },
    models: [
      {
        model: 'openai-compatible:m',
        name: 'm',
        baseUrl: mock.url,
        price: { input: 1, output: 10 },
        settings: { maxTokens: 50 },
        ...more,
      },
      ...beside,
    ],
  })
  await using made = await createRun(
    { dir: join(folder, name), experiment, offline: options.offline ?? false },
    context,
  )
  const result = await executeRun(made, { ...options, random: () => 0 })
  const frames = await loadFrames(made)
  const report = makeReport({
    run: 'x',
    frames,
    tasks: [made.sources.task(0)],
    selection: [],
  })
  return {
    result,
    report: JSON.stringify(report),
    rows: JSON.stringify([...frames.pages()].flat()),
    ledger: made.ledger.path,
  }
}

const files = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the cache', () => {
  it('is shared by runs: what was asked is not asked again and costs nothing', async () => {
    const first = await run('a', { cache: cache() })
    expect(mock.requests).toBe(30)
    expect(first.result.costUsd).toBeGreaterThan(0)
    const second = await run('b', { cache: cache() })
    expect(mock.requests).toBe(30)
    expect(second.result).toMatchObject({ status: 'completed', costUsd: 0, counts: { done: 30 } })
  })

  it('is no lock: runs that ask the same at once say that both were paid', async () => {
    await mock.close()
    mock = await startMock({ answer: rightAnswer, latency: 150 })
    const both = await Promise.all([run('a', { cache: cache() }), run('b', { cache: cache() })])
    const told = both
      .flatMap(({ result }) => result.warnings)
      .map((words) => /^(\d+) questions? .* paid by both/u.exec(words)?.[1])
    expect(mock.requests).toBeGreaterThan(30)
    expect(told.reduce((sum, count) => sum + Number(count), 0)).toBe(mock.requests - 30)
    expect((await run('c', { cache: cache() })).result.warnings).toEqual([])
  })

  it('knows another sample, another model, other settings and another question from what it holds', async () => {
    await run('a', { cache: cache() })
    await run('b', { cache: cache() }, { more: { samples: 2 } })
    expect(mock.requests).toBe(60)
    await run('c', { cache: cache() }, { more: { model: 'openai-compatible:other' } })
    expect(mock.requests).toBe(90)
    await run('d', { cache: cache() }, { more: { settings: { maxTokens: 51 } } })
    expect(mock.requests).toBe(120)
    await run('e', { cache: cache() }, { item: { style: 'polite' } })
    expect(mock.requests).toBe(150)
  })

  it('is off unless a folder is named', async () => {
    await run('a', {})
    await run('b', {})
    expect(mock.requests).toBe(60)
  })

  it('holds no secret, and asks again where a file is spoilt', async () => {
    await mock.close()
    mock = await startMock({ answer: () => `the key is ${SECRET}` })
    await run('a', { cache: cache() })
    const all = files(cache())
    expect(all.length).toBe(30)
    for (const file of all) expect(readFileSync(file, 'utf8')).not.toContain(SECRET)
    writeFileSync(all[0] as string, '{"schema":"touchstone/answer/1","ms":1,"reply":{"kind":"answer"}}')
    writeFileSync(all[1] as string, '')
    await run('b', { cache: cache() })
    expect(mock.requests).toBe(32)
  })

  it('gives no answer of another server that a variable names by now, and reads only what an answer has', async () => {
    const other = await startMock({ answer: () => 'other' })
    try {
      const more = { baseUrl: undefined, baseUrlEnv: 'WHERE' }
      const at = (url: string) => mockContext({ env: { OPENAI_COMPATIBLE_API_KEY: SECRET, WHERE: url } })
      await run('a', { cache: cache() }, { more, context: at(mock.url) })
      await run('b', { cache: cache() }, { more, context: at(other.url) })
      expect([mock.requests, other.requests]).toEqual([30, 30])
      for (const file of files(cache())) {
        const { reply, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { reply: object }
        writeFileSync(file, JSON.stringify({ ...rest, reply: { ...reply, allowance: null, recorded: 5 } }))
      }
      const { result } = await run('c', { cache: cache() }, { more, context: at(other.url) })
      expect(result).toMatchObject({ status: 'completed', counts: { done: 30 }, costUsd: 0 })
      expect(other.requests).toBe(30)
    } finally {
      await other.close()
    }
  })

  it('is tried before anything is asked, and loses no answer that it cannot keep', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(run('a', { cache: join(folder, 'file') })).rejects.toMatchObject({ kind: 'store' })
    expect(mock.requests).toBe(0)
    // Where folders of answers should be made, files are in the way.
    mkdirSync(cache())
    for (let i = 0; i < 256; i++) writeFileSync(join(cache(), i.toString(16).padStart(2, '0')), '')
    const { result } = await run('b', { cache: cache() })
    expect(result.counts).toMatchObject({ done: 30, failed: 0 })
    expect(result.warnings).toEqual([
      expect.stringMatching(/^the cache does not hold all answers of this run: .*cache/u),
    ])
  })

  it('leaves no drafts of what it could not keep', async () => {
    await run('a', { cache: cache() })
    for (const name of readdirSync(cache(), { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.json'),
    )) {
      rmSync(join(cache(), name))
      mkdirSync(join(cache(), name, 'in the way'), { recursive: true })
    }
    const { result } = await run('b', { cache: cache() })
    expect(result.warnings).toHaveLength(1)
    expect(
      readdirSync(cache(), { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.partial')),
    ).toEqual([])
  })

  it('keeps no failure for a run that can ask', async () => {
    await mock.close()
    let bad = true
    mock = await startMock({ behave: () => (bad ? 'evil-400' : 'right') })
    const first = await run('a', { cache: cache() }, { more: { samples: 1 } })
    expect(first.result.counts.failed + first.result.counts.waiting).toBeGreaterThan(0)
    bad = false
    const second = await run('b', { cache: cache() })
    expect(second.result.counts.done).toBe(30)
  })

  it('gives two items of the same words an answer each', async () => {
    await run('a', { cache: cache() }, { item: { config: { digits: 1 } } })
    expect(mock.requests).toBe(30)
  })

  it('takes the results of batches, and what it holds is not sent in one', async () => {
    const batches = await startBatchMock({ protocol: 'openai' })
    const context = mockContext({ env: { OPENAI_API_KEY: SECRET } })
    const more = { model: 'openai:m', baseUrl: batches.url, batch: true }
    const first = await run('a', { cache: cache(), poll: 0.02, settling: 0 }, { context, more })
    expect(first.result.counts.done).toBe(30)
    const second = await run('b', { cache: cache(), poll: 0.02, settling: 0 }, { context, more, item: { count: 35 } })
    expect(second.result.counts.done).toBe(35)
    expect(batches.computed).toBe(35)
    await batches.close()
  })

  it('asks again what it cannot read, and tells it', async () => {
    await run('a', { cache: cache() })
    const [file = ''] = files(cache())
    rmSync(file)
    mkdirSync(file)
    const asked = mock.requests
    const again = await run('b', { cache: cache() })
    expect(again.result).toMatchObject({ counts: { done: 30, failed: 0 } })
    expect(again.result.warnings).toEqual([expect.stringMatching(/EISDIR/u)])
    expect(mock.requests).toBe(asked + 1)
  })
})

describe('offline', () => {
  it('makes a run again with neither key nor server: the same rows and the same report, byte for byte', async () => {
    const first = await run('a', { cache: cache() })
    await mock.close()
    const again = await run('b', { cache: cache(), offline: true }, { context: mockContext() })
    expect(again.result).toMatchObject({ status: 'completed', counts: { done: 30 } })
    expect(again.result.costUsd).toBeCloseTo(first.result.costUsd, 12)
    expect(again.rows).toBe(first.rows)
    expect(again.report).toBe(first.report)
  })

  it('fails again as often as before, and takes no time for a baseline', async () => {
    await mock.close()
    const seen = new Map<string, number>()
    mock = await startMock({
      answer: rightAnswer,
      behave: ({ body }) => {
        const prompt = JSON.stringify(body)
        const before = seen.get(prompt) ?? 0
        seen.set(prompt, before + 1)
        const failures = [...prompt].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 3
        return before >= failures ? 'right' : before === 0 ? 'error-500' : 'rate-limit'
      },
    })
    const more = { beside: ['baseline:random'] }
    const first = await run('a', { cache: cache() }, more)
    expect(first.rows).toContain('"attempts":3')
    expect(first.result.counts).toMatchObject({ done: 60 })
    await mock.close()
    const again = await run('b', { cache: cache(), offline: true }, { ...more, context: mockContext() })
    expect(again.rows).toBe(first.rows)
    expect(again.report).toBe(first.report)
    expect(again.result.costUsd).toBeCloseTo(first.result.costUsd, 12)
  })

  it('sets aside for two calls in one what was set aside for them', async () => {
    await mock.close()
    mock = await startMock({ behave: ({ body }) => (body.messages.length > 1 ? 'right' : 'truncated') })
    const more = { model: 'two-pass:openai-compatible:m', settings: { thinkingBudget: 40, maxTokens: 5 } }
    const first = await run('a', { cache: cache() }, { more })
    await mock.close()
    const again = await run('b', { cache: cache(), offline: true }, { more, context: mockContext() })
    expect(again.rows).toBe(first.rows)
    expect(again.result.costUsd).toBeCloseTo(first.result.costUsd, 12)
  })

  it('says which answers are not there, and is told again where there are failures', async () => {
    const none = await run('a', { cache: cache(), offline: true }, { context: mockContext() })
    expect(none.result).toMatchObject({ counts: { done: 0 }, costUsd: 0 })
    expect((await run('b', { cache: cache(), offline: true }, { context: mockContext() })).rows).toBe(none.rows)
    expect(none.rows).not.toMatch(/"seconds":0\.0*[1-9]/u)
    expect(mock.requests).toBe(0)
  })

  it('needs the folder', async () => {
    await expect(run('a', { offline: true })).rejects.toThrow('--offline needs --cache')
  })
})
