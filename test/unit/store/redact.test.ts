import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactor } from '../../../src/store/index.ts'

const key = 'sk-proj-aB3+/x"9'
const { known, shapes } = redactor(
  { OPENAI_API_KEY: key, MY_THING: 'not-listed-value', PATH: '/usr/bin:/bin', SHORT_KEY: 'abc' },
  ['OTHER'],
)

describe('what a model wrote', () => {
  it('is left alone but for known secrets', () => {
    const text = 'Authorization: Bearer abcdefghijk, abc, /usr/bin:/bin, https://user:pass@host, not-listed-value'
    expect(known(text)).toBe(text)
    expect(known(`the key is ${key}!`)).toBe('the key is [redacted:OPENAI_API_KEY]!')
  })

  const every = (text: string, write: (code: number) => string): string =>
    [...text].map((letter) => write(letter.charCodeAt(0))).join('')
  const hex = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0')
  const encodings: { readonly [name: string]: (text: string) => string } = {
    url: encodeURIComponent,
    'url, every letter': (text) => every(text, (code) => `%${hex(code)}`),
    json: (text) => JSON.stringify(text).slice(1, -1),
    'json, every letter': (text) => every(text, (code) => `\\u${hex(code, 4)}`),
    'json in json in a url': (text) => encodeURIComponent(JSON.stringify(JSON.stringify(text))),
    html: (text) => every(text, (code) => `&#${code};`),
    base64: (text) => Buffer.from(text).toString('base64'),
    base64url: (text) => Buffer.from(text).toString('base64url'),
    'base64 in lines': (text) => Buffer.from(text.padStart(80)).toString('base64').replace(/.{11}/gu, '$&\r\n'),
    'base64 in lines in json': (text) => JSON.stringify(encodings['base64 in lines']?.(text)),
    hex: (text) => Buffer.from(text).toString('hex'),
    'hex, spaced': (text) => every(text, (code) => `${hex(code).toUpperCase()} `),
    'hex with colons': (text) => every(text, (code) => `${hex(code)}:`),
    'bytes of C': (text) => every(text, (code) => `\\x${hex(code)}`),
  }
  /** Everything that the reader of a text could read out of it. */
  const readable = (text: string): readonly string[] => {
    const un = text.replace(/%([0-9a-f]{2})|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|&#(\d+);|\\(.)/giu, (_, a, b, c, d, e) =>
      e === undefined
        ? String.fromCharCode(d === undefined ? Number.parseInt(a ?? b ?? c, 16) : Number(d))
        : e === 'r' || e === 'n'
          ? ' '
          : e,
    )
    const runs = [text, un].flatMap((one) => one.replace(/[\s:]/gu, '').split(/[^\w+/-]+/u))
    const decoded = runs.flatMap((run) =>
      [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')),
    )
    return [text, un, ...decoded, ...runs.map((run) => Buffer.from(run, 'hex').toString('latin1'))]
  }

  it.each(Object.entries(encodings))('hides secrets however they are written: %s', (_, encode) => {
    for (const before of ['', 'Bearer ', 'x', 'user:', '{"key": "'])
      for (const after of ['', '"}', ' and more']) {
        const text = `It sent ${encode(before + key + after)} to us.`
        expect(readable(known(text)).some((one) => one.includes(key))).toBe(false)
        expect(known(text)).toMatch(/^It sent .*\[redacted:OPENAI_API_KEY\].* to us\.$/su)
      }
  })

  it('keeps what surrounds an encoded secret', () => {
    expect(known(`a%20b ${every(key, (code) => `%${hex(code)}`)}%20c \\n "d"`)).toBe(
      'a%20b [redacted:OPENAI_API_KEY]%20c \\n "d"',
    )
    const body = JSON.stringify({ text: 'C:\\new\\u0041 & a % b "quoted"\n', more: ['ü', '\ud800'] })
    expect(known(body)).toBe(body)
  })

  it('hides the values of variables that the run names', () => {
    expect(redactor({ OTHER: 'value-of-other' }, ['OTHER']).known('value-of-other')).toBe('[redacted:OTHER]')
    expect(redactor({ OTHER: 'value-of-other' }).known('value-of-other')).toBe('value-of-other')
  })
})

describe('messages and bodies', () => {
  it.each([
    ['https://user:hunter2hunter2@host/v1', 'hunter2hunter2'],
    ['GET https://host/v1?a=1&api_key=verysecretvalue&b=2', 'verysecretvalue'],
    ['https://host/v1?subscription-key=verysecretvalue', 'verysecretvalue'],
    ['https://host/v1?a=1&X-Amz-Security-Token=verysecretvalue', 'verysecretvalue'],
    ['{"Authorization":"Bearer abcdefghijklmnop"}', 'abcdefghijklmnop'],
    ['x-api-key: abcdefghijklmnop', 'abcdefghijklmnop'],
    [`seed secret:${'5f'.repeat(32)} of the exam`, '5f5f5f5f'],
  ])('%s hides its secret', (text, secret) => {
    expect(shapes(text)).not.toContain(secret)
  })

  it('keep what surrounds a secret', () => {
    expect(shapes('GET https://host/v1?a=1&api_key=verysecretvalue&b=2')).toBe(
      'GET https://host/v1?a=1&api_key=[redacted:query]&b=2',
    )
  })
})

it('never lets a secret through, wherever it stands', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 12, unit: 'binary' }), fc.string(), fc.string(), (secret, before, after) => {
      fc.pre(secret.trim().length >= 8 && !'[redacted:A_KEY]'.includes(secret.trim()))
      const { known: hide } = redactor({ A_KEY: secret })
      expect(hide(before + secret.trim() + after).includes(secret.trim())).toBe(false)
    }),
  )
})

it('is linear: a megabyte of near misses takes no time worth measuring', () => {
  const hostile =
    '&a'.repeat(100_000) +
    '?key'.repeat(100_000) +
    'authorization'.repeat(80_000) +
    '://'.repeat(100_000) +
    'a'.repeat(200_000)
  expect(shapes(hostile).length).toBeGreaterThan(1e6)
})
