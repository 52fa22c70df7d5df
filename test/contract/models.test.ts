import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Model, type ModelOptions, openModel, providers, type Settings } from '../../src/models/index.ts'
import { createRun, executeRun, openReplay, readExperiment } from '../../src/runner/index.ts'
import { anthropicBody, chatBody, googleBody, responsesBody } from '../mock/bodies.ts'
import { mockContext, scratch } from '../mock/context.ts'
import { modelTests } from './model-tests.ts'
import { parityCall } from './parity-call.ts'
import { answering, type Wire } from './wire.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const open = (spec: string, options: ModelOptions = {}, env: { [name: string]: string } = {}): Promise<Model> =>
  openModel(spec, options, providers, { env, openReplay })

async function serve(body: unknown, status = 200): Promise<Wire> {
  const wire = await answering(() => ({ body, status }))
  closing.push(wire.close)
  return wire
}

const YES = { text: 'Yes', usage: { input: 5, output: 7, reasoning: 4, cached: 2 } }
const THOUGHT = { ...YES, reasoning: 'even?' }

const routes = [
  {
    spec: 'openai:gpt-5-mini',
    key: 'OPENAI_API_KEY',
    path: '/v1/chat/completions',
    stop: chatBody(YES),
    truncated: chatBody({ ...YES, finish: 'length' }),
    refused: chatBody({ ...YES, more: { content: null, refusal: 'no' } }),
  },
  {
    spec: 'openai-compatible:m',
    key: 'OPENAI_COMPATIBLE_API_KEY',
    path: '/v1/chat/completions',
    stop: chatBody(THOUGHT),
    truncated: chatBody({ ...YES, finish: 'length' }),
    refused: chatBody({ ...YES, finish: 'content_filter' }),
  },
  {
    spec: 'openai-responses:gpt-5-mini',
    key: 'OPENAI_API_KEY',
    path: '/v1/responses',
    stop: responsesBody(THOUGHT),
    truncated: responsesBody({ ...YES, finish: 'max_output_tokens' }),
    refused: responsesBody({ ...YES, finish: 'content_filter' }),
  },
  {
    spec: 'anthropic:claude-sonnet-4-5',
    key: 'ANTHROPIC_API_KEY',
    path: '/v1/messages',
    stop: anthropicBody(THOUGHT),
    truncated: anthropicBody({ ...YES, finish: 'max_tokens' }),
    refused: anthropicBody({ ...YES, finish: 'refusal' }),
  },
  {
    spec: 'google:gemini-2.5-flash',
    key: 'GOOGLE_GENERATIVE_AI_API_KEY',
    path: '/v1/models/gemini-2.5-flash:generateContent',
    stop: googleBody(THOUGHT),
    truncated: googleBody({ ...YES, finish: 'MAX_TOKENS' }),
    refused: googleBody({ ...YES, finish: 'SAFETY' }),
  },
] as const

describe.each(routes)('$spec', ({ spec, key, path, stop, truncated, refused }) => {
  const opened = async (body: unknown, status?: number): Promise<{ model: Model; wire: Wire }> => {
    const wire = await serve(body, status)
    return { wire, model: await open(spec, { baseUrl: `${wire.url}/v1` }, { [key]: 'sk-secret' }) }
  }
  const ask = (model: Model, settings: Settings = {}) =>
    model.call(parityCall(0, { settings }), AbortSignal.timeout(20_000))

  modelTests(async () => (await opened(stop)).model)

  it('asks its route with the prompt and the key', async () => {
    const { model, wire } = await opened(stop)
    await ask(model, { maxTokens: 99 })
    expect(wire.seen[0]?.path).toBe(path)
    expect(JSON.stringify(wire.seen[0]?.body)).toContain('is this number even')
    expect(JSON.stringify(wire.seen[0]?.body)).toContain('99')
    expect(JSON.stringify(wire.seen[0]?.headers)).toContain('sk-secret')
  })

  it('reads counts, hidden reasoning among them, where the provider tells', async () => {
    const { model } = await opened(stop)
    const reply = await ask(model)
    const usage = { inputTokens: 5, outputTokens: 7, reasoningTokens: 4, cachedTokens: 2 }
    expect(reply).toMatchObject({ text: 'Yes', finish: 'stop', usage })
    if (reply.kind === 'answer' && reply.reasoning !== null) expect(reply.reasoning).toBe('even?')
  })

  it('tells truncated from refused', async () => {
    expect(await ask((await opened(truncated)).model)).toMatchObject({ finish: 'truncated' })
    expect(await ask((await opened(refused)).model)).toMatchObject({ finish: 'refused' })
  })

  it('fails with the status, and does not retry by itself', async () => {
    const { model, wire } = await opened({ error: { message: 'busy', type: 'overloaded' } }, 429)
    expect(await ask(model)).toMatchObject({ kind: 'failure', code: 'rate-limited', retry: 'slow-down', http: 429 })
    expect(wire.seen.length).toBe(1)
  })
})

describe.each([
  'baseline:exact',
  'baseline:random',
  'baseline:majority',
  'baseline:gold',
  'hybrid:baseline:exact',
  'hybrid:tiny',
  'tiny',
])('%s', (spec) => {
  modelTests(() => open(spec))
})

describe('replay', () => {
  modelTests(async () => {
    const { folder, remove } = await scratch()
    closing.push(remove)
    const dir = join(folder, 'run')
    const yaml = 'items: { task: mock/parity, preset: small }\nmodels: ["baseline:random"]'
    const run = await createRun({ experiment: readExperiment(yaml), dir }, mockContext())
    await executeRun(run)
    await run[Symbol.asyncDispose]()
    return open(`replay:${dir}`)
  })
})

describe('exec', () => {
  modelTests(async () => {
    const { folder, remove } = await scratch()
    closing.push(remove)
    const file = join(folder, 'yes.mjs')
    await writeFile(
      file,
      "import { createInterface } from 'node:readline'\nfor await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify({ id: JSON.parse(line).id, text: 'Yes' }))\n",
    )
    return open(`exec:"${process.execPath}" "${file}"`)
  })
})
