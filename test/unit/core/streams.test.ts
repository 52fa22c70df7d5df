import { describe, expect, it } from 'vitest'
import {
  below,
  bindStreams,
  enc,
  float,
  hex,
  KeySpace,
  labelKey,
  layoutStreams,
  maxPartitionRetries,
  partitionBucket,
  rootKey,
  seedText,
  shuffle,
  streamFromKey,
  streamKey,
} from '../../../src/core/index.ts'
import { streamVectors } from './stream-vectors.ts'

// The vectors of the integrity specification, section 1: they may never change.

describe('enc', () => {
  it.each([
    [[], '00000000'],
    [[''], '0000000100000000'],
    [['a', 'b'], '0000000200000001610000000162'],
    [['ab'], '00000001000000026162'],
    [
      ['touchstone/streams/1', 'relic/recognize', '1', 'test', '42'],
      '0000000500000014746f75636873746f6e652f73747265616d732f310000000f72656c69632f7265636f676e697a6500000001310000000474657374000000023432',
    ],
  ])('%j', (parts, expected) => {
    expect(hex(enc(...parts))).toBe(expected)
  })
})

describe('streams', () => {
  it.each(streamVectors)(
    '%s %i %s %s %s %j',
    (task, version, split, seed, label, indices, key, words, first, thousands) => {
      const bytes = streamKey(labelKey(rootKey(task, version, split, seed), label), indices)
      expect(hex(bytes).slice(0, 32)).toBe(key)
      const open = () => streamFromKey(bytes)
      const stream = open()
      expect(Array.from({ length: 3 }, () => stream.u32().toString(16).padStart(8, '0')).join(' ')).toBe(words)
      expect(float(open())).toBe(first)
      const dice = open()
      expect(Array.from({ length: 5 }, () => below(dice, 1000)).join(' ')).toBe(thousands)
    },
  )

  it('derives root and label keys and shuffles as case 1', () => {
    const root = rootKey('relic/recognize', 1, 'test', '42')
    expect(hex(root)).toBe('120129eaa38269c888fb4acd1eb17d20675d9dd506bca525bb6ccf6c6cfdd3d3')
    const label = labelKey(root, 'string')
    expect(hex(label)).toBe('3708cc2759f0546c2b5d09c839963e76b343e5cb64dc01a4b34b67cbd22fb030')
    const order = shuffle(streamFromKey(streamKey(label, [0])), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(order.join(' ')).toBe('6 2 8 5 1 3 9 4 0 7')
  })

  it('refuses to open one key twice in a call', () => {
    const draws = bindStreams(new KeySpace(rootKey('a', 1, 'test', '1')), 'draw/', [3])
    draws.stream('word', 1)
    draws.stream('word', 2)
    expect(() => draws.stream('word', 1)).toThrow(/opened twice/)
    const again = layoutStreams(new KeySpace(rootKey('a', 1, 'test', '1')))
    expect(again.stream('word').u32()).toBe(again.stream('word').u32())
  })

  it('have up to eight indices, each an integer from 0 up to 2^53-1', () => {
    const key = labelKey(rootKey('a', 1, 'test', '1'), 'x')
    expect(hex(streamKey(key, new Array<number>(8).fill(2 ** 53 - 1)))).toHaveLength(64)
    expect(() => streamKey(key, new Array<number>(9).fill(0))).toThrow('a stream has at most 8 indices, got 9')
    for (const index of [-1, 1.5, 2 ** 53, Number.NaN])
      expect(() => streamKey(key, [0, index])).toThrow(`a stream index is an integer 0..2^53-1, got ${index}`)
    expect(hex(streamKey(key, [2 ** 32]))).not.toBe(hex(streamKey(key, [0])))
  })

  it('of a fork have its key for a root', () => {
    const space = new KeySpace(rootKey('a', 1, 'test', '1'))
    const fork = bindStreams(space, 'draw/', [3]).fork('part', 4)
    const key = streamKey(labelKey(space.key('draw/part', [3, 4]), 'word'), [5])
    expect(fork.stream('word', 5).u32()).toBe(streamFromKey(key).u32())
  })
})

describe('the fence', () => {
  it.each([
    ['00000000000000000000000000000000', 0],
    ['aea175da0bf84aecec362fb43098df53', 2],
    ['ffffffffffffffffffffffffffffffff', 2],
  ])('%s lies in region %i', (key, region) => {
    expect(partitionBucket('relic/grammar', key)).toBe(region)
  })

  it('admits what lies in a region of the split; without a fence nothing can be asked', () => {
    const open = (split: string | null) =>
      bindStreams(
        new KeySpace(rootKey('a', 1, 'test', '1')),
        'draw/',
        [],
        split === null ? null : { domain: 'relic/grammar', split },
      )
    const [first, third] = ['00000000000000000000000000000000', 'ffffffffffffffffffffffffffffffff']
    expect(['train', 'validation', 'test', 'exam'].map((split) => open(split).inSplit(first))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(open('train').fork('x').inSplit(third)).toBe(true)
    expect(() => open(null).inSplit(first)).toThrow('inSplit was called, but the task declares no partition')
  })

  it('lets every split try 64 times as often as it takes', () => {
    expect(['train', 'validation', 'test', 'exam-2027'].map(maxPartitionRetries)).toEqual([128, 512, 256, 512])
  })
})

describe('seeds', () => {
  it('reads a number and its decimal text as one seed', () => {
    expect(seedText(42)).toBe(seedText('42'))
    expect(seedText(-0)).toBe('0')
    expect(seedText(12n)).toBe('12')
    expect(seedText('042')).not.toBe(seedText('42'))
  })

  it.each([1.5, Number.NaN, 2 ** 53, '', '\ud800', 'Zu\u0308rich', 'x'.repeat(1025), true])('refuses %j', (seed) => {
    expect(() => seedText(seed)).toThrow()
  })
})
