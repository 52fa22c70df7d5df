import { describe, expect, it } from 'vitest'
import {
  below,
  bindStreams,
  enc,
  fenceRegion,
  float,
  hex,
  KeySpace,
  labelKey,
  rootKey,
  seedText,
  shuffle,
  streamFromKey,
  streamKey,
} from '../../../src/core/index.ts'

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
  const cases = [
    [
      'relic/recognize',
      1,
      'test',
      '42',
      'string',
      [0],
      'aea175da0bf84aecec362fb43098df53',
      'b8935067 17027cef 9a4be94c',
      0.7209978333851822,
      '720 89 602 661 602',
    ],
    [
      'relic/recognize',
      1,
      'test',
      '42',
      'string',
      [1],
      '94e5e5a1dcbb28ee955591b196f6db84',
      '7c305ff4 40b85513 80d95ece',
      0.4851131383539191,
      '485 252 503 361 560',
    ],
    [
      'relic/recognize',
      1,
      'test',
      '43',
      'string',
      [0],
      'c59d9c91b47c17fba746f1711117635b',
      '28c7803e eae88478 d259710e',
      0.15929414270527975,
      '159 917 821 53 446',
    ],
    [
      'relic/recognize',
      1,
      'train',
      '42',
      'string',
      [0],
      'c2a66e26946e735e9fceba1b0297fe14',
      '2ea12cd7 8d25773c 9df3fedb',
      0.18214683645481555,
      '182 551 617 796 579',
    ],
    [
      'relic/recognize',
      2,
      'test',
      '42',
      'string',
      [0],
      '2c0f2ef4ec1ea92c7773035b68243ec1',
      '740eb9f8 c44f17e8 3fd38dcb',
      0.4533497077735652,
      '453 766 249 677 11',
    ],
    [
      'relic/recognize',
      1,
      'test',
      '42',
      'grammar',
      [7],
      '595b38784f14ebbdaaee24edb2aab35d',
      'a74eba1a 4e3b5508 dfc07fae',
      0.6535450242876473,
      '653 305 874 52 432',
    ],
    [
      'relic/recognize',
      1,
      'test',
      '42',
      'cell',
      [7, 3],
      '891a443f3031219ed0bc63dbddea2d1e',
      '1b8587c2 507d8d09 2f8aedc5',
      0.10750626261842067,
      '107 314 185 889 929',
    ],
    [
      'pbebench/induce',
      1,
      'validation',
      '0',
      'cascade',
      [999999],
      '5936c1c13649b61a48f055877bc7becd',
      'ffd78750 5a21d73d c0dac0c8',
      0.9993824537998353,
      '999 352 753 734 270',
    ],
    [
      'recoglab/comparison',
      3,
      'exam-2027',
      'Zürich ✓',
      'names',
      [4294967296],
      '44c4edacf81f728349bede2ca8501dbc',
      '44cfee33 b3427a38 09caa3e8',
      0.2687977679091178,
      '268 700 38 584 102',
    ],
    [
      'a',
      1,
      'b',
      '-1',
      'c',
      [],
      '34b341c4c44eda8208bcf43f0f8f286d',
      '0ed1e671 e13ac8af 40f24cb8',
      0.05789032488914736,
      '57 879 253 121 103',
    ],
  ] as const

  it.each(cases)('%s %i %s %s %s %j', (task, version, split, seed, label, indices, key, words, first, thousands) => {
    const bytes = streamKey(labelKey(rootKey(task, version, split, seed), label), indices)
    expect(hex(bytes).slice(0, 32)).toBe(key)
    const open = () => streamFromKey(bytes)
    const stream = open()
    expect(Array.from({ length: 3 }, () => stream.u32().toString(16).padStart(8, '0')).join(' ')).toBe(words)
    expect(float(open())).toBe(first)
    const dice = open()
    expect(Array.from({ length: 5 }, () => below(dice, 1000)).join(' ')).toBe(thousands)
  })

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
  })
})

describe('the fence', () => {
  it.each([
    ['00000000000000000000000000000000', 0],
    ['aea175da0bf84aecec362fb43098df53', 2],
    ['ffffffffffffffffffffffffffffffff', 2],
  ])('%s lies in region %i', (key, region) => {
    expect(fenceRegion('relic/grammar', key)).toBe(region)
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
