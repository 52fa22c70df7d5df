import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { enc, hex, sha256, sha256Hex, sha256HexOfTexts, unhex } from '../../../src/core/index.ts'

const u32 = (n: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(n)
  return bytes
}
/** By its definition: how many parts, then each with its length in bytes. */
const encoded = (parts: readonly (string | number)[]): string =>
  Buffer.concat([
    u32(parts.length),
    ...parts.map(String).flatMap((text) => [u32(Buffer.byteLength(text)), Buffer.from(text)]),
  ]).toString('hex')

const letters = fc.constantFrom('a', 'é', '€', '😀')
const texts = fc.tuple(letters, fc.integer({ min: 0, max: 2500 })).map(([letter, times]) => letter.repeat(times))

it('parts of any script and length are encoded as defined', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(texts, fc.string({ unit: 'grapheme' }), fc.integer()), { maxLength: 4 }), (parts) => {
      expect(hex(enc(...parts))).toBe(encoded(parts))
    }),
  )
  for (const times of [1362, 1363, 2044, 2045, 4088, 4089])
    for (const letter of ['a', 'é', '€'])
      expect(hex(enc(letter.repeat(times), 'end'))).toBe(encoded([letter.repeat(times), 'end']))
})

it('parts are hashed as one, however many and long', () => {
  const bytes = (length: number) => Uint8Array.from({ length }, (_, i) => i % 251)
  for (const lengths of [[], [0], [5], [1, 2, 3], [4000, 95], [4000, 96], [4000, 97], [0, 5000, 0, 5000]]) {
    const parts = lengths.map(bytes)
    const whole = createHash('sha256').update(Buffer.concat(parts)).digest('hex')
    expect(hex(sha256(...parts))).toBe(whole)
    expect(sha256Hex(Buffer.concat(parts))).toBe(whole)
  }
  expect(sha256Hex('Zürich €')).toBe(createHash('sha256').update('Zürich €').digest('hex'))
  expect([...unhex('01ff00')]).toEqual([1, 255, 0])
})

it('what was encoded stays when more is', () => {
  const first = enc('a')
  enc('b'.repeat(100))
  sha256(first, enc('c'))
  expect(hex(first)).toBe(encoded(['a']))
})

it.each([
  ['none', []],
  ['empty', ['', '']],
  ['of one to four bytes a character', ['a', 'é', '€ and 😀', '']],
  ['longer than what is kept to put them', ['{', '€'.repeat(400_000), '}']],
] as const)('hashes texts %s as the whole that they are', (_, texts) => {
  expect(sha256HexOfTexts(...texts)).toBe(createHash('sha256').update(texts.join('')).digest('hex'))
})
