import { expect, test } from 'vitest'
import type { Estimate } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { tiers } from '../../../src/tasks/slr-bench/analyses/tiers.ts'

test('partial, syntax and held-out scores are shares, and so are the ends of their intervals; the gap need not be', () => {
  const partial = [1, 1, 1, 1, 0.5]
  const frame = memoryFrame({
    item: partial.map((_, i) => `i${i}`),
    model: partial.map(() => 'm'),
    group: partial.map((_, i) => `g${i}`),
    status: partial.map(() => 'graded'),
    score: [1, 1, 1, 1, 0],
    feature_tier: partial.map(() => 'basic'),
    subscore_partial: partial,
    subscore_syntax: partial.map(() => 1),
    subscore_heldOut: partial.map(() => 0),
    subscore_gap: [1, 1, 1, 1, -0.5],
  })
  const [row] = tiers.run(frame, { parser: 'strict', seed: 1, frameOf: () => frame }).tables[0]?.rows ?? []
  for (const [key, value] of [
    ['partial', 0.9],
    ['syntax', 1],
    ['heldOut', 0],
  ] as const) {
    const found = row?.[key] as Estimate
    expect(found.value, key).toBeCloseTo(value, 12)
    expect(found.low, key).toBeGreaterThanOrEqual(0)
    expect(found.high, key).toBeLessThanOrEqual(1)
    // Five answers prove nothing for certain.
    expect(found.high - found.low, key).toBeGreaterThan(0.1)
  }
  const gap = row?.['gap'] as Estimate
  expect(gap.value).toBeCloseTo(0.7, 12)
  expect(gap.low).toBeLessThan(gap.value)
})
