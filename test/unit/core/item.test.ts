import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  configHash,
  drawId,
  emptyIndexHash,
  groupHash,
  idPrefix,
  itemHash,
  planHash,
  sha256Hex,
} from '../../../src/core/index.ts'

const key = { task: 'toy/necklace', version: 3, split: 'test', seed: '42', configHash: '0'.repeat(64) }
const content = {
  index: 7,
  groupHash: null,
  truth: { given: { string: 'aab' }, answer: true },
  features: { length: 3, label: true },
}

describe('item hashes', () => {
  it('are SHA-256 of the tag and canonical JSON of exactly the listed parts', () => {
    expect(itemHash(key, content)).toBe(
      sha256Hex(
        `touchstone/item/1\n{"features":{"label":true,"length":3},"group":null,"index":7,"key":"${'0'.repeat(64)}",` +
          '"split":"test","task":"toy/necklace","truth":{"answer":true,"given":{"string":"aab"}},"version":3}',
      ),
    )
  })

  it('leave out features that are not integers, strings or booleans', () => {
    const features = { ...content.features, ratio: 0.25, huge: 2 ** 60, nothing: null }
    expect(itemHash(key, { ...content, features })).toBe(itemHash(key, content))
    expect(itemHash(key, { ...content, features: { ...content.features, word: 'x' } })).not.toBe(itemHash(key, content))
  })

  it('change with every part, and not with the seed', () => {
    const changes = [
      itemHash({ ...key, task: 'toy/other' }, content),
      itemHash({ ...key, version: 4 }, content),
      itemHash({ ...key, split: 'train' }, content),
      itemHash({ ...key, configHash: '1'.repeat(64) }, content),
      itemHash(key, { ...content, index: 8 }),
      itemHash(key, { ...content, groupHash: '2'.repeat(64) }),
      itemHash(key, { ...content, truth: { ...content.truth, answer: false } }),
      itemHash(key, { ...content, features: { ...content.features, length: 4 } }),
    ]
    expect(new Set([...changes, itemHash(key, content)]).size).toBe(changes.length + 1)
    expect(itemHash({ ...key, seed: '43' } as typeof key, content)).toBe(itemHash(key, content))
  })

  it('of holes have no truth and the reason as their feature', () => {
    expect(emptyIndexHash(key, 7, null, 'no such string')).toBe(
      itemHash(key, { index: 7, groupHash: null, truth: null, features: { unreachable: 'no such string' } }),
    )
  })

  it('refuse content that cannot be written canonically', () => {
    expect(() => itemHash(key, { ...content, truth: { given: 0.5, answer: true } })).toThrow(/integers/)
  })
})

describe('config hashes', () => {
  const defaults = { width: 5, gap: 0.5, list: [1, 2] }

  it('leave out what equals its default, so that a new knob changes no id', () => {
    const config = { width: 9, gap: 0.5, list: [1, 2] }
    expect(configHash(config, defaults)).toBe(configHash({ ...config, fresh: false }, { ...defaults, fresh: false }))
    expect(configHash(config, defaults)).toBe(sha256Hex('touchstone/config/1\n{"width":9}'))
    expect(configHash(defaults, defaults)).toBe(sha256Hex('touchstone/config/1\n{}'))
  })

  it('write decimals as text', () => {
    expect(configHash({ gap: 0.1 }, defaults)).toBe(sha256Hex('touchstone/config/1\n{"gap":{"$decimal":"0.1"}}'))
    expect(configHash({ gap: 1e-7 }, {})).toBe(sha256Hex('touchstone/config/1\n{"gap":{"$decimal":"1e-7"}}'))
    expect(configHash({ gap: 1 }, {})).toBe(sha256Hex('touchstone/config/1\n{"gap":1}'))
  })

  it('do not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (config) => {
        const backwards = Object.fromEntries(Object.entries(config).reverse())
        expect(configHash(config, {})).toBe(configHash(backwards, {}))
      }),
    )
  })
})

describe('group and plan hashes, ids', () => {
  it('have tags of their own', () => {
    expect(groupHash({ a: 1 })).toBe(sha256Hex('touchstone/group/1\n{"a":1}'))
    expect(planHash({ a: 0.5 })).toBe(sha256Hex('touchstone/plan/1\n{"a":{"$decimal":"0.5"}}'))
  })

  it('keep the config out of the draw and the seed in', () => {
    const other = { ...key, configHash: '1'.repeat(64) }
    expect(drawId(other, 7)).toBe(drawId(key, 7))
    expect(drawId(key, 7)).toMatch(/^[0-9a-f]{12}$/)
    expect(idPrefix(other)).not.toBe(idPrefix(key))
    for (const [name, value] of [
      ['seed', '43'],
      ['split', 'train'],
      ['version', 4],
      ['task', 'a/b'],
    ] as const)
      expect(drawId({ ...key, [name]: value }, 7)).not.toBe(drawId(key, 7))
    expect(drawId(key, 8)).not.toBe(drawId(key, 7))
  })
})
