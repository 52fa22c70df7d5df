import { describe, expect, it } from 'vitest'
import {
  type Failure,
  type Model,
  type ModelCall,
  type ModelReply,
  type ModelResponse,
  openModel,
  type Provider,
  plainAnswer,
  providers,
} from '../../../src/models/index.ts'
import { failure } from '../../../src/models/model.ts'
import { createRun, executeRun, parseExperiment, readExperiment } from '../../../src/runner/index.ts'
import { parityCall } from '../../contract/parity-call.ts'
import { mockContext, scratch } from '../../mock/context.ts'

const signal = AbortSignal.timeout(20_000)
const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }

/** A provider whose model gives these replies in turn, over and over, and what was asked of it. */
function saying(...replies: readonly ModelReply[]): Provider & { readonly calls: ModelCall[] } {
  const calls: ModelCall[] = []
  return {
    calls,
    name: 'saying',
    argument: 'NAME',
    summary: 'some replies',
    costs: () => true,
    open: (rest): Promise<Model> =>
      Promise.resolve({
        name: `saying:${rest}`,
        kind: 'chat',
        route: 'saying',
        concurrency: { start: 1, most: 1 },
        remote: true,
        reusesContext: false,
        call: (call) => Promise.resolve(replies[(calls.push(call) - 1) % replies.length]!),
      }),
  }
}
const open = (inner: Provider, name = 'two-pass'): Promise<Model> =>
  openModel(`${name}:saying:x`, {}, [inner, ...providers], around)

const settings = { thinkingBudget: 50, maxTokens: 20, temperature: 0 }
const thought = (more: Partial<ModelResponse> = {}): ModelResponse =>
  plainAnswer('', {
    reasoning: 'first, let me',
    finish: 'truncated',
    usage: { inputTokens: 10, outputTokens: 50, reasoningTokens: 50 },
    raw: '{"first":1}',
    ...more,
  })
const final = plainAnswer('Yes', {
  usage: { inputTokens: 75, outputTokens: 3, reasoningTokens: 0 },
  raw: '{"second":2}',
})

describe('two-pass:', () => {
  it('cuts a thought at its budget and asks for the answer, in the voice of the model', async () => {
    const inner = saying(thought(), final)
    const call = parityCall(0, { settings })
    const reply = await (await open(inner)).call(call, signal)
    expect(inner.calls.map((one) => one.settings)).toEqual([
      { temperature: 0, maxTokens: 50 },
      { temperature: 0, maxTokens: 20 },
    ])
    const [first, second] = inner.calls.map(({ request }) => (request.kind === 'chat' ? request.messages : []))
    expect(second?.slice(0, -1)).toEqual(first)
    expect(second?.at(-1)?.role).toBe('assistant')
    expect(second?.at(-1)?.content).toMatch(/^first, let me\n\nConsidering the thinking token budget/u)
    expect(reply).toMatchObject({
      kind: 'answer',
      text: 'Yes',
      finish: 'stop',
      reasoning: 'first, let me',
      usage: { inputTokens: 85, outputTokens: 53, reasoningTokens: 50 },
    })
    const { calls } = JSON.parse((reply as ModelResponse).raw ?? '') as { calls: readonly object[] }
    expect(calls).toMatchObject([
      { finish: 'truncated', usage: { outputTokens: 50 }, raw: '{"first":1}' },
      { finish: 'stop', usage: { outputTokens: 3 }, raw: '{"second":2}' },
    ])
  })

  it.each(['stop', 'truncated'] as const)('tells where the server does not keep to the budget (%s)', async (finish) => {
    const usage = { inputTokens: 10, outputTokens: 60, reasoningTokens: 58 }
    const over = await (await open(saying(thought({ finish, usage }), final))).call(parityCall(0, { settings }), signal)
    expect(over).toMatchObject({ kind: 'answer', ignored: ['thinkingBudget'] })
    const kept = await (await open(saying(thought(), final))).call(parityCall(0, { settings }), signal)
    expect(kept).toMatchObject({ kind: 'answer', ignored: [] })
  })

  it('asks in the voice of the user, where it is so named', async () => {
    const inner = saying(thought(), final)
    await (await open(inner, 'two-pass-user')).call(parityCall(0, { settings }), signal)
    const request = inner.calls[1]?.request
    expect(request?.kind === 'chat' && request.messages.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'first, let me' },
      { role: 'user', content: expect.stringMatching(/used up/u) as string },
    ])
  })

  it.each<readonly [string, ModelResponse, number]>([
    ['an answer in time', final, 1],
    ['an answer that was cut behind its thought', thought({ text: 'Ye' }), 1],
    ['the same where thoughts are in the text', thought({ reasoning: null, text: '<think>a</think> Ye' }), 1],
    ['a thought in the text', thought({ reasoning: null, text: '<think>a' }), 2],
    ['text without marks', thought({ reasoning: null, text: 'let me see' }), 2],
    ['a refusal', plainAnswer('no', { finish: 'refused' }), 1],
  ])('makes of %s so many calls', async (_, first, calls) => {
    const inner = saying(first, final)
    const reply = await (await open(inner)).call(parityCall(0, { settings }), signal)
    expect(inner.calls).toHaveLength(calls)
    if (calls === 1) expect(reply).toEqual(first)
  })

  it('owes for the first call where the second fails', async () => {
    const down = failure('connect', 'refused', 'again', { free: true })
    const reply = await (await open(saying(thought(), down))).call(parityCall(0, { settings }), signal)
    expect(reply).toMatchObject({ kind: 'failure', code: 'connect', free: false })
    expect(JSON.parse((reply as Failure).body ?? '')).toEqual({
      calls: [{ raw: '{"first":1}' }, { raw: null }],
      usage: { input_tokens: 10, output_tokens: 50 },
    })
    const limited = failure('rate-limited', '429', 'slow-down', { free: true })
    expect(await (await open(saying(limited))).call(parityCall(0, { settings }), signal)).toEqual(limited)
  })

  it.each([
    ['fails', failure('http-500', 'no', 'again', { http: 500, body: '{"error":"no"}' })],
    ['does not say what it took', plainAnswer('Yes', { raw: '{}' })],
  ])('owes for a thought far beyond its budget where the second call %s', async (_what, second) => {
    const raw = '{"usage":{"prompt_tokens":10,"completion_tokens":50000}}'
    const inner = saying(thought({ usage: { inputTokens: 10, outputTokens: 50_000 }, raw }), second)
    const { folder, remove } = await scratch()
    try {
      const context = mockContext({ providers: [inner, ...providers] })
      const experiment = parseExperiment({
        items: { task: 'mock/parity', preset: 'small', count: 1 },
        models: [{ model: 'two-pass:saying:x', price: { input: 1, output: 10 }, settings }],
        limits: { retries: 0 },
      })
      await using run = await createRun({ dir: `${folder}/run`, experiment }, context)
      const { costUsd } = await executeRun(run)
      expect(costUsd).toBeGreaterThanOrEqual(0.5)
      expect(costUsd).toBeLessThan(0.51)
    } finally {
      await remove()
    }
  })

  it('asks for the answer alone where that call is tried again: the thought is paid', async () => {
    const limited = failure('rate-limited', '429', 'slow-down', { free: true })
    const inner = saying(thought(), limited, limited, final, thought({ reasoning: 'anew' }), final)
    const model = await open(inner)
    const ask = () => model.call(parityCall(0, { settings }), signal)
    expect(await ask()).toMatchObject({ code: 'rate-limited', free: false })
    expect(await ask()).toMatchObject({ code: 'rate-limited', free: true })
    expect(await ask()).toMatchObject({ text: 'Yes', reasoning: 'first, let me', usage: { outputTokens: 53 } })
    expect(inner.calls.map((one) => one.settings.maxTokens)).toEqual([50, 20, 20, 20])
    expect(await ask()).toMatchObject({ reasoning: 'anew' })
  })

  it('books both calls where one says that it took less than nothing', async () => {
    const owes = { inputTokens: -60, outputTokens: -15 }
    const reply = await (await open(saying(thought({ usage: owes }), final))).call(parityCall(0, { settings }), signal)
    expect(reply).toMatchObject({ usage: owes })
  })

  it.each([
    ['two-pass', ['assistant']],
    ['two-pass-user', ['user']],
  ])('tells a thought that the server keeps back (%s)', async (name, roles) => {
    const inner = saying(thought({ reasoning: null }), final)
    const reply = await (await open(inner, name)).call(parityCall(0, { settings }), signal)
    expect(reply).toMatchObject({ text: 'Yes', ignored: [expect.stringMatching(/does not return the thought/u)] })
    const [first, second] = inner.calls.map(({ request }) => (request.kind === 'chat' ? request.messages : []))
    const said = second?.slice(first?.length)
    expect(said?.map(({ role }) => role)).toEqual(roles)
    expect(said?.[0]?.content).toMatch(/^(?:Considering|Your)/u)
  })

  it('asks nothing without a budget', async () => {
    const inner = saying(thought())
    const reply = await (await open(inner)).call(parityCall(0, { settings: { maxTokens: 20 } }), signal)
    expect(reply).toMatchObject({ code: 'not-supported', free: true })
    expect(reply).toHaveProperty('message', expect.stringMatching(/thinkingBudget/u))
    expect(inner.calls).toEqual([])
  })

  it('sets aside what both calls can take and bring, and is in the ledger with the cost of both', async () => {
    const model = await open(saying(final))
    expect(model).toMatchObject({ route: 'saying', kind: 'chat', remote: true })
    expect(model.maxOutput?.(settings)).toBe(70)
    expect(model.maxInput?.(1000, settings)).toBe(2100)
    const { folder, remove } = await scratch()
    const context = mockContext({ providers: [saying(thought(), final)] })
    const yaml = `items: { task: mock/parity, preset: small, count: 4 }
models: [{ model: "two-pass:saying:x", settings: { thinkingBudget: 50, maxTokens: 20 }, price: { input: 1, output: 10 } }]
limits: { usd: 1 }`
    const run = await createRun({ experiment: readExperiment(yaml), dir: `${folder}/run` }, context)
    try {
      await executeRun(run)
      expect(await run.ledger.counts()).toMatchObject({ done: 4, failed: 0 })
      const rows = run.ledger.query('SELECT r.usage, r.raw, a.usd FROM response r JOIN attempt a ON a.call = r.call')
      for (const { usage, raw, usd } of rows) {
        expect(JSON.parse(String(usage))).toMatchObject({ inputTokens: 85, outputTokens: 53 })
        expect(usd).toBeCloseTo((85 * 1 + 53 * 10) / 1e6, 12)
        expect(JSON.parse(String(raw))).toMatchObject({ calls: [{ raw: '{"first":1}' }, { raw: '{"second":2}' }] })
      }
    } finally {
      await run[Symbol.asyncDispose]()
      await remove()
    }
  })
})
