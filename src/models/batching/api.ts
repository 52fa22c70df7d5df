import { lineBatches } from '../../core/index.ts'
import { type HeaderMap, httpFailure, thrownFailure } from '../failures.ts'
import { type Failure, failure } from '../model.ts'
import { MAX_BODY, openBody, transportUpTo } from '../transport.ts'
import type { EndedState, Submission } from './batching.ts'

/** How a batch ended, and the files that hold its results. */
export interface Output {
  readonly status: string
  readonly files: readonly string[]
}

/** What a look shows, or what is known from an earlier one where it is refused. */
export async function orKnown<T extends Output>(
  look: Promise<T>,
  signal: AbortSignal,
  known: EndedState | undefined,
): Promise<T | Output> {
  try {
    return await look
  } catch (error) {
    const { status = '', files = [] } = known ?? {}
    if (files.length === 0 || signal.aborted) throw error
    return { status, files }
  }
}

/** A call about a batch that failed, with what may be done about it. */
export class ApiError extends Error {
  readonly kind = 'api'
  override readonly name = 'ApiError'
  readonly failure: Failure

  constructor(why: Failure) {
    super(why.message)
    this.failure = why
  }
}

const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && 'kind' in error && error.kind === 'api'

/** Why a call about a batch failed, whatever was thrown. */
export const apiFailure = (error: unknown): Failure => (isApiError(error) ? error.failure : thrownFailure(error))

/**
 * A batch that could not be made there. What costs nothing of a call may hide a batch all the same, where a server is too busy (429, 5xx)
 * to say that it was made: that is looked for before anything goes out again.
 */
export function unmade(error: unknown): Submission {
  const why = apiFailure(error)
  const busy = why.http !== null && (why.http >= 500 || (why.http === 429 && why.code !== 'quota'))
  return { kind: why.free && !busy ? 'refused' : 'unclear', failure: why }
}

/** One server as batches are managed there. */
export interface Api {
  /** Without a slash at the end. */
  readonly base: string
  readonly query: URLSearchParams | null
  readonly headers: { readonly [name: string]: string }
}

/** The largest answer about batches that is read, in bytes: a page of a list. */
const MAX_SIZE = 16 * 1024 * 1024
/** Ms until a call is given up; an upload takes longer. */
const PATIENCE_MS = 120_000
const UPLOAD_MS = 1_800_000

const fetchUpTo = transportUpTo(MAX_SIZE)

interface ApiCall {
  /** Below the base, or a whole address. */
  readonly path: string
  readonly query?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
  /** Sent as it is where it is a text, else as JSON. A body makes it a POST. */
  readonly body?: string | object
  readonly signal: AbortSignal
}

/** @throws ApiError for any status but success, and what the transport throws. */
export async function callApi(
  api: Api,
  call: ApiCall,
): Promise<{ readonly value: unknown; readonly headers: Headers }> {
  const { body, signal } = call
  const response = await fetchUpTo(addressOf(api, call), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...api.headers,
      ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(body === undefined ? PATIENCE_MS : UPLOAD_MS)]),
  })
  const text = await response.text()
  if (!response.ok)
    throw new ApiError(httpFailure(response.status, text, Object.fromEntries(response.headers) as HeaderMap))
  if (text.trim() === '') return { value: {}, headers: response.headers }
  try {
    return { value: JSON.parse(text) as unknown, headers: response.headers }
  } catch {
    throw new ApiError(badBody(`the answer of ${call.path} is not JSON: ${text.slice(0, 200)}`))
  }
}

/** A line of a file there; one that is too long, or no JSON, has no value. */
export interface FileLine {
  /** From 1. */
  readonly number: number
  readonly value?: unknown
}

/** The lines of a file there, in pages. */
export async function* jsonLines(api: Api, call: ApiCall): AsyncGenerator<readonly FileLine[]> {
  const pieces = await openBody(
    addressOf(api, call),
    { ...api.headers, ...call.headers },
    call.signal,
    (status, text) => new ApiError(httpFailure(status, text, {})),
  )
  for await (const lines of lineBatches(pieces, MAX_BODY))
    yield lines.flatMap(({ number, text, end }) => {
      if (end === 'limit') return { number }
      try {
        return text.trim() === '' ? [] : { number, value: JSON.parse(text) as unknown }
      } catch {
        return { number }
      }
    })
}

function addressOf(api: Api, { path, query = {} }: ApiCall): string {
  const url = new URL(/^https?:/u.test(path) ? path : `${api.base}${path}`)
  for (const [key, value] of [...(api.query ?? []), ...Object.entries(query)]) url.searchParams.append(key, value)
  return url.href
}

export const badBody = (message: string): Failure => failure('bad-body', message, 'again')

/** The name of a thing there, to be part of an address. @throws ApiError for what cannot be one. */
export function remoteName(value: unknown, pattern = /^[\w.-]{1,200}$/u): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw new ApiError(badBody(`the server names a batch or a file ${JSON.stringify(value)?.slice(0, 100)}`))
}
