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

  it('hides secrets however they are written', () => {
    const forms = [
      encodeURIComponent(key),
      JSON.stringify(key).slice(1, -1),
      Buffer.from(key).toString('base64'),
      Buffer.from(key).toString('base64url'),
      Buffer.from(`:${key}`).toString('base64'),
    ]
    for (const form of forms) expect(known(`x${form}y`)).not.toContain(form.replace(/=+$/u, ''))
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
