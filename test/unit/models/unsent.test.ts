import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { proxiesOf, send } from '../../../src/models/http.ts'
import { openModel, providers } from '../../../src/models/index.ts'
import { parityCall } from '../../contract/parity-call.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A port behind which nothing speaks HTTP. */
async function port(onData: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', () => onData(socket)).on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const post = (url: string, signal: AbortSignal) => send({ url, headers: {}, body: '{}', maxBytes: 1000, signal })
const patient = AbortSignal.timeout(20_000)

it('what breaks before its connection stands was never sent, and owes nothing', async () => {
  const rude = await port((socket) => socket.destroy())
  await expect(post(`https://127.0.0.1:${rude}/`, patient)).rejects.toMatchObject({ code: 'connect' })
  await expect(post(`http://127.0.0.1:${rude}/`, patient)).rejects.toMatchObject({ code: 'cut' })
  const plain = await port((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await expect(post(`https://127.0.0.1:${plain}/`, patient)).rejects.toMatchObject({ code: 'connect' })
})

it('so is what waits for its connection until its time is over', async () => {
  const silent = await port(() => undefined)
  await expect(post(`https://127.0.0.1:${silent}/`, AbortSignal.timeout(100))).rejects.toMatchObject({
    code: 'connect',
    message: `no connection to 127.0.0.1:${silent} within the time limit`,
  })
  await expect(post(`http://127.0.0.1:${silent}/`, AbortSignal.timeout(100))).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect(post(`https://127.0.0.1:${silent}/`, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' })
})

it('a server of strings that is not there owes nothing, as one that chats', async () => {
  const around = { env: {}, openReplay: () => Promise.reject(new Error('no')) }
  const model = await openModel('completions:m', { baseUrl: 'http://127.0.0.1:9/v1' }, providers, around)
  const request = { kind: 'score', context: 'abc', text: 'de' } as const
  expect(await model.call({ ...parityCall(), request }, patient)).toMatchObject({
    code: 'connect',
    retry: 'again',
    free: true,
    message: expect.stringContaining('http://127.0.0.1:9/v1'),
  })
})

it('a proxy without a scheme is one of HTTP', () => {
  const env = {
    HTTP_PROXY: 'proxy.example:3128',
    https_proxy: 'https://other:1',
    NO_PROXY: 'localhost',
    http_proxy: '',
  }
  expect(proxiesOf(env)).toEqual({ httpProxy: 'http://proxy.example:3128', httpsProxy: 'https://other:1' })
  expect(proxiesOf({})).toEqual({})
})
