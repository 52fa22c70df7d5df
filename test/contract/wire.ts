import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly path: string
  readonly headers: { readonly [name: string]: unknown }
  readonly body: { readonly [key: string]: unknown }
}

export interface Wire {
  readonly url: string
  readonly seen: readonly Asked[]
  close(): Promise<unknown>
}

/** A server on the loopback interface that answers each request with what it is given. */
export async function answering(
  answer: (asked: Asked) => { readonly body: unknown; readonly status?: number },
): Promise<Wire> {
  const seen: Asked[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      const asked = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text || '{}') as Asked['body'],
      }
      seen.push(asked)
      const { body, status = 200 } = answer(asked)
      response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'r1' })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
