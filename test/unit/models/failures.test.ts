import { describe, expect, it } from 'vitest'
import { allowanceOf, httpFailure, retryAfterMs, thrownFailure } from '../../../src/models/failures.ts'
import { TransportError } from '../../../src/models/http.ts'

it('says where a redirect leads, which is not followed', () => {
  const { message, retry } = httpFailure(301, '', { location: 'https://host/v1/chat/completions' })
  expect(message).toMatch(/^HTTP 301: \(no body\); it leads to https:\/\/host\/v1\/chat\/completions: .* base URL$/u)
  expect(retry).toBe('never')
})

describe('how long to wait', () => {
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
    // A clock that is a year off does no harm: the date is read against the response's own.
    [{ 'retry-after': 'Wed, 01 Jan 2020 00:00:30 GMT', date: 'Wed, 01 Jan 2020 00:00:10 GMT' }, 20_000],
    [{ 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT', date: 'Wed, 01 Jan 2020 00:00:10 GMT' }, 0],
    [{ 'retry-after': '-3' }, null],
    // Two servers on the way each wrote one; a list of numbers is no date.
    [{ 'retry-after': '5, 10' }, 10_000],
    [{ 'retry-after': '5, -10' }, null],
    [{ 'retry-after-ms': '', 'retry-after': '7' }, 7000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('%j is %s ms', (headers, ms) => {
    expect(retryAfterMs(headers)).toBe(ms)
  })
})

describe('what a refusal says', () => {
  it.each([
    [
      '{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}',
      'Incorrect API key (invalid_api_key)',
    ],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'Overloaded (overloaded_error)'],
    ['{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}', 'API key not valid.'],
    ['{"object":"error","message":"no model: m","type":"NotFoundError","code":404}', 'no model: m (NotFoundError)'],
    ['{"error":"template: unexpected EOF"}', 'template: unexpected EOF'],
    ['{"error":{"message":"a wrong_key","code":"wrong_key"}}', 'a wrong_key'],
    ['{"error":{"reason":7}}', '{"reason":7}'],
    ['{"detail":"Not Found"}', '{"detail":"Not Found"}'],
    ['<html>502 Bad Gateway</html>', '<html>502 Bad Gateway</html>'],
    ['{"error":{"message":', '{"error":{"message":'],
    ['null', 'null'],
    ['{"error":{"message":"a\\u0000b \\ud800"}}', 'a\\u{0}b \\u{d800}'],
    ['', '(no body)'],
  ])('%s in its own words', (body, words) => {
    expect(httpFailure(400, body, {}).message).toBe(`HTTP 400: ${words}`)
  })

  it('is told of a body made to break its reader', () => {
    const nested = `{"error":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`
    expect(httpFailure(429, nested, {})).toMatchObject({
      code: 'rate-limited',
      message: 'HTTP 429: (nested too deeply to be shown)',
    })
  })

  it('is short, whatever comes', () => {
    const long = 'x'.repeat(200_000)
    for (const body of [long, `{"error":{"message":"${long}"}}`, `{"error":{"message":"${long.slice(0, 50_000)}"}}`])
      expect(httpFailure(400, body, {}).message.length).toBeLessThan(1100)
  })
})

describe('what a status says', () => {
  it.each([
    [429, '', 'rate-limited', 'slow-down'],
    [429, '{"error":{"code":"insufficient_quota"}}', 'quota', 'never'],
    [503, '', 'http-503', 'slow-down'],
    [529, '', 'http-529', 'slow-down'],
    [500, '', 'http-500', 'again'],
    [502, '', 'http-502', 'again'],
    [408, '', 'http-408', 'again'],
    [400, '', 'http-400', 'never'],
    [400, '{"error":{"message":"Your credit balance is too low to access the API."}}', 'quota', 'never'],
    [401, '', 'http-401', 'never'],
    [404, '', 'http-404', 'never'],
  ])('%i %s is %s', (status, body, code, retry) => {
    expect(httpFailure(status, body, { 'x-request-id': 'r1' })).toMatchObject({
      boundary: 'provider',
      code,
      retry,
      http: status,
      requestId: 'r1',
    })
  })
})

it('an overloaded server has done nothing; another error of a server may have come after work', () => {
  const free = [500, 502, 503, 504, 529].filter((status) => httpFailure(status, '', {}).free)
  expect(free).toEqual([503, 529])
  expect(httpFailure(503, '{"usage":{"output_tokens":9}}', {}).free).toBe(false)
})

it('finds how long to wait in the body, where Google writes it', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
  const body = JSON.stringify({ error: { code: 429, status: 'RESOURCE_EXHAUSTED', details } })
  expect(httpFailure(429, body, {})).toMatchObject({ code: 'rate-limited', waitMs: 34_500 })
  expect(httpFailure(429, body, { 'retry-after': '2' })).toMatchObject({ waitMs: 2000 })
})

it.each([
  ['Requests have exceeded the token rate limit. Please retry after 26 seconds.', 26_000],
  ['Rate limit reached. Please try again in 7m12s. Need more?', 432_000],
  ['Please try again in 20ms.', 20],
  ['Please try again in 1.5s.', 1500],
  ['Please retry in 34.074s.', 34_074],
  ['Rate limit exceeded; please try again in 2 minutes', 120_000],
  ['quota exhausted, resets in 1 hour', 3_600_000],
  ['retry after 1500ms', 1500],
  ['The request took 30 seconds. Please try again in a while.', null],
])('finds how long to wait in the words: %s', (message, waitMs) => {
  expect(httpFailure(429, JSON.stringify({ error: { message } }), {}).waitMs).toBe(waitMs)
})

it.each([
  [
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_completion_tokens',
  ],
  ['Unrecognized request argument supplied: max_completion_tokens', 'max_tokens'],
  ["This model's maximum context length is 4096 tokens; lower max_tokens.", null],
])('names the setting for a field of the maximum that is refused: %s', (message, field) => {
  const said = httpFailure(400, JSON.stringify({ error: { message } }), {}).message
  expect(/maxTokensField=(\w+)$/u.exec(said)?.[1] ?? null).toBe(field)
})

describe('a wait of more than an hour', () => {
  it.each([429, 500, 503])('is a no, told in words: %i', (status) => {
    expect(httpFailure(status, 'later', { 'retry-after': '2592000' })).toMatchObject({
      code: 'long-wait',
      retry: 'never',
      waitMs: null,
      http: status,
      message: expect.stringMatching(/wait 43200 minutes.+more than 60.+HTTP \d+: later/u),
    })
    expect(httpFailure(status, 'later', { 'retry-after': '3600' })).toMatchObject({ waitMs: 3_600_000 })
  })
})

describe('what was thrown', () => {
  it('is found under wrappers', () => {
    const wrapped = new Error('outer', {
      cause: new Error('middle', { cause: new TransportError('too-large', 'big') }),
    })
    expect(thrownFailure(wrapped)).toMatchObject({ code: 'too-large', retry: 'never' })
    expect(thrownFailure(new DOMException('x', 'TimeoutError'))).toMatchObject({ code: 'timeout', retry: 'again' })
    expect(thrownFailure(new DOMException('x', 'AbortError'))).toMatchObject({ code: 'aborted', retry: 'never' })
    expect(thrownFailure('text')).toMatchObject({ code: 'bad-body' })
  })

  it('ends on a chain of causes that is a ring', () => {
    const a = new Error('a')
    a.cause = new Error('b', { cause: a })
    expect(thrownFailure(a).code).toBe('bad-body')
  })
})

describe('what is left of a rate limit', () => {
  it.each([
    [
      { 'x-ratelimit-remaining-requests': '12', 'x-ratelimit-reset-requests': '1m30s' },
      { requests: 12, resetMs: 90_000 },
    ],
    [
      { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '120ms' },
      { requests: 0, resetMs: 120 },
    ],
    [
      { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '6' },
      { requests: 3, resetMs: 6000 },
    ],
    [
      {
        'anthropic-ratelimit-requests-remaining': '5',
        'anthropic-ratelimit-requests-reset': '2020-01-01T00:00:30Z',
        date: 'Wed, 01 Jan 2020 00:00:10 GMT',
      },
      { requests: 5, resetMs: 20_000 },
    ],
    [{ 'x-ratelimit-remaining-requests': 'many', 'x-ratelimit-reset-requests': '1s' }, null],
    [{ 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-reset-requests': '1s' }, null],
    [{ 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': 'never' }, null],
    [{}, null],
  ])('%j is %j', (headers, expected) => {
    expect(allowanceOf(headers)).toEqual(expected)
  })
})
