import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  below,
  belowBig,
  between,
  coin,
  float,
  pick,
  Sfc32,
  type Stream,
  sample,
  sampleIndices,
  shuffle,
  weighted,
} from '../../../src/core/index.ts'
import { chiSquaredUpper } from '../../../src/libraries/statistics/index.ts'

const words = fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat())
const open = ([a, b, c, d]: readonly [number, number, number, number]): Stream => new Sfc32(a, b, c, d)
const fixed = (): Stream => open([1, 2, 3, 4])

/** Lemire's method in bigints. */
function belowReference(stream: Stream, n: bigint): bigint {
  const word = 1n << 32n
  for (;;) {
    const product = BigInt(stream.u32()) * n
    if (product % word >= (word - n) % n) return product / word
  }
}

/** Rejection from 53 bits in bigints. */
function wideReference(stream: Stream, n: bigint): bigint {
  const limit = 1n << 53n
  for (;;) {
    const value = (BigInt(stream.u32() >>> 11) << 32n) | BigInt(stream.u32())
    if (value < limit - (limit % n)) return value % n
  }
}

const chiSquared = (counts: readonly number[], expected: readonly number[]): number =>
  chiSquaredUpper(
    counts.reduce((sum, count, i) => sum + (count - (expected[i] as number)) ** 2 / (expected[i] as number), 0),
    counts.length - 1,
  )

describe('below', () => {
  it('equals the bigint reference on 20,000 random n up to 2^32, and reads as many words', () => {
    const bounds = fc.oneof(fc.integer({ min: 1, max: 2 ** 32 }), fc.integer({ min: 1, max: 300 }))
    fc.assert(
      fc.property(words, bounds, (key, n) => {
        const [mine, theirs] = [open(key), open(key)]
        expect(below(mine, n)).toBe(Number(belowReference(theirs, BigInt(n))))
        expect(mine.u32()).toBe(theirs.u32())
      }),
      { numRuns: 20_000, seed: 1 },
    )
  })

  it('equals the bigint reference above 2^32, up to 2^53', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2 ** 32 + 1, max: 2 ** 53 - 1 }), (key, n) => {
        const [mine, theirs] = [open(key), open(key)]
        expect(below(mine, n)).toBe(Number(wideReference(theirs, BigInt(n))))
        expect(mine.u32()).toBe(theirs.u32())
      }),
      { numRuns: 5_000, seed: 1 },
    )
    const [mine, theirs] = [fixed(), fixed()]
    expect(below(mine, 2 ** 53)).toBe((theirs.u32() >>> 11) * 2 ** 32 + theirs.u32())
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53 + 2, Number.POSITIVE_INFINITY])('refuses %d', (n) => {
    expect(() => below(fixed(), n)).toThrow(/1\.\.2\^53/)
  })

  it('is uniform where modulo would not be', () => {
    const n = 3 * 2 ** 30
    const stream = fixed()
    const thirds = [0, 0, 0]
    for (let i = 0; i < 30_000; i++) {
      const third = Math.floor(below(stream, n) / 2 ** 30)
      thirds[third] = (thirds[third] as number) + 1
    }
    expect(chiSquared(thirds, [10_000, 10_000, 10_000])).toBeGreaterThan(1e-6)
  })
})

describe('belowBig', () => {
  it('keeps inside its bound, reaches both ends and takes bounds of any size', () => {
    fc.assert(
      fc.property(words, fc.bigInt({ min: 1n, max: 1n << 200n }), (key, n) => {
        const value = belowBig(open(key), n)
        expect(value >= 0n && value < n).toBe(true)
      }),
    )
    const stream = fixed()
    const counts = [0, 0, 0, 0, 0]
    for (let i = 0; i < 5_000; i++) {
      const value = Number(belowBig(stream, 5n))
      counts[value] = (counts[value] as number) + 1
    }
    expect(chiSquared(counts, new Array<number>(5).fill(1_000))).toBeGreaterThan(1e-6)
    expect(() => belowBig(stream, 0n)).toThrow(RangeError)
  })
})

describe('float, coin, between, pick', () => {
  it('takes the first word as the high part', () => {
    fc.assert(
      fc.property(words, (key) => {
        const [mine, theirs] = [open(key), open(key)]
        const high = BigInt(theirs.u32() >>> 5)
        const value = float(mine)
        expect(value).toBe(Number((high << 26n) | BigInt(theirs.u32() >>> 6)) / 2 ** 53)
        expect(value >= 0 && value < 1).toBe(true)
      }),
    )
    expect(float({ u32: () => 0xffffffff })).toBe(1 - 2 ** -53)
  })

  it('tosses the top bit', () => {
    expect([0, 0x7fffffff, 0x80000000, 0xffffffff].map((word) => coin({ u32: () => word }))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('draws from a closed range and from a list', () => {
    const stream = fixed()
    const drawn = new Set(Array.from({ length: 300 }, () => between(stream, -2, 2)))
    expect([...drawn].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2])
    expect(new Set(Array.from({ length: 100 }, () => pick(stream, ['a', 'b']))).size).toBe(2)
    expect(() => pick(stream, [])).toThrow(RangeError)
  })
})

describe('shuffle and sample', () => {
  it('keep what they were given and leave the list alone', () => {
    fc.assert(
      fc.property(words, fc.uniqueArray(fc.integer(), { maxLength: 30 }), (key, list) => {
        const before = [...list]
        const shuffled = shuffle(open(key), list)
        expect(list).toEqual(before)
        expect(new Set(shuffled)).toEqual(new Set(list))
        expect(shuffled).toHaveLength(list.length)
      }),
    )
  })

  it('sample without replacement, in an order that a full shuffle would begin with', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 0, max: 1_000_000_000 }), fc.nat(20), (key, n, wanted) => {
        const k = Math.min(n, wanted)
        const chosen = sampleIndices(open(key), n, k)
        expect(new Set(chosen).size).toBe(k)
        expect(chosen.every((i) => Number.isInteger(i) && i >= 0 && i < n)).toBe(true)
        // A smaller sample is the beginning of a larger one.
        expect(sampleIndices(open(key), n, Math.floor(k / 2))).toEqual(chosen.slice(0, Math.floor(k / 2)))
      }),
    )
    expect(() => sampleIndices(fixed(), 3, 4)).toThrow(/4 of 3/)
    expect(sample(fixed(), ['x', 'y', 'z'], 3).sort()).toEqual(['x', 'y', 'z'])
  })

  it('sample what the textbook shuffle of a copy puts first, call after call, whatever the sizes', () => {
    const textbook = (stream: Stream, n: number, k: number): number[] => {
      const all = Array.from({ length: n }, (_, i) => i)
      for (let i = 0; i < k; i++) {
        const j = i + below(stream, n - i)
        ;[all[i], all[j]] = [all[j] as number, all[i] as number]
      }
      return all.slice(0, k)
    }
    const sizes = [1, 2, 18, 4095, 4096, 4097, 20_000]
    const [mine, theirs] = [fixed(), fixed()]
    for (const n of [...sizes, ...sizes.toReversed()])
      for (const k of [0, 1, Math.floor(n / 5), Math.floor(n / 2), n])
        expect(sampleIndices(mine, n, k)).toEqual(textbook(theirs, n, k))
  })

  it('give every arrangement equally often', () => {
    const stream = fixed()
    const shuffled = new Map<string, number>()
    const sampled = new Map<string, number>()
    const rounds = 12_000
    for (let i = 0; i < rounds; i++) {
      const order = shuffle(stream, [0, 1, 2, 3]).join('')
      const two = sampleIndices(stream, 4, 2).join('')
      shuffled.set(order, (shuffled.get(order) ?? 0) + 1)
      sampled.set(two, (sampled.get(two) ?? 0) + 1)
    }
    for (const [counts, cells] of [
      [shuffled, 24],
      [sampled, 12],
    ] as const) {
      expect(counts.size).toBe(cells)
      expect(chiSquared([...counts.values()], new Array<number>(cells).fill(rounds / cells))).toBeGreaterThan(1e-6)
    }
  })
})

describe('weighted', () => {
  it('draws in proportion, and never what weighs nothing', () => {
    const stream = fixed()
    const weights = [0, 1, 0, 2, 5, 0]
    const counts = weights.map(() => 0)
    const draws = 8_000
    for (let i = 0; i < draws; i++) {
      const drawn = weighted(stream, weights)
      counts[drawn] = (counts[drawn] as number) + 1
    }
    expect([counts[0], counts[2], counts[5]]).toEqual([0, 0, 0])
    expect(chiSquared([counts[1], counts[3], counts[4]] as number[], [1_000, 2_000, 5_000])).toBeGreaterThan(1e-6)
  })

  it('is below(sum) and a cumulative sum', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(1000), { minLength: 1, maxLength: 20 }), (key, weights) => {
        const total = weights.reduce((a, b) => a + b, 0)
        fc.pre(total > 0)
        let left = below(open(key), total)
        const expected = weights.findIndex((weight) => {
          left -= weight
          return left < 0
        })
        expect(weighted(open(key), weights)).toBe(expected)
      }),
    )
  })

  it.each([[[]], [[0, 0]], [[-1, 3]], [[0.5, 0.5]], [[1, Number.NaN]], [[1.5, 1.5]], [[2 ** 53, 1]]])(
    'refuses %j',
    (weights) => {
      expect(() => weighted(fixed(), weights)).toThrow(RangeError)
    },
  )
})
