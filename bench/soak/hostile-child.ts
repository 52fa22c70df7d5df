import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { namedStream } from '../../src/core/index.ts'
import { hostileRequest } from '../../test/unit/protocols/hostile.ts'

// Attackers have machines of their own: here they leave the processors to the server.
setPriority(constants.priority.PRIORITY_LOW)

/** Attacks on a server, all at once, until the parent ends. Each begins again whenever the server closes its connection. */
const { hostname, port } = new URL(process.argv[2] ?? '')

/** A raw connection; resolves when it is closed. What the server answers is not read where `reads` is false. */
function open(work: (socket: Socket) => void, reads = true): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => work(socket))
    socket.on('error', () => undefined)
    if (reads) socket.resume()
    socket.on('close', () => resolve())
  })
}

const post = (path: string, body: string, length = Buffer.byteLength(body)): string =>
  `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`

const UPGRADE = `GET /ws HTTP/1.1\r\nhost: ${hostname}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`

/** A frame of a client with an empty mask: `first` is its first byte (1: text, 0: goes on, 0x80: the last, 0x89: ping). */
function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload
  const head = Buffer.alloc(length < 126 ? 2 : 10)
  head[0] = first
  head[1] = 0x80 | (length < 126 ? length : 127)
  if (length >= 126) head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, Buffer.alloc(4), payload])
}

/** Writes the same bytes again and again, as fast as they are taken. */
function flood(socket: Socket, bytes: Buffer | string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', write)
  write()
}

const once = (path: string, body: string) => (): Promise<void> =>
  open((socket) => {
    socket.write(post(path, body))
    socket.once('data', () => setTimeout(() => socket.destroy(), 100))
  })

const fragments = Buffer.concat(Array.from({ length: 4096 }, () => frame(0, Buffer.from('x'))))
const manyKeys = `{${Array.from({ length: 2_200_000 }, (_, i) => `"${i}":1`).join()}}`
const keys = `{"task":"relic/recognize","config":{${Array.from({ length: 32_000 }, (_, i) => `"k${i}":1`).join()}}}`
const texts = JSON.stringify({
  items: Array.from({ length: 7 }, () => ({ token: 'none', text: 'x'.repeat(4 * 1024 * 1024) })),
})
const draws = (count: number): string => JSON.stringify({ task: 'relic/recognize', preset: 'relic-endless', count })

const stream = namedStream('bench/soak', 'hostile')
async function garbage(): Promise<void> {
  const { path, init } = hostileRequest(stream)
  await fetch(`http://${hostname}:${port}${path}`, { ...init, redirect: 'manual' }).then(
    (response) => response.text(),
    () => undefined,
  )
}

/** Attacks by name: how many clients, the pause (ms) before each begins again, and what one does. */
const attacks: { readonly [name: string]: readonly [number, number, () => Promise<void>] } = {
  'a WebSocket message in pieces of one byte': [
    5,
    50,
    () =>
      open((socket) => {
        socket.write(UPGRADE)
        socket.write(frame(1, Buffer.from('"')))
        flood(socket, fragments)
      }),
  ],
  'a WebSocket message that never ends, with pings': [
    50,
    1000,
    () =>
      open((socket) => {
        socket.write(UPGRADE)
        socket.write(frame(1, Buffer.alloc(2 * 1024 * 1024, 0x78)))
        const pings = setInterval(() => socket.write(frame(0x89, Buffer.from('still here'))), 1000)
        socket.on('close', () => clearInterval(pings))
      }),
  ],
  '2.2 million unknown keys': [2, 200, once('/v1/score', manyKeys)],
  'as many keys as are allowed': [2, 500, once('/v1/items', keys)],
  '28 MiB of texts': [2, 500, once('/v1/score', texts)],
  'bodies that never end': [
    100,
    1000,
    () =>
      open((socket) => {
        socket.write(post('/v1/score', `{"items": "${'x'.repeat(1024 * 1024)}`, 31 * 1024 * 1024))
        const more = setInterval(() => socket.write('x'), 1000)
        socket.on('close', () => clearInterval(more))
      }),
  ],
  'answers that are not read': [8, 1000, () => open((socket) => flood(socket, post('/v1/items', draws(64))), false)],
  'long draws': [2, 0, once('/v1/items', draws(1024))],
  'half a request': [20, 100, () => open((socket) => socket.end('POST /v1/score HT'))],
  garbage: [2, 5, garbage],
}

for (const [count, pause, attack] of Object.values(attacks))
  for (let i = 0; i < count; i++)
    void (async () => {
      for (;;) {
        await attack()
        await sleep(pause)
      }
    })()
process.once('disconnect', () => process.exit())
