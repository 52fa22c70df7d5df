import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { Task } from '../../../src/core/index.ts'
import { type HttpResponse, send } from '../../../src/models/http.ts'
import { type Model, type ModelCall, openModel, providers, type Settings } from '../../../src/models/index.ts'
import type { Behaviour } from '../../mock/faults.ts'
import { parity } from '../../mock/parity.ts'
import { type Mock, startMock } from '../../mock/server.ts'
import { loopback, shapes } from '../scoring/loopback.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const task: Task = parity
const source = task.source(task.preset('small').config, { split: 'test', seed: 0 })

function callFor(settings: Settings = {}, index = 0): ModelCall {
  const item = source.item(index)
  if (item.kind === 'hole') throw new Error('the small preset has no holes')
  return {
    task,
    item: item.id,
    config: source.config,
    style: 'plain',
    sample: 0,
    settings,
    request: source.request(item, 'plain'),
    question: item,
    draws: (name) => source.baselineDraws(index, name),
    problem: () => item,
    attemptId: `${item.id}/1/1`,
  }
}

async function mockModel(
  behaviour: Behaviour,
  more: { env?: { [name: string]: string } } = {},
): Promise<{ model: Model; mock: Mock }> {
  const mock = await startMock({ behave: () => behaviour })
  closing.push(() => mock.close())
  const model = await openModel('openai-compatible:m', { baseUrl: mock.url }, providers, {
    env: more.env ?? {},
    openReplay: () => Promise.reject(new Error('no')),
  })
  return { model, mock }
}

/** A server that gives one answer to everything. */
const serve = async (headers: { [name: string]: string }, body: Uint8Array, status = 200): Promise<string> => {
  const server = createServer((_request, response) => {
    response.writeHead(status, headers)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const ask = (model: Model, settings?: Settings, ms = 2000) => model.call(callFor(settings), AbortSignal.timeout(ms))

describe('an openai-compatible route', () => {
  it('brings text, finish, usage, the body and the request id', async () => {
    const { model, mock } = await mockModel('right', { env: { OPENAI_COMPATIBLE_API_KEY: 'sk-test' } })
    const reply = await ask(model, { temperature: 0.5, seed: 3 })
    expect(reply).toMatchObject({
      kind: 'answer',
      text: 'Yes',
      finish: 'stop',
      reasoning: null,
      usage: { inputTokens: 20, outputTokens: 3, reasoningTokens: 1 },
      http: 200,
      requestId: `req-${callFor().attemptId}`,
      ignored: [],
    })
    expect(reply.kind === 'answer' && JSON.parse(reply.raw ?? '')).toMatchObject({ object: 'chat.completion' })
    expect(mock.books[0]).toMatchObject({
      id: callFor().attemptId,
      authorization: 'Bearer sk-test',
    })
  })

  it.each<[Behaviour, object]>([
    ['truncated', { kind: 'answer', finish: 'truncated' }],
    ['refused', { kind: 'answer', finish: 'refused' }],
    ['unparsable', { kind: 'answer', finish: 'stop' }],
    ['rate-limit', { kind: 'failure', code: 'rate-limited', retry: 'slow-down', waitMs: null, http: 429 }],
    ['rate-limit-after', { kind: 'failure', code: 'rate-limited', retry: 'slow-down', waitMs: 20 }],
    ['error-500', { kind: 'failure', code: 'http-500', retry: 'again', http: 500 }],
    ['cut', { kind: 'failure', code: 'cut', retry: 'again' }],
    ['cut-body', { kind: 'failure', code: 'cut', retry: 'again' }],
    [
      'bad-json',
      { kind: 'failure', code: 'bad-body', retry: 'once', message: expect.stringMatching(/what came: \{"id":"x"/u) },
    ],
    ['wrong-json', { kind: 'failure', code: 'bad-body', retry: 'again' }],
    ['huge', { kind: 'failure', code: 'too-large', retry: 'never' }],
    ['huge-chunked', { kind: 'failure', code: 'too-large', retry: 'never' }],
  ])('reads %s as what it is', async (behaviour, expected) => {
    const { model } = await mockModel(behaviour)
    expect(await ask(model)).toMatchObject(expected)
  })

  it('gives up a silent server at the deadline, and at once when aborted', async () => {
    const { model } = await mockModel('silent')
    expect(await ask(model, {}, 500)).toMatchObject({ kind: 'failure', code: 'timeout', retry: 'again' })
    expect(await model.call(callFor(), AbortSignal.abort())).toMatchObject({ code: 'aborted', retry: 'never' })
  })

  it('says that nobody listens', async () => {
    const { model, mock } = await mockModel('right')
    await mock.close()
    expect(await ask(model)).toMatchObject({ kind: 'failure', code: 'connect', retry: 'again' })
  })

  it('says which settings have no effect', async () => {
    const { model } = await mockModel('right')
    expect(await ask(model, { thinkingBudget: 10 })).toMatchObject({ ignored: ['thinkingBudget'] })
  })
})

describe('servers at different addresses', () => {
  it.each(['openai', 'openai-responses', 'anthropic', 'google', 'openai-compatible'])(
    '%s: share no route',
    async (name) => {
      const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GOOGLE_GENERATIVE_AI_API_KEY: 'k' }
      const around = { env, openReplay: () => Promise.reject(new Error('no')) }
      const [a, b] = await Promise.all(
        ['http://a/v1', 'http://b/v1'].map((baseUrl) => openModel(`${name}:m`, { baseUrl }, providers, around)),
      )
      expect(a?.route).not.toBe(b?.route)
    },
  )
})

describe('an Anthropic route', () => {
  it('counts the budget for thinking inside the maximum, as every other route', async () => {
    const asked: unknown[] = []
    const mock = await startMock({
      behave: ({ body }) => {
        asked.push(body['max_tokens'])
        return 'right'
      },
    })
    closing.push(() => mock.close())
    const model = await openModel('anthropic:claude-opus-4-1', { baseUrl: mock.url }, providers, {
      env: { ANTHROPIC_API_KEY: 'k' },
      openReplay: () => Promise.reject(new Error('no')),
    })
    await ask(model, { maxTokens: 5000, thinkingBudget: 2000 })
    await ask(model, { maxTokens: 5000 })
    expect(asked).toEqual([5000, 5000])
  })
})

describe('a completions route', () => {
  const request = { kind: 'score', context: '\n312654\n312645\n', text: '312654\n' } as const
  const openAt = (baseUrl: string): Promise<Model> =>
    openModel('completions:tiny', { baseUrl }, providers, {
      env: {},
      openReplay: () => Promise.reject(new Error('no')),
    })

  it('reads log-probabilities that are longer than any chat', async () => {
    await using server = await loopback((scored, body, path) => ({
      ...(shapes.echo(scored, body, path) as object),
      top: 'x'.repeat(5_000_000),
    }))
    const model = await openAt(server.url)
    const reply = await model.call({ ...callFor(), request }, AbortSignal.timeout(20_000))
    expect(reply.kind === 'answer' && reply.logprobs?.map(({ text }) => text).join('')).toBe(request.text)
  })

  it('waits as long as the server asks', async () => {
    const model = await openAt(`${await serve({ 'retry-after': '7' }, Buffer.from('busy'), 503)}v1`)
    expect(await model.call({ ...callFor(), request }, AbortSignal.timeout(20_000))).toMatchObject({
      kind: 'failure',
      code: 'http-503',
      retry: 'slow-down',
      waitMs: 7000,
    })
  })
})

const get = (url: string): Promise<HttpResponse> => send({ url, headers: {}, maxBytes: 4_000_000 })

describe('the transport', () => {
  it('unpacks what is packed, but no bomb', async () => {
    const small = await get(await serve({ 'content-encoding': 'gzip' }, gzipSync('{"a":1}')))
    expect(small.body).toBe('{"a":1}')
    const bomb = await serve({ 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(50_000_000)))
    await expect(get(bomb)).rejects.toMatchObject({ kind: 'transport', code: 'too-large' })
    const junk = await serve({ 'content-encoding': 'gzip' }, Buffer.from('junk'))
    await expect(get(junk)).rejects.toMatchObject({ kind: 'transport', code: 'bad-body' })
  })

  it('leaves a body alone whose encoding it does not know, whatever its name', async () => {
    for (const encoding of ['constructor', '__proto__', 'zstd']) {
      const response = await get(await serve({ 'content-encoding': encoding }, Buffer.from('{"a":1}')))
      expect(response.body).toBe('{"a":1}')
    }
    const loud = await get(await serve({ 'content-encoding': 'GZIP' }, gzipSync('{"a":1}')))
    expect(loud.body).toBe('{"a":1}')
  })

  it('keeps what came of a body that is cut', async () => {
    const url = await serve({ 'content-length': '100' }, Buffer.from('{"id":'))
    await expect(get(url)).rejects.toMatchObject({ code: 'cut', received: { status: 200, body: '{"id":' } })
  })

  it('does not follow a redirect: keys would travel with it', async () => {
    const url = await serve({ location: 'http://127.0.0.1:9/' }, Buffer.from(''), 307)
    expect((await get(url)).status).toBe(307)
  })

  it('signs in with the user and password of an address', async () => {
    const server = createServer((request, response) => response.end(request.headers.authorization))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo
    expect((await get(`http://a%40b:c@127.0.0.1:${port}/`)).body).toBe(`Basic ${btoa('a@b:c')}`)
  })

  it('takes web addresses only', async () => {
    await expect(get('ftp://x/')).rejects.toThrow(/begins with http/u)
  })
})
