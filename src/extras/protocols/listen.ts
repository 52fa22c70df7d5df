import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import { UsageError } from '../../core/index.ts'

/** A listening server. */
export interface Listening {
  readonly url: string
  close(): Promise<void>
}

/** Timeouts (ms) and limits for slow or silent clients. */
const SERVER = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
}
/** Bytes of a WebSocket message. */
const MAX_MESSAGE = 8 * 1024 * 1024
const MAX_CONNECTIONS = 2048

type WebSockets = NonNullable<Parameters<typeof createAdaptorServer>[0]['websocket']>['server']

/** Listens at a host and port (0: any free port). @throws UsageError if the port cannot be used. */
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
