import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { chatBody } from './bodies.ts'
import { type Behaviour, behaviourOf, type Mix } from './faults.ts'

export interface MockOptions {
  readonly port?: number
  /** Ms before each answer. */
  readonly latency?: number
  readonly mix?: Mix
  readonly seed?: string
  /** The right answer to a prompt; left out: `Yes`. */
  readonly answer?: (prompt: string) => string
  /** Overrides the mix where it returns a behaviour. */
  readonly behave?: (request: {
    readonly id: string
    readonly number: number
    readonly body: ChatBody
  }) => Behaviour | undefined
  /** What rate-limit-after asks for, in seconds. */
  readonly retryAfter?: number
  /** Keep no books: for measuring. */
  readonly bookless?: boolean
}

export interface ChatBody {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly [key: string]: unknown
}

/** One request as the server saw it; `answered`: a whole usable response left the server. */
export interface Entry {
  readonly id: string
  readonly behaviour: Behaviour
  readonly authorization: string | null
  answered: boolean
}

export interface Mock {
  readonly url: string
  /** What it saw, in order. */
  readonly books: readonly Entry[]
  readonly requests: number
  /** Most requests that were open at once. */
  readonly mostOpen: number
  close(): Promise<void>
}

/** A loopback server that speaks OpenAI's chat completions and answers well, badly or not at all. */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const books: Entry[] = []
  let requests = 0
  let open = 0
  let mostOpen = 0
  const server: Server = createServer((request, response) => {
    open++
    mostOpen = Math.max(mostOpen, open)
    response.on('close', () => {
      open--
    })
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    request.on('end', () => {
      if (request.url === '/books') {
        json(response, 200, { books, requests, mostOpen })
        return
      }
      // A client that was killed may leave half a request.
      if (!request.complete || text === '') return void response.destroy()
      const body = JSON.parse(text) as ChatBody
      const number = requests++
      const id = String(request.headers['x-client-request-id'] ?? number)
      const behaviour =
        options.behave?.({ id, number, body }) ?? behaviourOf(options.mix ?? {}, options.seed ?? '0', id)
      const entry: Entry = { id, behaviour, authorization: request.headers.authorization ?? null, answered: false }
      if (options.bookless !== true) books.push(entry)
      const reply = (): void => perform(request, response, entry, body, options)
      if ((options.latency ?? 0) > 0) setTimeout(reply, options.latency)
      else reply()
    })
    request.on('error', () => undefined)
  })
  server.keepAliveTimeout = 60_000
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', 1024, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    books,
    get requests() {
      return requests
    },
    get mostOpen() {
      return mostOpen
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const json = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: { [name: string]: string } = {},
): void => {
  const text = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}

/** What every whole answer really uses. */
export const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 3,
  total_tokens: 23,
  completion_tokens_details: { reasoning_tokens: 1 },
} as const

/** What a server uses that does not keep to maxTokens. */
export const OVERRUN = { prompt_tokens: 20, completion_tokens: 50_000, total_tokens: 50_020 } as const

const HUGE = 10 * 1024 * 1024

function perform(
  request: IncomingMessage,
  response: ServerResponse,
  entry: Entry,
  body: ChatBody,
  options: MockOptions,
): void {
  const right = options.answer?.(body.messages.at(-1)?.content ?? '') ?? 'Yes'
  const say = (text: string, finish = 'stop', more: object = {}, usage: object | null = USAGE): void => {
    entry.answered = true
    json(response, 200, chatBody({ id: `chatcmpl-${entry.id}`, model: body.model, text, finish, usage, more }), {
      'x-request-id': `req-${entry.id}`,
    })
  }
  switch (entry.behaviour) {
    case 'right':
      say(right)
      return
    case 'wrong':
      say(right === 'Yes' ? 'No' : 'Yes')
      return
    case 'unparsable':
      say('I would rather talk about the weather.')
      return
    case 'truncated':
      say('Let me think about', 'length')
      return
    case 'refused':
      say('', 'stop', { refusal: 'I cannot help with that.' })
      return
    case 'slow':
      setTimeout(() => say(right), 300)
      return
    case 'rate-limit':
      json(response, 429, { error: { message: 'slow down', type: 'rate_limit' } })
      return
    case 'rate-limit-after':
      json(response, 429, { error: { message: 'slow down' } }, { 'retry-after': String(options.retryAfter ?? 0.02) })
      return
    case 'error-401':
      json(response, 401, { error: { message: 'no such key' } })
      return
    case 'evil-400':
      json(response, 400, { error: { message: '\u001b]0;owned\u009b31m\u202e' } })
      return
    case 'error-500':
      json(response, 500, { error: { message: 'oops' } })
      return
    case 'cut':
      request.socket.destroy()
      return
    case 'cut-body':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"id":"x","choices":[', () => request.socket.destroy())
      return
    case 'silent':
      return
    case 'bad-json':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"id":"x","choices":[{"message":')
      return
    case 'wrong-json':
      json(response, 200, { hello: 'world' })
      return
    case 'usage-text':
      say(right, 'stop', {}, { prompt_tokens: '20', completion_tokens: '3', total_tokens: '23' })
      return
    case 'usage-negative':
      say(right, 'stop', {}, { prompt_tokens: -1_000_000_000, completion_tokens: 3, total_tokens: 3 })
      return
    case 'usage-fraction':
      say(right, 'stop', {}, { prompt_tokens: 20, completion_tokens: 2.5, total_tokens: 22.5 })
      return
    case 'usage-absurd':
      say(right, 'stop', {}, { prompt_tokens: 20, completion_tokens: Number.MAX_SAFE_INTEGER, total_tokens: 23 })
      return
    case 'usage-none':
      say(right, 'stop', {}, null)
      return
    case 'usage-above':
      say(right, 'stop', {}, { prompt_tokens: 20, completion_tokens: 150, total_tokens: 170 })
      return
    case 'overrun':
      say(right, 'stop', {}, OVERRUN)
      return
    case 'overrun-unread':
      json(response, 200, { hello: 'world', usage: OVERRUN })
      return
    case 'usage-400':
      json(response, 400, { error: { message: 'too long, we noticed afterwards' }, usage: USAGE })
      return
    case 'streamed':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: right } }] })}\n\n`)
      response.write(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: USAGE })}\n\n`)
      response.end('data: [DONE]\n\n')
      return
    case 'odd-json':
      json(response, 200, { ...chatBody({ text: right, usage: USAGE }), created: 'today' })
      return
    case 'huge':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(HUGE) })
      response.end(Buffer.alloc(HUGE, 0x20))
      return
    case 'huge-chunked':
      response.writeHead(200, { 'content-type': 'application/json' })
      for (let i = 0; i < HUGE; i += 65536) response.write(Buffer.alloc(65536, 0x20))
      response.end()
  }
}
