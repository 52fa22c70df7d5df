import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../../src/core/index.ts'
import { byItem, overGroups, overItems, testHeuristic } from '../../../../src/datasets/audit/measure.ts'
import { blocksOf, moments, rowExcess, type Scored } from '../../../../src/datasets/audit/statistic.ts'
import { normalTwoSided } from '../../../../src/libraries/statistics/index.ts'

const draws = new Sfc32(5, 6, 7, 8)
const uniform = (below: number) => Math.floor((draws.u32() * below) / 4294967296)

/** Yes/no items that a guess gets right with 0.5 + gain, in so many blocks. */
function guessed(n: number, gain: number, blocks: number): { scored: Scored; labels: number[] } {
  const keys = Int32Array.from({ length: n }, () => uniform(2))
  const scores = new Float64Array(2 * n)
  for (let i = 0; i < n; i++) {
    const right = uniform(1_000_000) < (0.5 + gain) * 1_000_000
    scores[2 * i + (right ? (keys[i] as number) : 1 - (keys[i] as number))] = 1
  }
  return { scored: { classes: 2, scores, keys }, labels: Array.from({ length: n }, (_, i) => i % blocks) }
}

describe('the interval of a gain over groups', () => {
  it.each([1, 4, 40])('takes every item for a group where it is one, whatever the blocks: %i', (count) => {
    const n = 4000
    const { scored, labels } = guessed(n, 0.1, count)
    const own = Int32Array.from({ length: n }, (_, i) => i)
    const measured = testHeuristic('guess', scored, blocksOf(labels), own)
    const { ci, groups } = overGroups(measured)
    expect(groups).toBe(n)
    const half = (measured.test.ci[1] - measured.test.ci[0]) / 2
    expect((ci[1] - ci[0]) / 2 / half).toBeGreaterThan(0.999)
    expect((ci[1] - ci[0]) / 2 / half).toBeLessThan(1.1)
  })

  it('is wide where groups differ', () => {
    const n = 4000
    const { scored } = guessed(n, 0, 1)
    const groupOf = Int32Array.from({ length: n }, (_, i) => i % 20)
    // Groups are told entirely or not at all.
    for (let i = 0; i < n; i++)
      for (let k = 0; k < 2; k++)
        scored.scores[2 * i + k] = (scored.keys[i] === k) === (groupOf[i] as number) < 10 ? 1 : 0
    const { ci, groups } = overGroups(testHeuristic('guess', scored, blocksOf(Array.from(groupOf)), groupOf))
    expect(groups).toBe(20)
    expect(ci[1] - ci[0]).toBeGreaterThan(0.5)
  })
})

/** Three items of candidates: one of two accepted, two of three, and one that accepts all. */
function ofCandidates() {
  const x = Float64Array.of(1, 2, 5, 5, 1, 3, 4)
  const accepted = Uint8Array.of(0, 1, 1, 0, 1, 1, 1)
  const scored: Scored = { classes: 2, scores: new Float64Array(14), keys: Int32Array.from(accepted) }
  for (let row = 0; row < 7; row++) scored.scores[2 * row + 1] = x[row] as number
  return testHeuristic('guess', scored, blocksOf([0, 0, 1, 1, 1, 2, 2]), Int32Array.of(0, 0, 1, 1, 1, 2, 2), 3)
}

it('candidates by item: is the likeliest accepted, where equals share, and by how much more than one of them', () => {
  const { accuracy, chance, gain, ci } = byItem(ofCandidates()).test
  // The second of two; of three either of the first two; either of the last.
  expect(accuracy).toBeCloseTo((1 + 1 / 2 + 1) / 3, 12)
  expect(chance).toBeCloseTo((1 / 2 + 2 / 3 + 1) / 3, 12)
  expect(gain).toBeCloseTo(1 / 9, 12)
  expect(ci[1] - gain).toBeCloseTo((2.5758293035489 * Math.sqrt(1 / 4 + 2 / 9)) / 3, 12)
  expect(gain - ci[0]).toBeCloseTo(ci[1] - gain, 12)
})

it('candidates over items: an item that keeps together is one observation', () => {
  const measured = ofCandidates()
  const { z, p, ci } = overItems(measured).test
  if (measured.keys === undefined) throw new Error('there are keys to permute')
  const { scored, blocks } = measured.keys
  const { variance } = moments(scored, blocks)
  const excess = rowExcess(scored, blocks)
  const square = [
    [0, 1],
    [2, 3, 4],
    [5, 6],
  ].reduce((sum, rows) => sum + rows.reduce((all, row) => all + (excess[row] as number), 0) ** 2, 0)
  const widening = Math.sqrt(Math.max(1, square / variance))
  expect(z).toBeCloseTo(measured.test.z / widening, 12)
  expect(p).toBeCloseTo(normalTwoSided(z), 12)
  expect(ci[1] - ci[0]).toBeCloseTo((measured.test.ci[1] - measured.test.ci[0]) * widening, 12)
  expect(overItems(measured).keys).toBeUndefined()
})

it('a guess of nothing has no accuracy', () => {
  const scored: Scored = { classes: 2, scores: new Float64Array(0), keys: new Int32Array(0) }
  const { test } = testHeuristic('guess', scored, blocksOf([]), new Int32Array(0))
  expect(test).toMatchObject({ n: 0, p: 1, accuracy: null, chance: null, gain: 0, ci: [0, 0] })
})

it('a gain of nothing has the interval of its blocks', () => {
  // Each key twice, each guess right once and wrong once.
  const scored: Scored = {
    classes: 2,
    scores: Float64Array.of(1, 0, 1, 0, 0, 1, 0, 1),
    keys: Int32Array.of(0, 1, 0, 1),
  }
  const measured = testHeuristic('guess', scored, blocksOf([0, 0, 0, 0]), Int32Array.of(0, 0, 1, 1))
  expect(measured.test.gain).toBe(0)
  expect(overGroups(measured)).toEqual({ ci: measured.test.ci, groups: 2 })
})

it('a row has its score less the means of its row, of its column and of all, each key by its share', () => {
  const [n, classes] = [12, 3]
  const scored: Scored = {
    classes,
    scores: Float64Array.from({ length: n * classes }, () => uniform(9)),
    keys: Int32Array.from({ length: n }, (_, i) => [0, 0, 0, 1, 1, 2][i % 6] as number),
  }
  const at = (row: number, k: number) => scored.scores[row * classes + k] as number
  const found = rowExcess(scored, blocksOf(Array.from({ length: n }, (_, i) => (i < 6 ? 'a' : 'b'))))
  for (const rows of [0, 6].map((from) => [0, 1, 2, 3, 4, 5].map((i) => from + i))) {
    const share = [3 / 6, 2 / 6, 1 / 6]
    const mean = (of: (k: number) => number) => share.reduce((sum, part, k) => sum + part * of(k), 0)
    const column = (k: number) => rows.reduce((sum, row) => sum + at(row, k), 0) / 6
    for (const row of rows) {
      const key = scored.keys[row] as number
      const expected = at(row, key) - mean((k) => at(row, k)) - column(key) + mean(column)
      expect(found[row]).toBeCloseTo(expected, 12)
    }
  }
})

it('the excess of the rows is that of their blocks', () => {
  const n = 300
  const classes = 3
  const scored: Scored = {
    classes,
    scores: Float64Array.from({ length: n * classes }, () => uniform(9)),
    keys: Int32Array.from({ length: n }, () => uniform(classes)),
  }
  const blocks = blocksOf(Array.from({ length: n }, () => uniform(5)))
  const total = rowExcess(scored, blocks).reduce((sum, excess) => sum + excess, 0)
  expect(total).toBeCloseTo(moments(scored, blocks).excess, 9)
})
