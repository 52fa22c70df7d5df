import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import { UsageError } from '../../core/index.ts'

/** A server that listens: its address, and how to end it. */
export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Slow and silent clients are let go; none can hold more than its share. */
const SERVER = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
}
/** Bytes of a message on a socket. */
const MAX_MESSAGE = 8 * 1024 * 1024
const MAX_CONNECTIONS = 2048

/** The same thing in the words of both packages, but for an option that may be undefined in one. */
type WebSockets = NonNullable<Parameters<typeof createAdaptorServer>[0]['websocket']>['server']

/** Listens at a host and port (0: any free one). @throws UsageError where that cannot be had. */
export async function listen(app: Hono, host: string, port: number): Promise<Listening> {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false })
  const server = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    serverOptions: SERVER,
    websocket: { server: sockets as WebSockets },
  }) as Server
  server.maxConnections = MAX_CONNECTIONS
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
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => server.closeAllConnections(), 2000).unref()
      }),
  }
}
