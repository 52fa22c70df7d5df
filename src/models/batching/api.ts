import { lineBatches } from '../../core/index.ts'
import { httpFailure, thrownFailure } from '../failures.ts'
import { type Endpoint, type HeaderMap, MAX_BODY, openBody, send, urlOf } from '../http.ts'
import { type Failure, failure } from '../model.ts'
import type { EndedState, IsOurs, Submission } from './batching.ts'

/** The status of a batch that ended, and the files with its results. */
export interface Output {
  readonly status: string
  readonly files: readonly string[]
}

/** The current output of a batch, or if that is refused the one known from an earlier request. */
export async function orKnown<T extends Output>(
  current: Promise<T>,
  signal: AbortSignal,
  known: EndedState | undefined,
): Promise<T | Output> {
  try {
    return await current
  } catch (error) {
    const { status = '', files = [] } = known ?? {}
    if (files.length === 0 || signal.aborted) throw error
    return { status, files }
  }
}

/** A failed request about a batch. */
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

/** The failure for an error thrown by a request about a batch. */
export const apiFailure = (error: unknown): Failure => (isApiError(error) ? error.failure : thrownFailure(error))

/**
 * Sends a batch off in two steps. Total.
 *
 * @param prepare - costs nothing until a batch is made of it, such as the upload of a file.
 * @param isOurs - asked right before a batch is made.
 * @param make - makes the batch, and returns its name there.
 */
export async function submitBatch<T>(
  prepare: () => Promise<T>,
  isOurs: IsOurs,
  make: (prepared: T) => Promise<string>,
): Promise<Submission> {
  let prepared: T
  try {
    prepared = await prepare()
  } catch (error) {
    return { kind: 'refused', failure: apiFailure(error) }
  }
  try {
    if (!(await isOurs())) return NOT_OURS
    return { kind: 'submitted', remote: await make(prepared) }
  } catch (error) {
    return unmade(error)
  }
}

/**
 * A batch that was not confirmed. A busy server (429, 5xx) may have made it all the same: then it is searched for before it is sent again.
 */
function unmade(error: unknown): Submission {
  const why = apiFailure(error)
  const busy = why.http !== null && (why.http >= 500 || (why.http === 429 && why.code !== 'quota'))
  return { kind: why.free && !busy ? 'refused' : 'unclear', failure: why }
}

/** Nothing was sent: another process has this batch. */
const NOT_OURS: Submission = {
  kind: 'unclear',
  failure: failure('aborted', 'another worker has taken this batch over', 'never'),
}

/** The largest response about batches that is read, in bytes: a page of a list. */
const MAX_PAGE = 16 * 1024 * 1024
/** Timeouts of a request and of an upload, in ms. */
const PATIENCE_MS = 120_000
const UPLOAD_MS = 1_800_000

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
  api: Endpoint,
  { path, query, headers, body, signal }: ApiCall,
): Promise<{ readonly value: unknown; readonly headers: HeaderMap }> {
  const response = await send({
    url: urlOf(api, path, query),
    headers: {
      ...api.headers,
      ...(typeof body === 'object' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    maxBytes: MAX_PAGE,
    signal: AbortSignal.any([signal, AbortSignal.timeout(body === undefined ? PATIENCE_MS : UPLOAD_MS)]),
  })
  const { status, body: text } = response
  if (status < 200 || status > 299) throw new ApiError(httpFailure(status, text, response.headers))
  if (text.trim() === '') return { value: {}, headers: response.headers }
  try {
    return { value: JSON.parse(text) as unknown, headers: response.headers }
  } catch {
    throw new ApiError(badBody(`the answer of ${path} is not JSON: ${text.slice(0, 200)}`))
  }
}

/** A line of a downloaded file; a line that is too long or not JSON has no value. */
export interface FileLine {
  /** From 1. */
  readonly number: number
  readonly value?: unknown
}

/** The lines of a file of the provider, in pages. */
export async function* jsonLines(api: Endpoint, call: ApiCall): AsyncGenerator<readonly FileLine[]> {
  const pieces = await openBody(
    urlOf(api, call.path, call.query).href,
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

export const badBody = (message: string): Failure => failure('bad-body', message, 'again')

/** The provider's name of a batch or file, safe as a part of an address. @throws ApiError if it is not */
export function remoteName(value: unknown, pattern = /^\w[\w.-]{0,199}$/u): string {
  if (typeof value === 'string' && pattern.test(value)) return value
  throw new ApiError(badBody(`the server names a batch or a file ${JSON.stringify(value)?.slice(0, 100)}`))
}
