import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalConfig,
  canonicalJson,
  enc,
  hex,
  type Json,
  labelKey,
  parseJson,
  rootKey,
  sha256,
  sha256Hex,
  sortedJson,
  streamKey,
} from '../../../src/core/index.ts'

describe('canonical JSON', () => {
  it('writes the sample of RFC 8785 without its floats as specified', () => {
    const sample = {
      numbers: [333333333, 1, 4],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333,1,4],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts keys by UTF-16 unit and knows no special keys', () => {
    expect(canonicalJson({ '9': 1, '10': 2 })).toBe('{"10":2,"9":1}')
    expect(canonicalJson({ '\ufb33': 1, '\u{1F600}': 2 })).toBe('{"\u{1F600}":2,"\ufb33":1}')
    expect(canonicalJson(parseJson('{"__proto__":1,"a":-0}'))).toBe('{"__proto__":1,"a":0}')
    expect(canonicalJson('e\u0301')).toBe('"e\u0301"')
  })

  const cyclic = Array.from({ length: 70 }).reduce<unknown>((inner) => [inner], 1)
  it.each([
    undefined,
    [undefined],
    { a: undefined },
    () => 1,
    Symbol('x'),
    1n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1.5,
    2 ** 53,
    new Date(0),
    new Map(),
    '\ud800',
    { '\udfff': 1 },
    // biome-ignore lint/suspicious/noSparseArray: the case under test
    [1, , 2],
    cyclic,
    { [Symbol('x')]: 1 },
  ])('refuses what it cannot hold (%#)', (value) => {
    expect(() => canonicalJson(value)).toThrow(/^canonical JSON /)
    expect(() => canonicalJson(value)).toThrow(TypeError)
  })

  it('says what it cannot hold', () => {
    const said = (value: unknown, write = canonicalJson) => {
      try {
        return write(value)
      } catch (error) {
        return String(error)
      }
    }
    expect([undefined, () => 1, 1n].map((value) => said(value))).toEqual([
      'TypeError: canonical JSON cannot hold undefined',
      'TypeError: canonical JSON cannot hold a function',
      'TypeError: canonical JSON cannot hold a bigint',
    ])
    expect(said([new Map()])).toBe('TypeError: canonical JSON holds plain objects only, got a Map')
    expect(said(1.5)).toBe('TypeError: canonical JSON holds only integers up to 2^53-1, got 1.5')
    expect(said(2 ** 60, canonicalConfig)).toMatch(/only integers up to 2\^53-1/)
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(said({ a: value }, canonicalConfig)).toBe(`TypeError: canonical JSON cannot hold ${value}`)
  })

  it('knows objects by all of their keys, not by what these look like in a row', () => {
    const objects = [
      { z: 1, 'a,b': 2 },
      { z: 1, a: 2, b: 3 },
      { 'z,a': 1, b: 2 },
      { z: 1, 'a,b': 2 },
    ]
    for (let round = 0; round < 2; round++)
      expect(objects.map((value) => canonicalJson(value))).toEqual([
        '{"a,b":2,"z":1}',
        '{"a":2,"b":3,"z":1}',
        '{"b":2,"z,a":1}',
        '{"a,b":2,"z":1}',
      ])
    // More keys than are remembered, and longer ones.
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${99 - i}`, i]))
    expect(JSON.parse(canonicalJson(many))).toEqual(many)
    expect(Object.keys(JSON.parse(canonicalJson(many)))).toEqual(Object.keys(many).sort())
  })

  it('marks decimals in configs', () => {
    expect(canonicalConfig({ a: 0.25, b: 2, c: 1e-7 })).toBe('{"a":{"$decimal":"0.25"},"b":2,"c":{"$decimal":"1e-7"}}')
  })

  it('sorts members and leaves the rest to JSON, whatever JSON holds', () => {
    const naive = (value: unknown): string =>
      Array.isArray(value)
        ? `[${value.map(naive).join(',')}]`
        : typeof value === 'object' && value !== null
          ? `{${Object.keys(value)
              .sort()
              .map((key) => `${JSON.stringify(key)}:${naive((value as Record<string, unknown>)[key])}`)
              .join(',')}}`
          : JSON.stringify(value)
    const keys = fc.oneof(fc.constantFrom('a', 'b', 'a,b', 'c', '\ud800', '10', '9'), fc.string({ unit: 'binary' }))
    const any = fc.anything({
      key: keys,
      values: [fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean()],
    })
    fc.assert(
      fc.property(any, (value) => {
        const json = JSON.parse(JSON.stringify(value) ?? 'null')
        expect(sortedJson(json)).toBe(naive(json))
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses half a surrogate pair wherever it hides, seen before or not', () => {
    for (const value of [['\ud800'], [['a', '\udc00x']], { '\ud83d': 1 }, [{ 'a\udfff': 'b' }]]) {
      sortedJson(value)
      expect(() => canonicalJson(value)).toThrow(TypeError)
      expect(() => canonicalJson(value)).toThrow(TypeError)
    }
    expect(canonicalJson(['\\ud800', '\u{1F600}'])).toBe('["\\\\ud800","\u{1F600}"]')
    expect(canonicalJson({ 'a,b': 1 })).toBe('{"a,b":1}')
    expect(canonicalJson({ b: 2, a: 1 })).toBe('{"a":1,"b":2}')
    expect(canonicalJson({ 'b,a': 1 })).toBe('{"b,a":1}')
  })

  it('holds 64 levels and no more, whether keys come in order or not', () => {
    const nest = (levels: number, inner: (value: unknown) => unknown): unknown =>
      Array.from({ length: levels }).reduce<unknown>(inner, 1)
    for (const inner of [(v: unknown) => [v], (v: unknown) => ({ a: v, b: 1 }), (v: unknown) => ({ b: 1, a: v })]) {
      expect(parseJson(canonicalJson(nest(64, inner)))).toEqual(nest(64, inner))
      expect(() => canonicalJson(nest(65, inner))).toThrow(/64 levels/)
      expect(canonicalConfig(nest(64, inner))).toBe(canonicalJson(nest(64, inner)))
      expect(() => canonicalConfig(nest(65, inner))).toThrow(/64 levels/)
      expect(parseJson(sortedJson(nest(65, inner) as Json))).toEqual(nest(65, inner))
    }
  })

  it('refuses what it cannot hold inside of what it can', () => {
    for (const bad of [undefined, 1.5, Number.NaN, new Date(0), { [Symbol('x')]: 1 }, '\ud800'])
      for (const value of [{ a: 'x', b: [1, bad] }, [{ a: { b: bad } }], { a: [[], {}], b: { c: bad, d: null } }])
        expect(() => canonicalJson(value)).toThrow(TypeError)
    expect(canonicalJson({ a: [[], {}], b: { c: null, d: true } })).toBe('{"a":[[],{}],"b":{"c":null,"d":true}}')
  })

  it('survives a round trip and does not depend on key order', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constant(null),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.string({ unit: 'grapheme' }),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(parseJson(text))).toBe(text)
        expect(canonicalJson(reversed(value))).toBe(text)
      }),
    )
  })

  it('refuses duplicate keys when parsing, also escaped ones', () => {
    expect(() => parseJson('{"a":1,"a":2}')).toThrow(/duplicate/)
    expect(() => parseJson('{"a":1,"\\u0061":2}')).toThrow(/duplicate/)
    expect(parseJson('{"a":"b\\":","c":{"a":":"}}')).toEqual({ a: 'b":', c: { a: ':' } })
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  )
}

describe('the recorded vectors of commit and reveal', () => {
  const secret = '5f'.repeat(32)
  it('commitment, salt and beacon', () => {
    const commitment = sha256(
      enc('touchstone/commit/1', 'relic/recognize', '1', 'exam-2027', '0'.repeat(64), '1000', secret),
    )
    expect(hex(commitment)).toBe('07265ad5dc77ad9d50e9614bee65800fd1f5ebc8976300223ac987e1041c271f')
    const root = rootKey('relic/recognize', 1, 'exam-2027', `secret:${secret}`)
    expect(hex(streamKey(labelKey(root, 'touchstone/salt'), [0]))).toBe(
      'f23721897343e9cab76d002f99122b0be22ea97178660cb11a648ea0674f4a4a',
    )
    expect(hex(sha256(enc('touchstone/beacon/1', secret, `drand:1000000:${'0'.repeat(64)}`)))).toBe(
      '62bd4b5074b19df9597e02042d6a1ede93e3080db00c87ec5c51f2c263c14f7a',
    )
    expect(sha256Hex('')).toHaveLength(64)
  })
})
