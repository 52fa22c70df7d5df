import { describe, expect, it } from 'vitest'
import { float, type Stream } from '../../../src/core/index.ts'
import {
  analysisStream,
  binomialUpper,
  type Contrast,
  contamination,
  keySeen,
  memoryFrame,
  tQuantile,
  tUpper,
} from '../../../src/libraries/statistics/index.ts'
import { contaminationOf } from '../../../src/report/index.ts'

/** Right or wrong answers of a model and two references: items and groups of unequal difficulty, published ones harder. */
function simulated(random: Stream, groups: number, gain: number): Contrast[] {
  const out: Contrast[] = []
  for (const side of ['published', 'fresh'] as const)
    for (let g = 0; g < groups; g++) {
      const size = [5, 10, 30][g % 3] as number
      const group = 0.3 * (float(random) - 0.5)
      // The model's own way with the group: what makes items of a group depend on each other.
      const own = 0.3 * (float(random) - 0.5)
      for (let i = 0; i < size; i++) {
        const stratum = i % 2 === 0 ? 'short' : 'long'
        const level = 0.5 + group - (side === 'published' ? 0.1 : 0) + (stratum === 'short' ? 0.05 : 0)
        const right = (p: number): number => (float(random) < p ? 1 : 0)
        const seen = side === 'published' ? gain : 0
        const value = right(level + own + seen) - (right(level) + right(level)) / 2
        out.push({ side, stratum, group: `${side} ${g}`, value })
      }
    }
  return out
}

describe('difference in differences', () => {
  it.each([4, 8, 12, 30])(
    'alarms in about one of twenty clean sets and covers 0 in about the others, with %i groups',
    (groups) => {
      const runs = 600
      let alarms = 0
      let covered = 0
      for (let k = 0; k < runs; k++) {
        const found = contamination(simulated(analysisStream(k, `clean ${groups}`), groups, 0))
        if (found === null) throw new Error('nothing was estimated')
        if (found.p < 0.05) alarms++
        if (found.estimate.low <= 0 && found.estimate.high >= 0) covered++
      }
      // Three standard errors of 600 runs at 5 % are 2.7 points.
      expect(alarms / runs).toBeGreaterThan(0.022)
      expect(alarms / runs).toBeLessThan(0.078)
      expect(covered / runs).toBeGreaterThan(0.922)
    },
  )

  it('is worked out by hand: two groups a side, one stratum, and one that a side lacks', () => {
    const rows = (side: Contrast['side'], stratum: string, groups: readonly (readonly number[])[]): Contrast[] =>
      groups.flatMap((values, g) => values.map((value) => ({ side, stratum, group: `${side} ${g}`, value })))
    const found = contamination([
      ...rows('published', 'long', [
        [1, 1],
        [0, 0],
      ]),
      ...rows('fresh', 'long', [
        [0, 0],
        [1, 0],
      ]),
      ...rows('published', 'short', [[1], [1]]),
    ])
    // Residuals of groups are 1 and -1, and 1/2 and -1/2, of four rows, half of them in each group.
    const [published, fresh] = [(2 * 1 ** 2) / 4 ** 2 / 0.5, (2 * 0.5 ** 2) / 4 ** 2 / 0.5]
    const error = Math.sqrt(published + fresh)
    const freedom = (published + fresh) ** 2 / (published ** 2 + fresh ** 2)
    expect(found?.estimate).toMatchObject({ value: 0.25, n: 8 })
    expect(found?.estimate.method).toBe('difference in differences over 2 + 2 groups, t 95 %')
    expect(found?.p).toBeCloseTo(tUpper(0.25 / error, freedom), 10)
    expect(found?.estimate.high).toBeCloseTo(0.25 + tQuantile(0.975, freedom) * error, 8)
    expect(found?.estimate.low).toBeCloseTo(0.25 - tQuantile(0.975, freedom) * error, 8)
    expect(found?.groups).toEqual({ published: 2, fresh: 2 })
    expect(found?.strata).toEqual([{ stratum: 'long', published: 4, fresh: 4, gap: 0.25 }])
    expect(found?.leftOut).toEqual(['short'])
  })

  it('finds a planted gain of 15 points', () => {
    let found = 0
    let sum = 0
    for (let k = 0; k < 100; k++) {
      const result = contamination(simulated(analysisStream(k, 'planted'), 30, 0.15))
      if (result === null) throw new Error('nothing was estimated')
      sum += result.estimate.value
      if (result.p < 0.05) found++
    }
    expect(sum / 100).toBeGreaterThan(0.12)
    expect(sum / 100).toBeLessThan(0.18)
    expect(found).toBeGreaterThan(75)
  })

  it('compares within strata and names those that cannot be compared', () => {
    const row = (side: Contrast['side'], stratum: string, group: string, value: number): Contrast => ({
      side,
      stratum,
      group,
      value,
    })
    const result = contamination([
      ...['a', 'b', 'c'].map((group) => row('published', 'x', group, 0.5)),
      ...['d', 'e', 'f', 'g'].map((group) => row('fresh', 'x', group, 0.25)),
      row('published', 'y', 'a', 1),
      row('fresh', 'y', 'd', 0),
    ])
    expect(result).toMatchObject({ estimate: { value: 0.25, low: 0.25, high: 0.25, n: 7 }, p: 0, leftOut: ['y'] })
    expect(contamination([row('published', 'x', 'a', 1)])).toBeNull()
  })
})

describe('the ceiling', () => {
  it('is the binomial tail where all items have as many right answers', () => {
    for (const [matches, n, r] of [
      [1, 5, 3],
      [3, 5, 3],
      [5, 5, 2],
      [30, 100, 4],
    ] as const)
      expect(keySeen(matches, new Array(n).fill(r))).toBeCloseTo(binomialUpper(matches - 1, n, 1 / r), 10)
  })
  it('takes unequal numbers, and refuses none', () => {
    expect(keySeen(2, [2, 4])).toBeCloseTo(1 / 8, 12)
    expect(keySeen(1, [2, 4])).toBeCloseTo(1 - 3 / 8, 12)
    expect(keySeen(3, [2, 4])).toBe(0)
    expect(() => keySeen(1, [0])).toThrow(/whole and positive/)
  })
})

describe('over the rows of two runs', () => {
  const rows = (side: string, right: (model: string, i: number) => boolean) => {
    const all = ['new', 'old'].flatMap((model) => Array.from({ length: 40 }, (_, i) => ({ model, i })))
    return memoryFrame({
      item: all.map(({ i }) => `${side}-${i}`),
      group: all.map(({ i }) => `g${i % 8}`),
      task: all.map(() => 't/t'),
      model: all.map(({ model }) => model),
      status: all.map(({ i }) => (i === 39 ? 'unparsed' : 'graded')),
      score: all.map(({ model, i }) => (i === 39 ? null : right(model, i) ? 1 : 0)),
      feature_length: all.map(({ i }) => String(i % 2)),
    })
  }
  const fresh = rows('f', (_, i) => i % 3 === 0)
  const published = rows('p', (model, i) => i % 3 === 0 || (model === 'new' && i % 3 === 1))
  const plan = { model: 'new', before: ['old'], strata: ['feature_length'] }

  it('counts what was not read as wrong and finds the gain', () => {
    const { result, incomplete, placebos } = contaminationOf(published, fresh, plan)
    expect(result.estimate.value).toBeCloseTo(13 / 40, 2)
    expect(result.p).toBeLessThan(0.01)
    expect(incomplete).toBe(0)
    expect(placebos).toEqual([{ model: 'old', result: null }])
    expect(contaminationOf(fresh, fresh, plan).result.estimate.value).toBe(0)
  })

  it('says what is missing', () => {
    expect(() => contaminationOf(published, fresh, { ...plan, before: [] })).toThrow(/at least one reference model/)
    expect(() => contaminationOf(published, fresh, { ...plan, model: 'newer' })).toThrow(
      /newer has no outcome.*new, old/,
    )
    expect(() => contaminationOf(published, fresh, { ...plan, strata: ['feature_x'] })).toThrow(/no column feature_x/)
    expect(() => contaminationOf(published, fresh, { ...plan, strata: ['item'] })).toThrow(/no stratum/)
  })
})
