import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import {
  type Model,
  type ModelReply,
  openModel,
  type Provider,
  plainAnswer,
  providers,
} from '../../../src/models/index.ts'
import { failure, REMOTE } from '../../../src/models/model.ts'
import { createRun, executeRun, readExperiment } from '../../../src/runner/index.ts'
import { parityCall } from '../../contract/parity-call.ts'
import { mockContext, scratch } from '../../mock/context.ts'
import { parity } from '../../mock/parity.ts'

const signal = AbortSignal.timeout(20_000)

/** A provider whose one model always gives this reply, and what was asked of it. */
function saying(reply: ModelReply): Provider & { asked: number; closed: number } {
  const provider = {
    name: 'saying',
    argument: 'NAME',
    summary: 'one reply',
    asked: 0,
    closed: 0,
    needs: () => ({ secrets: ['SAYING_KEY'] }),
    open: (rest: string): Promise<Model> =>
      Promise.resolve({
        name: `saying:${rest}`,
        kind: 'chat',
        route: 'saying',
        concurrency: REMOTE,
        reusesContext: false,
        call: () => {
          provider.asked++
          return Promise.resolve(reply)
        },
        close: () => {
          provider.closed++
          return Promise.resolve()
        },
      }),
  }
  return provider
}

const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
const open = (inner: Provider): Promise<Model> => openModel('hybrid:saying:x', {}, [inner, ...providers], around)
const changed = (change: Partial<Task>): Task => ({ ...parity, ...change })

describe('hybrid:', () => {
  it('has the task improve a response, and keeps the usage and the words of the model', async () => {
    const usage = { inputTokens: 11, outputTokens: 7, reasoningTokens: 3 }
    const inner = saying(plainAnswer('well, ...', { usage, finish: 'truncated', reasoning: 'hm', requestId: 'r1' }))
    const model = await open(inner)
    const call = parityCall(3)
    const right = (call.problem().answer as boolean) ? 'Yes' : 'No'
    const reply = await model.call(call, signal)
    expect(reply).toMatchObject({
      kind: 'answer',
      text: right,
      finish: 'stop',
      usage,
      reasoning: 'hm',
      requestId: 'r1',
    })
    expect(reply.kind === 'answer' && JSON.parse(reply.raw ?? '')).toEqual({ text: 'well, ...' })
    expect(inner.asked).toBe(1)
    await model.close?.()
    expect(inner.closed).toBe(1)
  })

  it('has name, route and room of the model inside', async () => {
    const model = await open(saying(plainAnswer('No')))
    expect(model).toMatchObject({ name: 'hybrid:saying:x', route: 'saying', concurrency: REMOTE, kind: 'chat' })
  })

  it('passes an answer on as it came where the task leaves it alone', async () => {
    const answer = plainAnswer('No', { raw: '{"body":1}', finish: 'stop' })
    expect(await (await open(saying(answer))).call(parityCall(), signal)).toEqual(answer)
  })

  it.each<readonly [string, ModelReply]>([
    ['failures', failure('rate-limited', 'HTTP 429', 'slow-down', { http: 429, waitMs: 1000 })],
    ['refusals', plainAnswer('I will not.', { finish: 'refused' })],
  ])('leaves %s of the model its own', async (_what, reply) => {
    expect(await (await open(saying(reply))).call(parityCall(), signal)).toEqual(reply)
  })

  it('fails at the boundary of the task where improving throws', async () => {
    const task = changed({
      improve: () => {
        throw new Error('out of ideas')
      },
    })
    expect(await (await open(saying(plainAnswer('?')))).call(parityCall(0, { task }), signal)).toMatchObject({
      kind: 'failure',
      code: 'improve-threw',
      boundary: 'task',
      retry: 'never',
    })
  })

  it('is refused for a task that cannot improve a response, and asks nothing', async () => {
    const { improve: _, ...rest } = parity
    const inner = saying(plainAnswer('No'))
    const model = await open(inner)
    expect(() => model.check?.(parity)).not.toThrow()
    expect(() => model.check?.(rest)).toThrow(/no way to improve/u)
    expect(await model.call(parityCall(0, { task: rest }), signal)).toMatchObject({ code: 'not-supported' })
    expect(inner.asked).toBe(0)
  })

  it('is refused where the model inside is, with its reason', async () => {
    const model = await openModel('hybrid:baseline:exakt', {}, providers, around)
    expect(() => model.check?.(parity)).toThrow(/did you mean "exact"/u)
    await expect(openModel('hybrid:nothing:x', {}, providers, around)).rejects.toThrow(/provider:model/u)
    await expect(openModel('hybrid:', {}, providers, around)).rejects.toThrow(/hybrid:PROVIDER:MODEL/u)
  })

  it('runs with the secrets of the model inside hidden and its usage in the ledger', async () => {
    const { folder, remove } = await scratch()
    const inner = saying(plainAnswer('the key is sk-hidden-123456', { usage: { inputTokens: 5, outputTokens: 2 } }))
    const context = mockContext({ providers: [inner], env: { SAYING_KEY: 'sk-hidden-123456' } })
    const yaml = 'items: { task: mock/parity, preset: small, count: 6 }\nmodels: ["hybrid:saying:x"]'
    const run = await createRun({ experiment: readExperiment(yaml), dir: `${folder}/run` }, context)
    try {
      expect(run.file.secrets).toContain('SAYING_KEY')
      await executeRun(run)
      expect(await run.ledger.counts()).toMatchObject({ done: 6, failed: 0 })
      for (const { usage, raw } of run.ledger.query('SELECT usage, raw FROM response')) {
        expect(JSON.parse(String(usage))).toEqual({ inputTokens: 5, outputTokens: 2 })
        expect(String(raw)).toMatch(/the key is/u)
        expect(String(raw)).not.toContain('sk-hidden')
      }
    } finally {
      await run[Symbol.asyncDispose]()
      await remove()
    }
  })
})
