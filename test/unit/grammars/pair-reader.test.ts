import { describe, expect, it } from 'vitest'
import { float, type Stream, sha256, shuffle, streamFromKey, utf8 } from '../../../src/core/index.ts'
import { pairReader, type ReadPair } from '../../../src/libraries/grammars/negatives/pair-reader.ts'
import { pairwiseLogit, sigmoid } from '../../../src/libraries/grammars/negatives/pairwise-logit.ts'
import { applySwap } from '../../../src/libraries/grammars/negatives/segment-swap.ts'

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
  /** Two swapped segments, of which the first token of the string is the cue: 0 begins members more often than twins. */
  function pair(stream: Stream): ReadPair {
    const swap = { p: 0, x: 4, q: 6, y: 11 }
    for (;;) {
      const member = Int32Array.from(shuffle(stream, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]))
      const twin = applySwap(member, swap)
      if ((member[0] === 0) === float(stream) < 0.8 && (twin[0] === 0) === float(stream) < 0.3)
        return { member, twin, swap }
    }
  }
  const stream = seeded(2)
  const members = Array.from({ length: 500 }, () => pair(stream).member)
  const lessons = Array.from({ length: 2000 }, () => pair(stream))
  const read = () => pairReader(members, 4, { orders: [3, 5], apart: [2, 3, 4], periods: [3] }, lessons)
  const reader = read()
  const fresh = Array.from({ length: 6000 }, () => pair(stream))

  it('keeps pairs, with its chance of taking the other string for the member, in which the cue is as frequent in both', () => {
    const share = (pairs: readonly ReadPair[], side: 'member' | 'twin') =>
      pairs.filter((one) => one[side][0] === 0).length / pairs.length
    const kept = fresh.filter((one) => float(stream) < reader.chance(one))
    expect(share(fresh, 'member') - share(fresh, 'twin')).toBeGreaterThan(0.4)
    expect(Math.abs(share(kept, 'member') - share(kept, 'twin'))).toBeLessThan(0.06)
    expect(kept.length / fresh.length).toBeCloseTo(reader.mean, 1)
    expect(reader.mean).toBeGreaterThan(0.25)
  })

  it('is the same again, whatever was read between', () => {
    const again = read()
    expect(fresh.slice(0, 50).map((one) => again.chance(one))).toEqual(
      fresh.slice(0, 50).map((one) => reader.chance(one)),
    )
  })

  it('takes either string of a pair for the member with probabilities that add up to 1', () => {
    const off = fresh.slice(0, 200).map(({ member, twin, swap }) => {
      const { p, x, q, y } = swap
      const back = { p, x: p + y - q, q: p + y - x, y }
      const turned = reader.chance({ member: twin, twin: member, swap: back })
      return Math.abs(reader.chance({ member, twin, swap }) + turned - 1)
    })
    expect(Math.max(...off)).toBeLessThan(1e-9)
  })
})
