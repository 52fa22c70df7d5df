import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { type WebSocket, WebSocketServer } from 'ws'
import { UsageError } from '../../core/index.ts'
import { backlog } from './http.ts'

/** A listening server. */
export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Timeouts (ms) and limits for slow or silent clients; a connection on which nothing moves for `timeout` is closed. */
const TIMEOUT = 300_000
const SERVER = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
}
/** A WebSocket message: its bytes, and the pieces that it may come in. */
const MESSAGE = { maxPayload: 8 * 1024 * 1024, maxFragments: 1024, maxBufferedChunks: 16 * 1024 }
/** Time for a whole message, ms. */
const MESSAGE_MS = 30_000
const MAX_CONNECTIONS = 2048
/** Bytes of answers that wait for clients to read them, over all connections, and the pause between two checks, ms. */
const MAX_UNREAD = 256 * 1024 * 1024
const CHECK_MS = 250

type WebSockets = NonNullable<Parameters<typeof createAdaptorServer>[0]['websocket']>['server']

/** Listens at a host and port (0: any free port). @throws UsageError if the port cannot be used. */
export async function listen(app: Hono, host: string, port: number): Promise<Listening> {
  const options = { noServer: true, perMessageDeflate: false, ...MESSAGE }
  const sockets = new WebSocketServer(options)
  sockets.on('connection', (socket, { socket: connection }) => limitMessages(socket, connection))
  const busy = new WeakSet<Socket>()
  const server = createAdaptorServer({
    fetch: (request, env) => {
      const { incoming, outgoing } = env as HttpBindings
      const { socket } = incoming
      // Clients that send a request before the last is answered do not wait for their turn.
      if (busy.has(socket)) {
        socket.destroy()
        return new Response(null, { status: 400 })
      }
      busy.add(socket)
      // A request for a WebSocket has no HTTP response to end.
      ;(outgoing as ServerResponse | undefined)?.once('close', () => busy.delete(socket))
      return app.fetch(request, env)
    },
    createServer,
    serverOptions: SERVER,
    websocket: { server: sockets as WebSockets },
  }) as Server
  server.maxConnections = MAX_CONNECTIONS
  server.timeout = TIMEOUT
  const connections = new Set<Socket>()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  const checks = setInterval(() => closeUnread(connections), CHECK_MS).unref()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UsageError(`cannot listen at ${host}:${port}: ${error.message}`)),
    )
    server.listen(port, host, resolve)
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        clearInterval(checks)
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 2000).unref()
      }),
  }
}

/** Bytes of a control frame of a client, beside its payload. */
const CONTROL = 6

/** Closes a WebSocket whose message does not come to its end in time, or is the largest where too much is on its way. */
function limitMessages(socket: WebSocket, connection: Socket): void {
  const close = (): void => socket.terminate()
  let pending = 0
  let held = backlog.begin(close)
  let deadline: NodeJS.Timeout | undefined
  const clear = (): void => {
    clearTimeout(deadline)
    deadline = undefined
    pending = 0
    held.end()
    held = backlog.begin(close)
  }
  // Before the listener of the WebSocket, which may find the end of a message in these bytes.
  connection.prependListener('data', ({ length }: Buffer) => {
    pending += length
    held.add(length)
    deadline ??= setTimeout(close, MESSAGE_MS).unref()
  })
  const control = ({ length }: Buffer): void => {
    pending -= CONTROL + length
    if (pending <= 0) clear()
  }
  socket.on('ping', control)
  socket.on('pong', control)
  socket.on('message', clear)
  socket.on('close', () => {
    clear()
    held.end()
  })
}

/** Closes the connections that leave most unread, where that is too much in all. */
function closeUnread(connections: ReadonlySet<Socket>): void {
  let total = 0
  for (const { writableLength } of connections) total += writableLength
  if (total <= MAX_UNREAD) return
  for (const connection of [...connections].sort((a, b) => b.writableLength - a.writableLength)) {
    total -= connection.writableLength
    connection.destroy()
    if (total <= MAX_UNREAD) return
  }
}
