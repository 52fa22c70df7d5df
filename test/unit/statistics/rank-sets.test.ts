import { describe, expect, it } from 'vitest'
import { below, namedStream } from '../../../src/core/index.ts'
import { analysisStream, type GroupSums, rankSets } from '../../../src/libraries/statistics/index.ts'

/** Contestants with these accuracies on so many items a group; what a group adds is shared by all. */
function sheets(name: string, rates: readonly number[], groups: number, items: number): GroupSums[] {
  const stream = namedStream('ranks', name)
  const shifts = Array.from({ length: groups }, () => (below(stream, 201) - 100) / 1000)
  return rates.map((rate) => ({
    sums: Float64Array.from(shifts, (shift) => {
      let hits = 0
      for (let i = 0; i < items; i++) if (below(stream, 1000) < 1000 * (rate + shift)) hits++
      return hits
    }),
    counts: new Float64Array(groups).fill(items),
  }))
}

const stream = () => analysisStream(1, 'test')

describe('rank sets', () => {
  it('are single ranks where all are far apart, in whatever order they come', () => {
    const found = rankSets(sheets('apart', [0.2, 0.8, 0.5], 30, 30), stream())
    expect(found?.sets).toEqual([
      { best: 3, worst: 3 },
      { best: 1, worst: 1 },
      { best: 2, worst: 2 },
    ])
  })

  it('leave all ranks to equals', () => {
    const found = rankSets(sheets('equal', [0.5, 0.5, 0.5, 0.5], 30, 30), stream())
    expect(found?.sets).toEqual(Array.from({ length: 4 }, () => ({ best: 1, worst: 4 })))
  })

  it('hold the true ranks of all together in 95 % of runs', () => {
    const rates = [0.6, 0.55, 0.5, 0.45]
    let missed = 0
    for (let run = 0; run < 60; run++) {
      const found = rankSets(sheets(`cover ${run}`, rates, 20, 20), analysisStream(run, 'cover'))
      if (found?.sets.every(({ best, worst }, m) => best <= m + 1 && m + 1 <= worst) !== true) missed++
    }
    // Seven or more of sixty would be a chance of 3 % at a true 5 %.
    expect(missed).toBeLessThan(7)
  })

  it('leave all ranks open to eight equals in few groups of unlike sizes', () => {
    let missed = 0
    for (let run = 0; run < 40; run++) {
      const draw = namedStream('ranks', `few equals ${run}`)
      const counts = Float64Array.from({ length: 8 }, () => [10, 20, 40, 120][below(draw, 4)] as number)
      const equals = Array.from({ length: 8 }, () => ({
        counts,
        sums: counts.map((n) => Math.round(n * (0.5 + (below(draw, 401) - 200) / 1000))),
      }))
      const found = rankSets(equals, analysisStream(run, 'few equals'))
      if (found?.sets.every(({ best, worst }) => best === 1 && worst === 8) !== true) missed++
    }
    // The bootstrap alone missed in half of them.
    expect(missed).toBeLessThan(6)
  })

  it('say nothing where all is in one group', () => {
    const counts = Float64Array.from({ length: 8 }, (_, g) => (g === 0 ? 5 : 0))
    const sums = counts.map((n) => n / 5)
    expect(
      rankSets(
        [
          { sums, counts },
          { sums: counts, counts },
        ],
        stream(),
      ),
    ).toBeNull()
  })

  it('say nothing of one contestant, of few groups, or where somebody has no counts', () => {
    expect(rankSets(sheets('one', [0.5], 30, 5), stream())).toBeNull()
    expect(rankSets(sheets('few', [0.5, 0.6], 7, 5), stream())).toBeNull()
    const [first] = sheets('none', [0.5], 10, 5)
    expect(
      rankSets([first as GroupSums, { sums: new Float64Array(10), counts: new Float64Array(10) }], stream()),
    ).toBeNull()
  })
})

it('contestants that differ by the same everywhere are told apart, and copies never', () => {
  const counts = new Float64Array(10).fill(4)
  const low: GroupSums = { sums: Float64Array.from({ length: 10 }, (_, g) => 1 + (g % 2)), counts }
  const high: GroupSums = { sums: low.sums.map((sum) => sum + 1), counts }
  const found = rankSets([low, high, low], stream())
  expect(found?.sets).toEqual([
    { best: 2, worst: 3 },
    { best: 1, worst: 1 },
    { best: 2, worst: 3 },
  ])
  expect(found?.groups).toBe(10)
  const nobody: GroupSums = { sums: new Float64Array(10), counts: new Float64Array(10) }
  expect(rankSets([low, nobody], stream())).toBeNull()
})
