import { describe, expect, it } from 'vitest'
import type { ItemRef } from '../../../src/extras/protocols/token.ts'
import { keysOf, openToken, sealToken, servedSeed } from '../../../src/extras/protocols/token.ts'

const keys = keysOf('a secret of the tests, long enough')
const ref: ItemRef = {
  task: 'a/b',
  version: 3,
  content: { kind: 'config', config: { length: 4, 'weird "key"': [1.5, null] } },
  configHash: '0123456789ab',
  split: 'train',
  seed: 'my seed 42',
  index: 17,
  style: 'plain',
}

describe('a token', () => {
  it('stands for its item, and the same item has the same one', () => {
    expect(openToken(keys, sealToken(keys, ref))).toEqual(ref)
    expect(sealToken(keys, ref)).toBe(sealToken(keys, { ...ref }))
    const preset: ItemRef = { ...ref, content: { kind: 'preset', preset: 'small' } }
    expect(openToken(keys, sealToken(keys, preset))).toEqual(preset)
  })

  it('shows nothing of what is in it', () => {
    const bytes = Buffer.from(sealToken(keys, ref), 'base64url').toString('latin1')
    for (const word of ['a/b', 'my seed', '42', 'train', 'length']) expect(bytes).not.toContain(word)
  })

  it('is refused when any one bit of it is changed', () => {
    const bytes = Buffer.from(sealToken(keys, ref), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(openToken(keys, changed.toString('base64url'))).toBeNull()
    }
  })

  it('is refused when it is cut, lengthened, or written otherwise', () => {
    const token = sealToken(keys, ref)
    for (let end = 0; end < token.length; end++) expect(openToken(keys, token.slice(0, end))).toBeNull()
    for (const text of [`${token}=`, `${token} `, ` ${token}`, `${token}A`, `${token}\n`, token.replace(/.$/u, '+')])
      expect(openToken(keys, text)).toBeNull()
    expect(openToken(keys, 'A'.repeat(1e6))).toBeNull()
  })

  it('has one way of writing it: the bits that its last character has to spare must be as they were', () => {
    const lengths = new Set<number>()
    for (const seed of ['1', '12', '123']) {
      const token = sealToken(keys, { ...ref, seed })
      lengths.add(token.length % 4)
      for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
        const other = token.slice(0, -1) + last
        expect(openToken(keys, other) === null).toBe(other !== token)
      }
    }
    expect(lengths.size).toBe(3)
  })

  it('of another secret is refused', () => {
    const others = keysOf('another secret, as long as the first')
    expect(openToken(others, sealToken(keys, ref))).toBeNull()
    expect(sealToken(others, ref)).not.toBe(sealToken(keys, ref))
  })

  it('has a seed that only the secret gives', () => {
    expect(servedSeed(keys, '1')).toMatch(/^[0-9a-f]{32}$/u)
    expect(servedSeed(keys, '1')).toBe(servedSeed(keys, '1'))
    expect(servedSeed(keys, '2')).not.toBe(servedSeed(keys, '1'))
    expect(servedSeed(keysOf('another secret, as long as the first'), '1')).not.toBe(servedSeed(keys, '1'))
  })

  it('needs a secret worth the name', () => {
    expect(() => keysOf('short')).toThrow('at least 16 bytes')
  })
})
