import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'

/** The largest body of a chat's response that is read, in bytes, packed or unpacked. Larger ones are hostile or broken. */
export const MAX_BODY = 4 * 1024 * 1024

/** The same for log-probabilities: those of a batch of long prompts take megabytes. */
export const MAX_SCORES = 64 * 1024 * 1024

/** The largest file that is downloaded, in bytes. Larger ones never end. */
const MAX_FILE = 4 * 1024 ** 3

/** Redirects of a file that are followed. */
const MAX_REDIRECTS = 3

/** A download is aborted after this silence, in ms. */
const SILENCE_MS = 120_000

/** The part of an unreadable body that is kept, in characters. */
const MAX_KEPT = 1024 * 1024
export const keptPart = (body: string): string => body.slice(0, MAX_KEPT)

/** Headers by lower-case name. */
export type HeaderMap = { readonly [name: string]: string | undefined }

export interface HttpRequest {
  readonly url: URL | string
  readonly method?: 'GET' | 'POST'
  readonly headers: { readonly [name: string]: string }
  readonly body?: string | null
  /** The largest body of the response, unpacked. */
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderMap
  /** Unpacked. */
  readonly body: string
}

/** One server: every request goes to a path below its base URL, with its query and its headers. */
export interface Endpoint {
  /** Without a slash at the end. */
  readonly base: string
  readonly query: URLSearchParams | null
  readonly headers: { readonly [name: string]: string }
}

/** An address on a server: a path below its base URL, or a whole address of it. */
export function urlOf(
  { base, query }: Omit<Endpoint, 'headers'>,
  path: string,
  more: { readonly [name: string]: string } = {},
): URL {
  const url = new URL(/^https?:/u.test(path) ? path : `${base}${path}`)
  for (const [key, value] of [...(query ?? []), ...Object.entries(more)]) url.searchParams.append(key, value)
  return url
}

/** Why no whole response came. `code` is stored in the ledger; `connect`: nothing was sent. */
export class TransportError extends Error {
  readonly kind = 'transport'
  override readonly name = 'TransportError'
  readonly code: 'too-large' | 'cut' | 'connect' | 'aborted' | 'bad-body'
  /** What came before, of a response that is paid for. */
  readonly received: Pick<HttpResponse, 'status' | 'body'> | null

  constructor(
    code: TransportError['code'],
    message: string,
    { received = null, ...options }: ErrorOptions & { readonly received?: TransportError['received'] } = {},
  ) {
    super(message, options)
    this.code = code
    this.received = received
  }
}

export const isTransportError = (error: unknown): error is TransportError =>
  error instanceof Error && 'kind' in error && error.kind === 'transport'

/** The proxies of an environment. Those without a scheme, as curl takes them (`proxy.example.org:3128`), are proxies of HTTP. */
export function proxiesOf(env: NodeJS.ProcessEnv): { readonly httpProxy?: string; readonly httpsProxy?: string } {
  const proxy = (name: string): string | undefined => {
    const given = env[name] || env[name.toUpperCase()]
    return given !== undefined && /^[^/]+$/u.test(given) ? `http://${given}` : given
  }
  const [httpProxy, httpsProxy] = [proxy('http_proxy'), proxy('https_proxy')]
  return { ...(httpProxy ? { httpProxy } : {}), ...(httpsProxy ? { httpsProxy } : {}) }
}

/** One request. `sent`: it was put on an open connection; name, proxy, handshake and certificate come before. */
interface Sending {
  sent: boolean
}

/** The one client of this process. It is loaded with the first request, and has no time limit: that is the caller's. */
let client: Promise<Pick<Dispatcher, 'request'>> | undefined

async function openClient(): Promise<Pick<Dispatcher, 'request'>> {
  const { EnvHttpProxyAgent } = await import('undici')
  const agent = new EnvHttpProxyAgent({
    ...proxiesOf(process.env),
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 0 },
    allowH2: false,
  })
  return agent.compose((dispatch) => (options, handler) => {
    const { opaque } = options as { readonly opaque?: Sending }
    return dispatch(options, {
      // Called when the request is put on a connection that stands.
      onRequestStart(...start) {
        if (opaque !== undefined) opaque.sent = true
        handler.onRequestStart?.(...start)
      },
      onResponseStart: (...response) => handler.onResponseStart?.(...response),
      onResponseData: (...piece) => handler.onResponseData?.(...piece),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    })
  })
}

/** Opens a response. @throws TransportError, and what the signal was aborted with */
async function open(
  { url, method, headers, body = null, signal }: Omit<HttpRequest, 'maxBytes'>,
  more: Pick<Dispatcher.DispatchOptions, 'headersTimeout' | 'bodyTimeout'> = {},
): Promise<Dispatcher.ResponseData<unknown>> {
  const { protocol, username, password, origin, host, pathname, search } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new TransportError('connect', `a base URL begins with http:// or https://, got ${protocol}//`)
  if (isAborted(signal)) throw abortOf(signal)
  client ??= openClient()
  const sending: Sending = { sent: false }
  const opened = (await client).request({
    origin,
    path: pathname + search,
    method: method ?? (body === null ? 'GET' : 'POST'),
    headers: {
      'user-agent': 'touchstone',
      'accept-encoding': 'gzip, deflate, br',
      ...(username === '' ? {} : { authorization: basicAuth(username, password) }),
      ...headers,
    },
    body,
    ...more,
    ...(signal === undefined ? {} : { signal }),
    opaque: sending,
  })
  try {
    return await untilAborted(opened, signal)
  } catch (error) {
    if (!isAborted(signal))
      throw new TransportError(sending.sent ? 'cut' : 'connect', messageOf(error), { cause: error })
    if (!sending.sent && (signal?.reason as Error | undefined)?.name === 'TimeoutError')
      throw new TransportError('connect', `no connection to ${host} within the time limit`)
    throw abortOf(signal)
  }
}

/** The header for a user and password in a base URL. */
const basicAuth = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`

/** The client reacts to an abort only once the connection is open. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
    work.catch(() => undefined)
  }
}

const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

const abortOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof DOMException ? signal.reason : new TransportError('aborted', 'the call was aborted')

/** Also of an AggregateError, which has no message where a name has several addresses. */
const messageOf = (error: unknown): string => {
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || 'the connection failed'
}

const UNPACKING = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

const encodingOf = (headers: HeaderMap): string => headers['content-encoding']?.toLowerCase() ?? ''

/** The pieces of a body, unpacked. An encoding that is not known is left as it is. */
async function* piecesOf(body: Readable, headers: HeaderMap, maxBytes: number): AsyncGenerator<Uint8Array> {
  const encoding = encodingOf(headers)
  const unpacking = UNPACKING.get(encoding)
  let size = 0
  try {
    const plain = unpacking === undefined ? body : pipeline(body, unpacking(), () => undefined)
    for await (const piece of plain as AsyncIterable<Uint8Array>) {
      size += piece.length
      // A small packed body can hold gigabytes.
      if (size > maxBytes)
        throw new TransportError(
          'too-large',
          `the body of the response has more than ${maxBytes} bytes; it was not read`,
        )
      yield piece
    }
  } catch (error) {
    if (isTransportError(error)) throw error
    const { code } = error as NodeJS.ErrnoException
    // A packed body that ends too early is one that was cut.
    if (unpacking !== undefined && code !== 'Z_BUF_ERROR' && /^(?:Z_|ERR_?_?BROTLI|ERR__)/u.test(code ?? ''))
      throw new TransportError('bad-body', `the body is not ${encoding}: ${messageOf(error)}`, { cause: error })
    throw new TransportError('cut', `the connection closed in the middle of the body: ${messageOf(error)}`, {
      cause: error,
    })
  } finally {
    body.destroy()
  }
}

function headersOf(response: Dispatcher.ResponseData<unknown>): HeaderMap {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

/** Sends a request and reads its response. Redirects are not followed: keys would travel with them. @throws TransportError */
export async function send({ maxBytes, ...request }: HttpRequest): Promise<HttpResponse> {
  const response = await open(request)
  const headers = headersOf(response)
  const pieces: Uint8Array[] = []
  const text = (): string => new TextDecoder().decode(Buffer.concat(pieces))
  try {
    for await (const piece of piecesOf(response.body, headers, maxBytes)) pieces.push(piece)
    return { status: response.statusCode, headers, body: text() }
  } catch (error) {
    if (isAborted(request.signal)) throw abortOf(request.signal)
    if (!isTransportError(error)) throw error
    const received = { status: response.statusCode, body: keptPart(text()) }
    throw new TransportError(error.code, error.message, { cause: error, received })
  }
}

/**
 * The body of a GET in pieces of text, up to {@link MAX_FILE}. Redirects are followed, since files may be kept elsewhere; another server gets no
 * header, and so no key.
 *
 * @param refuse - the error for any status but 200, from the beginning of its body.
 */
export async function openBody(
  address: string,
  headers: { readonly [name: string]: string },
  signal: AbortSignal,
  refuse: (status: number, body: string) => Error,
): Promise<AsyncIterable<string>> {
  let url = new URL(address)
  let sent = headers
  for (let hops = 0; ; hops++) {
    const response = await open({ url, headers: sent, signal }, { headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS })
    const next = hops < MAX_REDIRECTS ? redirectOf(response, url) : null
    if (next === null) {
      const pieces = textOf(piecesOf(response.body, headersOf(response), MAX_FILE))
      if (response.statusCode === 200) return pieces
      throw refuse(response.statusCode, await beginningOf(pieces))
    }
    response.body.on('error', () => undefined).destroy()
    if (next.origin !== url.origin) sent = {}
    url = next
  }
}

/** Where a response leads; null: nowhere, or from a secret connection to one that is not. */
function redirectOf({ statusCode, headers: { location } }: Dispatcher.ResponseData<unknown>, from: URL): URL | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || typeof location !== 'string') return null
  const to = URL.parse(location, from.href)
  return to !== null && ['https:', from.protocol].includes(to.protocol) ? to : null
}

async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of pieces) yield decoder.decode(piece, { stream: true })
  yield decoder.decode()
}

async function beginningOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) {
    text += piece
    if (text.length > MAX_KEPT) break
  }
  return text
}
