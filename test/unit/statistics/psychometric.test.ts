import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../src/core/index.ts'
import {
  groupedPsychometric,
  type LevelCounts,
  type Psychometric,
  psychometric,
} from '../../../src/libraries/statistics/index.ts'
import { nightly, sample } from '../../nightly.ts'

const share = (at: number, x50: number, slope: number, chance: number, lapse: number): number =>
  chance + (1 - chance - lapse) / (1 + Math.exp(-slope * (at - x50)))

/** Answers of a made-up model at 2, 4, ... 20. */
function drawn(seed: number, x50: number, slope: number, chance: number, lapse: number, n: number): LevelCounts[] {
  const stream = new Sfc32(seed, 7, 11, 13)
  return Array.from({ length: 10 }, (_, i) => {
    const at = 2 + 2 * i
    const p = share(at, x50, slope, chance, lapse)
    let right = 0
    for (let k = 0; k < n; k++) if (stream.u32() / 2 ** 32 < p) right++
    return { at, n, right, chance }
  })
}

const inside = (found: Psychometric, which: 'x50' | 'x75') => {
  if (found.kind !== 'curve') throw new Error(found.kind === 'none' ? found.reason : 'flat')
  const threshold = found[which]
  if (threshold.kind !== 'inside') throw new Error(`outside, solved ${threshold.solved}`)
  return threshold
}

describe('a psychometric curve', () => {
  it.each([
    { x50: 10, slope: -0.5, chance: 0.5, lapse: 0.02 },
    { x50: 8, slope: -0.8, chance: 0, lapse: 0 },
    { x50: 12, slope: 0.6, chance: 0.2, lapse: 0.04 },
    { x50: 10, slope: -0.8, chance: 0, lapse: 0.25 },
  ])(
    'finds what it was drawn from, and its interval holds it as often as it says: %o',
    ({ x50, slope, chance, lapse }) => {
      let covered = 0
      let sum = 0
      const runs = sample({ nightly: 200, otherwise: 80 })
      for (let seed = 0; seed < runs; seed++) {
        const found = psychometric(drawn(seed, x50, slope, chance, lapse, 60))
        const { value, low, high } = inside(found, 'x50')
        sum += value / runs
        if (low <= x50 && x50 <= high) covered++
      }
      expect(Math.abs(sum - x50)).toBeLessThan(0.25)
      // 95 of 100 on average; fewer would come once in a thousand.
      expect(covered / runs).toBeGreaterThan(0.95 - 3.3 * Math.sqrt((0.95 * 0.05) / runs))
      if (nightly) expect(covered).toBeLessThan(runs)
    },
  )

  it('has its 75 % where three quarters of what is not guessed are solved', () => {
    const levels = drawn(1, 10, -0.5, 0.5, 0, 100_000)
    expect(inside(psychometric(levels), 'x75').value).toBeCloseTo(10 - Math.log(3) / 0.5, 1)
    expect(inside(psychometric(levels), 'x50').value).toBeCloseTo(10, 1)
  })

  it('says that a threshold is outside of what was asked', () => {
    const falling = (from: number) =>
      Array.from({ length: 6 }, (_, i) => ({ at: i, n: 200, right: from - 8 * i, chance: 0 }))
    expect(psychometric(falling(190))).toMatchObject({ kind: 'curve', x50: { kind: 'outside', solved: 'more' } })
    expect(psychometric(falling(60))).toMatchObject({ kind: 'curve', x50: { kind: 'outside', solved: 'less' } })
  })

  it('is flat for who guesses, and for who never errs', () => {
    const same = (right: number) => Array.from({ length: 6 }, (_, i) => ({ at: i, n: 50, right, chance: 0.5 }))
    for (const [right, solved] of [
      [50, 1],
      [49, 0.96],
      [25, 0],
      [20, -0.2],
      [0, -1],
    ] as const) {
      const found = psychometric(same(right))
      if (found.kind !== 'flat') throw new Error(found.kind)
      expect(found.aboveChance).toBeCloseTo(solved, 6)
      expect(found.low).toBeLessThanOrEqual(found.aboveChance)
      expect(found.high).toBeGreaterThanOrEqual(found.aboveChance)
      expect(found.share(3, 0.5)).toBeCloseTo(right / 50, 6)
    }
  })

  it('that is flat has an interval as far as the likelihood falls by 1.92', () => {
    const same = (right: number) => Array.from({ length: 6 }, (_, i) => ({ at: i, n: 50, right, chance: 0.5 }))
    const all = psychometric(same(50))
    // 300 ln p = -1.92 at the lower end, and p = 1/2 + low / 2.
    expect(all.kind === 'flat' && [all.low, all.high]).toEqual([
      expect.closeTo(2 * Math.exp(-1.9207294 / 300) - 1, 5),
      1,
    ])
    const none = psychometric(same(0))
    expect(none.kind === 'flat' && [none.low, none.high]).toEqual([
      -1,
      expect.closeTo(1 - 2 * Math.exp(-1.9207294 / 300) + 0, 5),
    ])
  })

  it('takes guesses for a curve as seldom as it says, whatever chance is at each value', () => {
    for (const chanceAt of [() => 0.5, (i: number) => 1 / (2 + i)]) {
      let curves = 0
      for (let seed = 0; seed < 1000; seed++) {
        const stream = new Sfc32(seed, 3, 5, 9)
        const levels = Array.from({ length: 8 }, (_, i) => {
          let right = 0
          for (let k = 0; k < 40; k++) if (stream.u32() / 2 ** 32 < chanceAt(i)) right++
          return { at: i, n: 40, right, chance: chanceAt(i) }
        })
        if (psychometric(levels).kind === 'curve') curves++
      }
      // 50 on average; 75 or more, or 27 or fewer, would come once in some thousands.
      expect(curves).toBeGreaterThan(27)
      expect(curves).toBeLessThan(75)
    }
  })

  it('tests a trend as Cochran and Armitage do where chance is one', () => {
    const levels = [14, 19, 17, 25, 22].map((right, i) => ({ at: i * i, n: 40, right, chance: 0.25 }))
    const found = psychometric(levels, { confidence: 0.999 })
    const mean = levels.reduce((sum, { at }) => sum + at, 0) / 5
    const p = levels.reduce((sum, { right }) => sum + right, 0) / 200
    const score = levels.reduce((sum, { at, right }) => sum + (at - mean) * right, 0)
    const variance = p * (1 - p) * levels.reduce((sum, { at, n }) => sum + n * (at - mean) ** 2, 0)
    // Upper tail of a chi square of one degree of freedom, by the error function's series.
    const z = Math.abs(score) / Math.sqrt(variance)
    let [term, phi] = [z, z]
    for (let k = 1; k < 60; k++) {
      term *= (-z * z) / (2 * k)
      phi += term / (2 * k + 1)
    }
    expect(found.kind === 'flat' && found.trend).toBeCloseTo(1 - (2 * phi) / Math.sqrt(2 * Math.PI), 8)
  })

  it('takes a step for a step', () => {
    const step = Array.from({ length: 6 }, (_, i) => ({ at: i, n: 50, right: i < 3 ? 50 : 0, chance: 0 }))
    const { value, low, high } = inside(psychometric(step), 'x50')
    expect(value).toBeGreaterThan(2)
    expect(value).toBeLessThan(3)
    expect(low).toBeGreaterThan(1.5)
    expect(high).toBeLessThan(3.5)
  })

  it('tells levels that lie on no such curve', () => {
    const u = [60, 20, 10, 20, 60, 60].map((right, at) => ({ at, n: 64, right, chance: 0 }))
    const found = psychometric(u)
    expect(found.kind === 'curve' && found.misfit !== null && found.misfit.p).toBeLessThan(0.001)
    expect(psychometric(u.slice(0, 2)).kind).toBe('none')
    // Values at which nothing was asked are none.
    const unasked = [9, 8, 7].map((at) => ({ at, n: 0, right: 0, chance: 0 }))
    expect(psychometric([...u.slice(0, 2), ...unasked]).kind).toBe('none')
    expect(psychometric([...unasked, ...u])).toMatchObject(JSON.parse(JSON.stringify(psychometric(u))))
    // The curve falls and never rises again: what is off is the end.
    const [first, last] = [u[0], u[5]].map((level) =>
      found.kind === 'curve' && level !== undefined ? found.residual(level) : 0,
    )
    expect(Math.max(Math.abs(first as number), Math.abs(last as number))).toBeGreaterThan(3)
  })

  it('has wider intervals where items come in groups', () => {
    const levels = drawn(3, 10, -0.5, 0.5, 0, 60)
    const width = (design: number) => {
      const { low, high } = inside(psychometric(levels, { design }), 'x50')
      return high - low
    }
    expect(width(4)).toBeGreaterThan(1.5 * width(1))
  })
})

describe('a curve of answers in groups', () => {
  const values = Array.from({ length: 120 }, (_, i) => 1 + (i % 6))
  const right = values.map((at, i) => (((i * 7919) % 101) / 101 < 1 / (1 + Math.exp(at - 3.5)) ? 1 : 0))
  const chance = () => 0
  const fitted = (copies: number, clustersOf: (row: number, copy: number) => number, least?: number) => {
    const every = values.flatMap((at, row) =>
      Array.from({ length: copies }, (_, copy) => ({
        at,
        right: right[row] as number,
        cluster: clustersOf(row, copy),
      })),
    )
    return groupedPsychometric({
      at: every.map((one) => one.at),
      right: every.map((one) => one.right),
      clusters: every.map(({ cluster }) => cluster),
      chance,
      ...(least === undefined ? {} : { least }),
    })
  }

  it('counts answers that are always alike as one', () => {
    const alone = fitted(1, (row) => row)
    expect(alone.design).toBeCloseTo(1, 1)
    expect(alone.levels).toHaveLength(6)
    expect(alone.levels.every(({ at, n }, i) => at === i + 1 && n === 20)).toBe(true)
    const twice = fitted(2, (row) => row)
    expect(twice.design).toBeCloseTo(2, 1)
    expect(twice.levels.every(({ n }) => n === 40)).toBe(true)
    const [a, b] = [inside(alone.curve, 'x50'), inside(twice.curve, 'x50')]
    expect(b.value).toBeCloseTo(a.value, 3)
    expect((b.high - b.low) / (a.high - a.low)).toBeCloseTo(1, 1)
    // As if they were others.
    const apart = inside(fitted(2, (row, copy) => 2 * row + copy).curve, 'x50')
    expect((a.high - a.low) / (apart.high - apart.low)).toBeGreaterThan(1.3)
  })

  it('varies at least as its plan does, and exactly so where one group leaves nothing to compare', () => {
    expect(fitted(1, (row) => row, 3).design).toBeCloseTo(3, 0)
    expect(fitted(1, () => 0, 2.5).design).toBe(2.5)
    expect(fitted(1, () => 0).design).toBe(1)
    const few = groupedPsychometric({ at: [1, 1], right: [1, 0], clusters: [0, 1], chance, least: 4 })
    expect([few.curve.kind, few.design, few.levels]).toEqual(['none', 4, [{ at: 1, n: 2, right: 1, chance: 0 }]])
    expect(() => groupedPsychometric({ at: [1, 2], right: [1], clusters: [0], chance })).toThrow(/got 2 and 1/)
  })
})
