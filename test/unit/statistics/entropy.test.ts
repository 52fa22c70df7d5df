import { describe, expect, it } from 'vitest'
import { streamFromKey, weighted } from '../../../src/core/index.ts'
import { chaoShenEntropy, entropy, sampleCoverage } from '../../../src/libraries/statistics/index.ts'

/** A few common outcomes and many rare ones: weights 100, 50, 33, .. of 400 outcomes. */
const weights = Array.from({ length: 400 }, (_, i) => Math.ceil(1000 / (i + 1)))
const total = weights.reduce((a, b) => a + b, 0)
const truth = entropy(weights.map((weight) => weight / total))
const stream = streamFromKey(new Uint8Array(16))
const drawn = (n: number) => {
  const counts = weights.map(() => 0)
  for (let i = 0; i < n; i++) counts[weighted(stream, weights)]! += 1
  return counts
}
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('entropy from a sample', () => {
  it('has less than half the bias of that of the shares, which is too small', () => {
    const samples = Array.from({ length: 40 }, () => drawn(200))
    const plugIn = mean(samples.map((counts) => entropy(counts.map((count) => count / 200))))
    const adjusted = mean(samples.map(chaoShenEntropy))
    expect(truth - plugIn).toBeGreaterThan(0.4)
    expect(Math.abs(truth - adjusted)).toBeLessThan(0.5 * (truth - plugIn))
  })

  it('is that of the shares where everything was seen often', () => {
    expect(chaoShenEntropy([5000, 3000, 2000])).toBeCloseTo(entropy([0.5, 0.3, 0.2]), 6)
    expect(chaoShenEntropy([7, 0])).toBe(0)
  })

  it('follows its formula: two of one and one of another cover 2/3', () => {
    const term = (share: number) => -(share * Math.log(share)) / (1 - (1 - share) ** 3)
    expect(chaoShenEntropy([2, 1])).toBeCloseTo(term(4 / 9) + term(2 / 9), 12)
    expect(() => chaoShenEntropy([0])).toThrow(/positive sum/u)
  })

  it('knows how much of the distribution was seen', () => {
    expect(sampleCoverage([1, 1, 1])).toBe(0)
    expect(sampleCoverage([2, 2])).toBe(1)
    const gaps = Array.from({ length: 40 }, () => {
      const counts = drawn(200)
      const seen = counts.reduce((sum, count, i) => sum + (count > 0 ? (weights[i] as number) : 0), 0) / total
      return sampleCoverage(counts) - seen
    })
    expect(Math.abs(mean(gaps))).toBeLessThan(0.02)
  })
})
