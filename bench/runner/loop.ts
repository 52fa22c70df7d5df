import { existsSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepHeapSmall } from '../../src/cli/interrupt.ts'
import { openModel, providers } from '../../src/models/index.ts'
import { createRun, executeRun, openRun, readExperiment, rescoreRun } from '../../src/runner/index.ts'
import { loadFrames } from '../../src/store/index.ts'
import { parityCall } from '../../test/contract/parity-call.ts'
import { mockContext } from '../../test/mock/context.ts'
import { type Profiled, summarize } from './profile.ts'

/** One measurement in a process of its own; prints one JSON line. */
const { values } = parseArgs({
  options: {
    kind: { type: 'string' },
    url: { type: 'string', default: '' },
    count: { type: 'string', default: '1000' },
    dir: { type: 'string', default: join(tmpdir(), `bench-run-${process.pid}`) },
    profile: { type: 'boolean', default: false },
  },
})
const { url, dir } = values
const count = Number(values.count)
const CONCURRENCY = 100

const prompt = (i: number): string => `(group ${Math.floor(i / 10)}) is this number even: ${i}?`

/** A fixed number of calls at once, as few lines as it takes. */
async function loop(n: number, call: (i: number) => Promise<string>): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < n) if ((await call(next++)) === '') throw new Error('an empty answer')
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

async function bareFetch(i: number): Promise<string> {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt(i) }] }),
  })
  const body = (await response.json()) as { choices: { message: { content: string } }[] }
  return body.choices[0]?.message.content ?? ''
}

/** The model layer alone: no run, nothing saved. */
async function bareModel(): Promise<(i: number) => Promise<string>> {
  const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
  const model = await openModel('openai-compatible:m', { baseUrl: url }, providers, around)
  const { signal } = new AbortController()
  return async (i) => {
    const request = { kind: 'chat', messages: [{ role: 'user', content: prompt(i) }] } as const
    const reply = await model.call({ ...parityCall(), request, attemptId: String(i) }, signal)
    return reply.kind === 'answer' ? reply.text : ''
  }
}

interface Measured {
  readonly ms: number
  readonly cpuMs: number
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const from = performance.now()
  const cpu = process.cpuUsage()
  await work()
  const used = process.cpuUsage(cpu)
  return { ms: performance.now() - from, cpuMs: (used.user + used.system) / 1000 }
}

/** Measurements are processes that work on a folder one after another: each trusts what the one before made. */
const trust = { allowed: [], made: { has: () => true, add: () => undefined } }
const context = mockContext({ env: { SERVER: url }, trust })
const experiment = (n: number, models: string): string => `
items: { task: mock/parity, preset: endless, count: ${n} }
models: ${models}
limits: { concurrency: ${CONCURRENCY}, timeout: 100000 }
`
const remote = '[{ model: "openai-compatible:m", baseUrlEnv: SERVER }]'

/** Plans first, so that only calls are measured; a small run before it warms everything up. */
async function ours(): Promise<Measured & { readonly profile?: readonly Profiled[] }> {
  for (const [n, place] of [[500, `${dir}-warm`]] as const) {
    const run = await createRun({ experiment: readExperiment(experiment(n, remote)), dir: place }, context)
    await executeRun(run)
    await run[Symbol.asyncDispose]()
    rmSync(place, { recursive: true })
  }
  const run = await createRun({ experiment: readExperiment(experiment(count, remote)), dir }, context)
  const stop = new AbortController()
  await executeRun(run, { stop: stop.signal, onPlan: (p) => p.items === count && setImmediate(() => stop.abort()) })
  const session = values.profile ? new Session() : null
  session?.connect()
  await session?.post('Profiler.enable')
  await session?.post('Profiler.start')
  const result = await measured(() => executeRun(run))
  const profile = session === null ? null : summarize((await session.post('Profiler.stop')).profile)
  await run[Symbol.asyncDispose]()
  rmSync(dir, { recursive: true })
  return profile === null ? result : { ...result, profile }
}

/** A whole run with an embedded baseline, plan and rows included; the folder stays. */
async function local(): Promise<object> {
  const models =
    '["baseline:exact", { model: "openai-compatible:m", baseUrlEnv: SERVER, subsample: { fraction: 0.001 } }]'
  const run = await createRun(
    { experiment: readExperiment(experiment(count, url === '' ? '["baseline:exact"]' : models)), dir },
    context,
  )
  const abort = new AbortController()
  const result = await measured(() =>
    executeRun(run, { abort: abort.signal, onProgress: (p) => url !== '' && p.done >= count && abort.abort() }),
  )
  const afterRun = process.resourceUsage().maxRSS / 1024
  const rows = await measured(() => loadFrames(run))
  await run[Symbol.asyncDispose]()
  return { ...result, afterRun, rowsMs: rows.ms }
}

async function rescore(): Promise<object> {
  const run = await openRun(dir, context, { mode: 'write' })
  const result = await measured(() => rescoreRun(run))
  await run[Symbol.asyncDispose]()
  return result
}

/** Takes a run up and ends when its first call has come back. */
async function resume(): Promise<object> {
  const run = await openRun(dir, context, { mode: 'write' })
  const { done } = await run.ledger.counts()
  const stop = new AbortController()
  await executeRun(run, { stop: stop.signal, onProgress: (p) => p.inFlight > 0 && stop.abort() })
  await run[Symbol.asyncDispose]()
  return { done }
}

const kinds: { readonly [kind: string]: () => Promise<object> } = {
  fetch: async () => {
    await loop(500, bareFetch)
    return measured(() => loop(count, bareFetch))
  },
  model: async () => {
    const call = await bareModel()
    await loop(500, call)
    return measured(() => loop(count, call))
  },
  ours,
  local,
  rescore,
  resume,
}

keepHeapSmall()
const result = await kinds[values.kind ?? '']?.()
const maxRss = process.resourceUsage().maxRSS / 1024
process.stdout.write(`${JSON.stringify({ ...result, maxRss })}\n`)
if (existsSync(`${dir}-warm`)) rmSync(`${dir}-warm`, { recursive: true })
