import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream'
import { brotliDecompress, createBrotliDecompress, createGunzip, createInflate, gunzip, inflate } from 'node:zlib'
import { withPlainCounts } from './usage.ts'

/** The largest body of a chat's answer that is read, packed or unpacked. Longer ones are hostile or broken. */
export const MAX_BODY = 4 * 1024 * 1024

/** The same of log-probabilities: those of a batch of long prompts take megabytes. */
export const MAX_SCORES = 64 * 1024 * 1024

/** Thrown by the transport. `code` goes into the ledger. */
export class TransportError extends Error {
  readonly kind = 'transport'
  override readonly name = 'TransportError'
  readonly code: 'too-large' | 'cut' | 'connect' | 'aborted' | 'bad-body'

  constructor(code: TransportError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const isTransportError = (error: unknown): error is TransportError =>
  error instanceof Error && 'kind' in error && error.kind === 'transport'

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']

/** Node goes past a proxy that is named without a scheme, as curl takes it (`proxy.example.org:3128`), and says nothing. */
export function proxiesOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const bare = PROXIES.filter((name) => env[name] !== undefined && /^[^/]+$/u.test(env[name]))
  return { ...env, ...Object.fromEntries(bare.map((name) => [name, `http://${env[name]}`])) }
}

const options = { keepAlive: true, scheduling: 'lifo', proxyEnv: proxiesOf(process.env) } as const
const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }

/** How much of a body that could not be read is kept, in bytes. */
const KEPT = 1024 * 1024

/** What came back for one call, for whoever holds its signal: an answer that is paid for must not vanish unread. */
export interface Received {
  status: number | null
  body: string | null
}

const watched = new WeakMap<AbortSignal, Received>()

/** What the calls made with `signal` bring, as it comes: at most the first {@link KEPT} bytes of the latest body. */
export function received(signal: AbortSignal): Received {
  const seen = { status: null, body: null }
  watched.set(signal, seen)
  return seen
}

function note(signal: AbortSignal | undefined, status: number | undefined, bytes: Uint8Array): void {
  const seen = signal === undefined ? undefined : watched.get(signal)
  if (seen === undefined) return
  seen.status = status ?? null
  seen.body = new TextDecoder().decode(bytes.subarray(0, KEPT))
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/**
 * `fetch` for POSTs of JSON, on `node:http`: it reads at most `largest` bytes of body, has no time limit of its own
 * (the global one gives up on a silent server after five minutes, too early for reasoning models) and costs less.
 * Redirects are not followed: keys would travel with them.
 */
export const transportUpTo =
  (largest: number): Fetch =>
  (input, init = {}) =>
    send(input, init, largest)

/** The same for chats, each request with a query besides its own. */
export const transportWith =
  (query: URLSearchParams | null): Fetch =>
  (input, init = {}) => {
    const url = new URL(typeof input === 'object' && 'url' in input ? input.url : input)
    for (const [key, value] of query ?? []) url.searchParams.append(key, value)
    return send(url, init, MAX_BODY)
  }

/** What stands in for a server. */
type Answering = (body: string) => { readonly status: number; readonly body: string }

const diverted = new WeakMap<AbortSignal, Answering>()

/** Calls made with `signal` are answered by `answer`, and nothing is sent. */
export function divert(signal: AbortSignal, answer: Answering): void {
  diverted.set(signal, answer)
}

/**
 * The body of a GET in pieces of text, however long it is up to {@link MAX_FILE}. A redirect is followed, as to where files are
 * kept; to another server no header goes along, and with them no key.
 *
 * @param refuse - the error for any status but 200, from the beginning of its body.
 */
export async function openBody(
  address: string,
  headers: { readonly [name: string]: string },
  signal: AbortSignal,
  refuse: (status: number, body: string) => Error,
): Promise<AsyncIterable<string>> {
  let at = new URL(address)
  let sent = headers
  for (let hops = 0; ; hops++) {
    const message = await opened(at, sent, signal)
    const next = hops < MAX_HOPS ? redirected(message, at) : null
    if (next === null) {
      if (message.statusCode === 200) return textOf(message)
      throw refuse(message.statusCode ?? 0, await beginningOf(textOf(message)))
    }
    message.destroy()
    if (next.origin !== at.origin) sent = {}
    at = next
  }
}

/** Redirects of one file that are followed. */
const MAX_HOPS = 3

/** Where an answer sends whoever asked; null: nowhere, or from a connection that is kept secret to one that is not. */
function redirected({ statusCode, headers: { location } }: IncomingMessage, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0)) return null
  const to = URL.parse(location ?? '', from.href)
  return to !== null && location !== undefined && ['https:', from.protocol].includes(to.protocol) ? to : null
}

function opened(url: URL, headers: { readonly [name: string]: string }, signal: AbortSignal): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const begin = secure ? httpsRequest : httpRequest
    const request = begin(url, { headers, signal, agent: secure ? agents['https:'] : agents['http:'] })
    request.on('error', (error) =>
      reject(
        signal.aborted
          ? aborted(signal)
          : new TransportError(unsent(request, error) ? 'connect' : 'cut', describe(error)),
      ),
    )
    request.on('response', resolve)
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error(`silent for ${SILENCE_MS / 1000} s`)))
    request.end()
  })
}

/** A download in which nothing comes for so long is cut. */
const SILENCE_MS = 120_000

/** The largest file that is read, in bytes. Longer ones never end. */
const MAX_FILE = 4 * 1024 ** 3

async function* textOf(message: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const unpacking = UNPACKING.get(message.headers['content-encoding']?.toLowerCase() ?? '')
  let size = 0
  try {
    const plain = unpacking === undefined ? message : pipeline(message, unpacking(), () => undefined)
    for await (const piece of plain as AsyncIterable<Uint8Array>) {
      size += piece.length
      if (size > MAX_FILE) throw tooLarge(`more than ${MAX_FILE} bytes`)
      yield decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    if (isTransportError(error)) throw error
    throw new TransportError('cut', describe(error as NodeJS.ErrnoException), { cause: error })
  }
  yield decoder.decode()
}

async function beginningOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > KEPT) break
  }
  return text
}

async function send(input: string | URL | Request, init: RequestInit, largest: number): Promise<Response> {
  const instead = init.signal == null ? undefined : diverted.get(init.signal)
  if (instead !== undefined) {
    const { status, body } = instead(typeof init.body === 'string' ? init.body : '')
    note(init.signal ?? undefined, status, new TextEncoder().encode(body))
    return new Response((status === 200 ? withPlainCounts(body) : null) ?? body, {
      status,
      headers: { 'content-type': 'application/json' },
    })
  }
  const url = new URL(typeof input === 'object' && 'url' in input ? input.url : input)
  const secure = url.protocol === 'https:'
  if (!secure && url.protocol !== 'http:')
    throw new TransportError('connect', `a base URL begins with http:// or https://, got ${url.protocol}//`)
  const headers = Object.fromEntries(new Headers(init.headers ?? {}))
  headers['accept-encoding'] ??= 'gzip, deflate, br'
  const body = typeof init.body === 'string' ? Buffer.from(init.body, 'utf8') : null
  if (init.body !== undefined && init.body !== null && body === null)
    throw new TypeError('the transport sends text bodies only')
  if (body !== null) headers['content-length'] = String(body.length)
  const signal = init.signal ?? undefined
  const { message, bytes } = await exchange(url, secure, init.method ?? 'GET', headers, body, largest, signal)
  const status = message.statusCode ?? 0
  const counted = status === 200 && largest === MAX_BODY ? withPlainCounts(new TextDecoder().decode(bytes)) : null
  return new Response([204, 205, 304].includes(status) ? null : (counted ?? bytes), {
    status,
    statusText: message.statusMessage ?? '',
    headers: responseHeaders(message),
  })
}

interface Exchanged {
  readonly message: IncomingMessage
  /** The body, unpacked. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

function exchange(
  url: URL,
  secure: boolean,
  method: string,
  headers: { readonly [name: string]: string },
  body: Uint8Array | null,
  largest: number,
  signal: AbortSignal | undefined,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(aborted(signal))
      return
    }
    const begin = secure ? httpsRequest : httpRequest
    const agent = secure ? agents['https:'] : agents['http:']
    const request = begin(url, { method, headers, agent })
    let done = false
    const finish = (settle: () => void): void => {
      if (done) return
      done = true
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const fail = (error: unknown): void => {
      finish(() => reject(error))
      request.destroy()
    }
    const onAbort = (): void =>
      fail(
        timedOut(signal) && unsent(request)
          ? new TransportError('connect', `no connection to ${url.host} within the time limit`)
          : aborted(signal as AbortSignal),
      )
    signal?.addEventListener('abort', onAbort, { once: true })
    request.on('error', (error) =>
      fail(new TransportError(unsent(request, error) ? 'connect' : 'cut', describe(error), { cause: error })),
    )
    request.on('response', (message) => {
      const pieces: Uint8Array[] = []
      let size = 0
      message.on('data', (piece: Uint8Array) => {
        size += piece.length
        if (size <= largest) pieces.push(piece)
        else {
          noteRaw()
          fail(tooLarge(`more than ${largest} bytes`))
        }
      })
      const noteRaw = (): void => {
        if (message.headers['content-encoding'] === undefined) note(signal, message.statusCode, joined(pieces))
      }
      // The call can be aborted until its body is unpacked.
      message.on('end', () => {
        unpack(joined(pieces), message.headers['content-encoding'], largest).then((bytes) => {
          note(signal, message.statusCode, bytes)
          finish(() => resolve({ message, bytes }))
        }, fail)
      })
      message.on('error', (error) => fail(new TransportError('cut', describe(error), { cause: error })))
      message.on('aborted', () => {
        noteRaw()
        fail(new TransportError('cut', 'the connection was cut in the middle of the body'))
      })
    })
    request.end(body ?? undefined)
  })
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces))

const tooLarge = (what: string): TransportError =>
  new TransportError('too-large', `the body of the response has ${what}; it was not read`)

const aborted = (signal: AbortSignal): TransportError | DOMException =>
  signal.reason instanceof DOMException ? signal.reason : new TransportError('aborted', 'the call was aborted')

const timedOut = (signal: AbortSignal | undefined): boolean =>
  (signal?.reason as Error | undefined)?.name === 'TimeoutError'

/** A request goes out when its connection stands: name, proxy, handshake and certificate come before. */
function unsent({ socket }: ClientRequest, error?: NodeJS.ErrnoException): boolean {
  if (socket === null || socket.connecting || error?.syscall === 'connect') return true
  return 'secureConnecting' in socket && socket.secureConnecting === true
}

const describe = (error: NodeJS.ErrnoException): string => error.message || error.code || 'the connection failed'

function responseHeaders(message: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (name === 'content-encoding' || name === 'content-length') continue
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}

type Unpack = (
  bytes: Uint8Array,
  options: { readonly maxOutputLength: number },
  done: (error: NodeJS.ErrnoException | null, result: Uint8Array) => void,
) => void

const UNPACK: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
])

/** The same in pieces: nobody asked for a packed file, and some are kept so. */
const UNPACKING = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/** Unpacks with a limit on the unpacked size: a small body can hold gigabytes. */
function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: string | undefined,
  largest: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const how = UNPACK.get(encoding?.toLowerCase() ?? '')
  if (how === undefined) return Promise.resolve(bytes)
  return new Promise((resolve, reject) => {
    how(bytes, { maxOutputLength: largest }, (error, result) => {
      if (error === null) resolve(new Uint8Array(result))
      else if (error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge('too many bytes when unpacked'))
      else reject(new TransportError('bad-body', `the body is not ${encoding}: ${error.message}`, { cause: error }))
    })
  })
}
