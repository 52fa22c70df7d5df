import { describe, expect, it } from 'vitest'
import { float, type Stream, sha256, shuffle, streamFromKey, utf8 } from '../../../src/core/index.ts'
import { pairReader, type ReadPair } from '../../../src/libraries/grammars/negatives/pair-reader.ts'
import { pairwiseLogit, sigmoid } from '../../../src/libraries/grammars/negatives/pairwise-logit.ts'

const seeded = (seed: number): Stream => streamFromKey(sha256(utf8(String(seed))))

describe('pairwise logistic regression', () => {
  it('has a logistic function that is symmetric, and right to a thousandth', () => {
    for (let z = -25; z <= 25; z += 0.37) {
      expect(sigmoid(z)).toBeCloseTo(1 / (1 + Math.exp(-z)), 3)
      expect(sigmoid(z) + sigmoid(-z)).toBeCloseTo(1, 12)
    }
  })

  it('ends where the slope of the penalised loss is zero', () => {
    const stream = seeded(1)
    const differences = Array.from({ length: 300 }, () =>
      Float64Array.from({ length: 4 }, (_, i) => float(stream) - 0.3 - 0.1 * i),
    )
    const weights = pairwiseLogit(differences, 4, 2)
    for (let i = 0; i < 4; i++) {
      const slope = differences.reduce(
        (sum, difference) => {
          const z = difference.reduce((at, value, j) => at + value * (weights[j] as number), 0)
          return sum + (difference[i] as number) / (1 + Math.exp(-z))
        },
        2 * (weights[i] as number),
      )
      expect(slope).toBeCloseTo(0, 3)
    }
  })
})

describe('a reader of pairs', () => {
  const tokens = (stream: Stream) => shuffle(stream, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
  /** Begins with 0 in this share of strings, and else with another token. */
  function string(stream: Stream, share: number): Int32Array {
    const begins = float(stream) < share
    for (;;) {
      const drawn = tokens(stream)
      if ((drawn[0] === 0) === begins) return Int32Array.from(drawn)
    }
  }
  const pair = (stream: Stream): ReadPair => ({
    member: string(stream, 0.8),
    other: string(stream, 0.3),
    from: 0,
    to: 14,
  })
  const stream = seeded(2)
  const members = Array.from({ length: 500 }, () => string(stream, 0.8))
  const lessons = Array.from({ length: 2000 }, () => pair(stream))
  const read = () => pairReader(members, 4, { orders: [3, 5], apart: [2, 3, 4], periods: [3] }, lessons)
  const reader = read()
  const fresh = Array.from({ length: 6000 }, () => pair(stream))

  it('keeps pairs, with its chance of taking the other string for the member, in which the cue is as frequent in both', () => {
    const share = (pairs: readonly ReadPair[], side: 'member' | 'other') =>
      pairs.filter((one) => one[side][0] === 0).length / pairs.length
    const kept = fresh.filter((one) => float(stream) < reader.chance(one))
    expect(share(fresh, 'member') - share(fresh, 'other')).toBeGreaterThan(0.45)
    expect(Math.abs(share(kept, 'member') - share(kept, 'other'))).toBeLessThan(0.06)
    expect(kept.length / fresh.length).toBeCloseTo(reader.mean, 1)
    // Of pairs that differ in the cue .8 x .7 favour the member and .2 x .3 the other; twice the lesser, and half of the rest.
    expect(reader.mean).toBeGreaterThan(0.25)
  })

  it('is the same again, whatever was read between', () => {
    const again = read()
    expect(fresh.slice(0, 50).map((one) => again.chance(one))).toEqual(
      fresh.slice(0, 50).map((one) => reader.chance(one)),
    )
  })

  it('takes either string of a pair for the member with probabilities that add up to 1', () => {
    const off = fresh.slice(0, 200).map(({ member, other, from, to }) => {
      const turned = reader.chance({ member: other, other: member, from, to })
      return Math.abs(reader.chance({ member, other, from, to }) + turned - 1)
    })
    // Exactly, but where hashes of counts meet.
    expect(off.filter((by) => by < 1e-9).length).toBeGreaterThan(100)
    expect(off.reduce((sum, by) => sum + by, 0) / off.length).toBeLessThan(0.03)
  })
})
