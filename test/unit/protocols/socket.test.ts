import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../../../src/extras/protocols/listen.ts'
import { protocols } from '../../../src/extras/protocols/protocols/index.ts'
import { appWith } from './server.ts'

interface Reply {
  readonly type: string
  readonly data: {
    readonly code?: string
    readonly observation?: { readonly question?: string; readonly token?: string; readonly status?: string }
    readonly reward?: number | null
    readonly done?: boolean
    readonly step_count?: number
  }
}

let server: Listening
const BYTES = new Uint8Array([1, 2])
beforeAll(async () => {
  server = await listen(appWith({}, protocols), '127.0.0.1', 0)
})
afterAll(() => server.close())

/** A client that waits for one reply to each message. */
async function connect() {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/ws`)
  const replies: Reply[] = []
  const waiting: ((reply: Reply) => void)[] = []
  socket.onmessage = ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    const first = waiting.shift()
    if (first === undefined) replies.push(reply)
    else first(reply)
  }
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code)
  })
  await new Promise((resolve) => {
    socket.onopen = resolve
  })
  const say = (message: unknown): Promise<Reply> => {
    if (message === BYTES) socket.send(BYTES)
    else socket.send(typeof message === 'string' ? message : JSON.stringify(message))
    const early = replies.shift()
    return early === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(early)
  }
  return { socket, say, closed }
}

describe('OpenEnv over a WebSocket', () => {
  it('walks on from where it began, and ends an episode with its step', async () => {
    const { say, socket, closed } = await connect()
    const reset = { type: 'reset', data: { task: 'recoglab/comparison', preset: 'feasibility', index: 4 } }
    const first = await say(reset)
    const end = await say({ type: 'step', data: { answer: 'Answer: Blue' } })
    expect(end.data).toMatchObject({ observation: { status: 'unparsed' }, reward: 0, done: true })
    expect((await say({ type: 'step', data: { answer: 'Answer: Yes' } })).data.code).toBe('VALIDATION_ERROR')
    const second = await say({ type: 'reset' })
    const again = await say({ ...reset, data: { ...reset.data, index: 5 } })
    expect(second.data.observation).toEqual(again.data.observation)
    expect(second.data.observation?.token).not.toBe(first.data.observation?.token)
    expect((await say({ type: 'state' })).data.step_count).toBe(0)
    socket.send(JSON.stringify({ type: 'close' }))
    expect(await closed).toBe(1000)
  })

  it.each([
    ['{', 'INVALID_JSON'],
    ['['.repeat(1e5), 'INVALID_JSON'],
    [BYTES, 'INVALID_JSON'],
    ['[]', 'VALIDATION_ERROR'],
    [{ type: 'jump' }, 'UNKNOWN_TYPE'],
    [{ type: '__proto__' }, 'UNKNOWN_TYPE'],
    [{ type: 'reset', data: [] }, 'VALIDATION_ERROR'],
    [{ type: 'reset', data: { task: 'no/such' } }, 'EXECUTION_ERROR'],
    [{ type: 'reset', data: { task: 'relic/recognize', preset: 'relic-demo', split: 'test' } }, 'EXECUTION_ERROR'],
    [{ type: 'step', data: { answer: 5 } }, 'VALIDATION_ERROR'],
  ])('answers %j with the error %s', async (message, code) => {
    const { say, socket } = await connect()
    expect(await say(message)).toMatchObject({ type: 'error', data: { code } })
    socket.close()
  })

  it('lets go of who sends without listening, and of who sends too much', async () => {
    const flood = await connect()
    for (let i = 0; i < 1000; i++) flood.socket.send('{"type":"state"}')
    expect(await flood.closed).toBe(1008)
    const big = await connect()
    big.socket.send('x'.repeat(9 * 1024 * 1024))
    expect(await big.closed).not.toBe(1000)
  })
})

describe('a client that is slow', () => {
  it('is answered when it has sent all, and one that breaks off harms nobody', async () => {
    const { connect: open } = await import('node:net')
    const { hostname, port } = new URL(server.url)
    const half = open(Number(port), hostname)
    half.on('error', () => undefined)
    half.write(
      'POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"it',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    half.destroy()
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})
