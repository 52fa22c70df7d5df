import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { below } from '../../../src/core/index.ts'
import { Backlog, Turns } from '../../../src/extras/protocols/backlog.ts'
import { JsonShape, LIMITS } from '../../../src/extras/protocols/http.ts'
import { type Listening, listen } from '../../../src/extras/protocols/listen.ts'
import { protocols } from '../../../src/extras/protocols/protocols/index.ts'
import { openLab } from '../../../src/lab/index.ts'
import { appWith, draws, post } from './server.ts'

let server: Listening
beforeAll(async () => {
  server = await listen(appWith({}, protocols), '127.0.0.1', 0)
})
afterAll(() => server.close())

/** A raw connection: what the server sent until it was closed. */
function raw(work: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => work(socket))
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('close', () => resolve(text))
  })
}

const UPGRADE = `GET /ws HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`

describe('a connection', () => {
  it('is closed when a message comes in more pieces than anybody needs', async () => {
    const piece = (first: number): Buffer => Buffer.from([first, 0x81, 0, 0, 0, 0, 0x78])
    const text = await raw((socket) => {
      socket.write(UPGRADE)
      socket.write(piece(1))
      socket.write(Buffer.concat(Array.from({ length: 2000 }, () => piece(0))))
    })
    expect(text).toContain('101 Switching Protocols')
    // 1008: policy violation.
    expect(text.endsWith('\x88\x02\x03\xf0') || text.includes('\x03\xf0')).toBe(true)
  })

  it('is closed when it asks before it was answered', async () => {
    const asked = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'
    const text = await raw((socket) => socket.write(asked.repeat(100)))
    expect(text.split('HTTP/1.1 200').length - 1).toBeLessThan(2)
  })
})

describe('a body', () => {
  it('has a bounded number of keys, which are counted before it is parsed', async () => {
    const app = appWith({}, protocols)
    const keys = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`
    expect((await post(app, '/v1/score', keys(LIMITS.keys + 1))).status).toBe(413)
    const few = await post(app, '/v1/score', keys(LIMITS.keys))
    expect(few.status).toBe(422)
    expect((await few.text()).length).toBeLessThan(2000)
  })

  it('is counted alike in whatever pieces it comes', () => {
    const stream = draws('pieces')
    const letters = '"\\\\,:[]{}a'
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: below(stream, 40) }, () => letters[below(stream, letters.length)]).join('')
      const whole = new JsonShape()
      whole.add(text)
      const pieces = new JsonShape()
      for (let at = 0; at < text.length; ) {
        const end = at + 1 + below(stream, 5)
        pieces.add(text.slice(at, end))
        at = end
      }
      expect(pieces, text).toEqual(whole)
      const outside = text.replace(/"(?:\\.|[^"\\])*(?:"|\\?$)/gsu, '')
      expect(whole.keys, text).toBe(outside.split(':').length - 1)
    }
  })
})

describe('who asks', () => {
  const ask = async (host: string, origin?: string, key?: string): Promise<number> => {
    const app = appWith(key === undefined ? { host: 'trainer.example' } : { key }, protocols)
    const headers = { host, ...(origin === undefined ? {} : { origin }), authorization: 'Bearer k' }
    return (await app.request('/v1/tasks', { headers })).status
  }

  it.each([
    '127.0.0.1:8000',
    'localhost',
    '[::1]:8000',
    '10.0.0.7:8000',
    'trainer-0',
    'a.b.internal',
    'trainer.example:8000',
  ])('may call the server %s', async (host) => expect(await ask(host)).toBe(200))

  it.each([
    'evil.example',
    'evil.example:8000',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io:80',
  ])('may not call it %s without a key: a web page may have been pointed here', async (host) => {
    expect(await ask(host)).toBe(403)
    expect(await ask(host, undefined, 'k')).toBe(200)
  })

  it('is no web page of another address, key or not', async () => {
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:8001', 'http://127.0.0.1:8000.evil.example'])
      for (const key of [undefined, 'k']) expect(await ask('127.0.0.1:8000', origin, key)).toBe(403)
    expect(await ask('127.0.0.1:8000', 'http://127.0.0.1:8000')).toBe(200)
  })
})

it.each(['0.0.0.0', '::', 'trainer.example'])('does not listen on %s without a key', async (host) => {
  const lab = await openLab()
  await expect(lab.serve({ host, port: 0 })).rejects.toThrow(/--api-key-env .* --open/u)
})

it('drops the largest request where too much is on its way', () => {
  const dropped: string[] = []
  const backlog = new Backlog(100)
  const begin = (name: string) => backlog.begin(() => dropped.push(name))
  const [small, large, other] = [begin('small'), begin('large'), begin('other')]
  small.add(10)
  large.add(60)
  other.add(30)
  expect(dropped).toEqual([])
  small.add(1)
  expect(dropped).toEqual(['large'])
  large.add(1000)
  other.end()
  small.add(80)
  expect(dropped).toEqual(['large'])
  small.add(80)
  expect(dropped).toEqual(['large', 'small'])
})

it('runs the smallest piece of work first, one at a time, and goes on after a failure', async () => {
  const turns = new Turns()
  const order: number[] = []
  const work = (size: number): Promise<unknown> =>
    turns
      .take(size, () => {
        order.push(size)
        if (size === 2) throw new Error('no')
      })
      .catch(() => undefined)
  await Promise.all([5, 9, 2, 7, 1].map(work))
  expect(order).toEqual([5, 1, 2, 7, 9])
})
