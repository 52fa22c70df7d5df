import { wordsOf } from './error-body.ts'
import { type HeaderMap, isTransportError } from './http.ts'
import { type Allowance, type Failure, failure } from './model.ts'

/** The id that a provider gave a request. */
export const requestIdOf = (headers: HeaderMap): string | null =>
  headers['x-request-id'] ?? headers['request-id'] ?? null

/**
 * How long a provider asks to wait, in ms: `retry-after-ms`, `retry-after` in seconds or as a date. A date is read
 * against the response's own `date`, so that a wrong local clock does no harm. null: absent or invalid.
 */
export function retryAfterMs(headers: HeaderMap, now = Date.now()): number | null {
  const ms = longest(headers['retry-after-ms'])
  if (ms !== null) return ms
  const after = headers['retry-after']
  const seconds = longest(after)
  if (seconds !== null) return seconds * 1000
  if (after === undefined || /^[-\d\s.,]*$/u.test(after)) return null
  const at = Date.parse(after)
  if (Number.isNaN(at)) return null
  const sent = Date.parse(headers['date'] ?? '')
  return Math.max(0, at - (Number.isNaN(sent) ? now : sent))
}

/** The largest number in a header: two servers on the way may each have written one. null: none, or a negative one. */
function longest(header: string | undefined): number | null {
  const numbers = (header ?? '').split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  return numbers.every((number) => Number.isFinite(number) && number >= 0) ? Math.max(...numbers) : null
}

/** The wait in a body: Google's `RetryInfo`, or the words "retry after 26 seconds", "try again in 7m12s", "resets in 1 hour". */
function retryDelayMs(body: string): number | null {
  const [, stated, named, unit = 's'] =
    /"retryDelay"\s{0,9}:\s{0,9}"([\d.]{1,20}s)"|\b(?:retry after|(?:re)?try(?: again)? in|resets in) (\d[\dhms.]{0,20})(?: ([hm])(?:ou|in))?/iu.exec(
      body,
    ) ?? []
  const ms = durationMs(stated ?? named?.replace(/\.$/u, '') ?? '')
  return ms === null ? null : ms * (unit === 'h' ? 3600 : unit === 'm' ? 60 : 1)
}

/** A provider that asks for a longer wait, in ms, counts as a failure: runs do not wait for days. */
export const MAX_WAIT_MS = 3_600_000

/** The server is overloaded and did not start the request. */
const overloaded = (status: number): boolean => status === 503 || status === 529

/** Refused before any work. Timeouts (408), conflicts (409) and closed requests (499) come after some, as 500, 502 and 504 may. */
const beforeWork = (status: number): boolean =>
  overloaded(status) || (status >= 400 && status < 500 && ![408, 409, 425, 499].includes(status))

/** A refusal that reports usage came after some work. */
const saysUsage = (body: string): boolean => /"usage\w{0,20}"\s{0,9}:\s{0,9}\{/iu.test(body)

/** The beginning of a body, for a message. */
export const bodyStart = (body: string): string => body.trim().slice(0, 1000) || '(no body)'

/** Redirects are not followed, since keys would travel along. The message names the target instead. */
const elsewhere = (status: number, { location }: HeaderMap): string =>
  status >= 300 && status < 400 && location !== undefined
    ? `; it leads to ${location.slice(0, 300)}: if that is the server that you mean, give it as the base URL`
    : ''

/** Servers differ in the field that holds the maximum. */
function otherMaximum(status: number, words: string): string {
  if (status !== 400 && status !== 422) return ''
  const isRefused =
    /max_(?:completion_)?tokens\b(?=.{0,60}(?:not supported|unsupported|not permitted|unrecogni|unknown|extra))|(?:unsupported|unrecogni[sz]ed|unknown|unexpected|extra).{0,80}?max_(?:completion_)?tokens\b/isu.exec(
      words,
    )?.[0]
  if (isRefused === undefined) return ''
  const other = /max_completion_tokens\b/u.test(isRefused) ? 'max_tokens' : 'max_completion_tokens'
  return `; to send it as ${other}: --set-model maxTokensField=${other}`
}

/** The failure of a call by its HTTP status, with the provider's own words. */
export function httpFailure(status: number, body: string, headers: HeaderMap): Failure {
  const waitMs = retryAfterMs(headers) ?? retryDelayMs(body)
  const more = { http: status, waitMs, requestId: requestIdOf(headers), free: beforeWork(status) && !saysUsage(body) }
  const words = bodyStart(wordsOf(body))
  const text = `HTTP ${status}: ${words}${elsewhere(status, headers)}${otherMaximum(status, words)}`
  if (waitMs !== null && waitMs > MAX_WAIT_MS)
    return failure(
      'long-wait',
      `the server asks to wait ${Math.round(waitMs / 60_000)} minutes, and no call waits for more than ${MAX_WAIT_MS / 60_000}; ${text}`,
      'never',
      { ...more, waitMs: null },
    )
  // An empty account answers 429 or 400 too; waiting does not help.
  if (status === 429 && /insufficient_quota|billing_hard_limit|credit balance/iu.test(body))
    return failure('quota', text, 'never', more)
  if (status === 400 && /"Your credit balance is too low/u.test(body)) return failure('quota', text, 'never', more)
  if (status === 429) return failure('rate-limited', text, 'slow-down', more)
  if (overloaded(status)) return failure(`http-${status}`, text, 'slow-down', more)
  if (status === 408 || status === 409 || status === 425 || status >= 500)
    return failure(`http-${status}`, text, 'again', more)
  return failure(`http-${status}`, text, 'never', more)
}

/** The failure for an error thrown on the way to a provider. An unknown error counts as an unreadable body. */
export function thrownFailure(error: unknown): Failure {
  const seen = new Set<unknown>()
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at)
    // A body that is too large is paid for, and would be as large again.
    if (isTransportError(at))
      return failure(at.code, at.message, at.code === 'aborted' || at.code === 'too-large' ? 'never' : 'again', {
        free: at.code === 'connect',
      })
    if (at.name === 'TimeoutError') return failure('timeout', 'no complete response within the time limit', 'again')
    if (at.name === 'AbortError') return failure('aborted', 'the call was aborted', 'never')
  }
  return failure('bad-body', error instanceof Error ? `${error.name}: ${error.message}` : String(error), 'again')
}

/** Durations as providers write them: `20ms`, `6s`, `1m30s`, `1h2m`, or plain seconds. */
function durationMs(text: string): number | null {
  const plain = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(plain)) return plain * 1000
  const match =
    /^(?:(\d{1,6})h)?(?:(\d{1,6})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9}(?:\.\d{1,9})?)ms)?$/u.exec(text)
  if (match === null || text === '') return null
  const [, h = '0', m = '0', s = '0', ms = '0'] = match
  return Number(h) * 3_600_000 + Number(m) * 60_000 + Number(s) * 1000 + Number(ms)
}

/**
 * What is left of a rate limit by the headers of OpenAI and its kin (`x-ratelimit-remaining-requests`,
 * `x-ratelimit-reset-requests` as a duration) or Anthropic (`anthropic-ratelimit-requests-remaining`, `-reset` as a
 * date). null: absent or invalid.
 */
export function allowanceOf(headers: HeaderMap, now = Date.now()): Allowance | null {
  const left = headers['x-ratelimit-remaining-requests'] ?? headers['anthropic-ratelimit-requests-remaining']
  const requests = left === undefined || left === '' ? Number.NaN : Number(left)
  if (!Number.isFinite(requests) || requests < 0) return null
  const date = headers['anthropic-ratelimit-requests-reset']
  if (date !== undefined) {
    const at = Date.parse(date)
    const sent = Date.parse(headers['date'] ?? '')
    const resetMs = at - (Number.isNaN(sent) ? now : sent)
    return Number.isNaN(at) ? null : { requests, resetMs: Math.max(0, resetMs) }
  }
  const resetMs = durationMs(headers['x-ratelimit-reset-requests'] ?? '')
  return resetMs === null || resetMs < 0 ? null : { requests, resetMs }
}
