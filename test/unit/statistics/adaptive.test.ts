import { describe, expect, it } from 'vitest'
import { float, Sfc32 } from '../../../src/core/index.ts'
import {
  type LevelCandidate,
  type LevelCounts,
  levelChooser,
  psychometric,
} from '../../../src/libraries/statistics/index.ts'
import { sample } from '../../nightly.ts'

const VALUES = Array.from({ length: 20 }, (_, i) => i + 1)
const CHANCE = 0.25

const chanceOfRight = (x: number, middle: number): number =>
  CHANCE + (0.97 - CHANCE) / (1 + Math.exp(0.8 * (x - middle)))

/** Asks five answers at a time, where it is told. */
function asked(
  stream: Sfc32,
  middle: number,
  answers: number,
  where: (levels: readonly LevelCounts[], step: number) => number,
) {
  const levels = new Map<number, { n: number; right: number }>()
  const now = (): LevelCounts[] => [...levels].map(([at, { n, right }]) => ({ at, n, right, chance: CHANCE }))
  for (let step = 0; step < answers / 5; step++) {
    const at = where(now(), step)
    const known = levels.get(at) ?? { n: 0, right: 0 }
    for (let k = 0; k < 5; k++) if (float(stream) < chanceOfRight(at, middle)) known.right++
    levels.set(at, { n: known.n + 5, right: known.right })
  }
  return now()
}

const askable = (cost?: (at: number) => number): LevelCandidate[] =>
  VALUES.map((at) => ({ at, chance: CHANCE, left: 1000, ...(cost === undefined ? {} : { cost: cost(at) }) }))

const nextLevel = levelChooser(VALUES)
const told = (levels: readonly LevelCounts[]): number => nextLevel(levels, askable()) as number

describe('the choice of where to ask next', () => {
  it('knows the middle of the curve better than as many answers spread evenly, and its intervals hold it', () => {
    const stream = new Sfc32(1, 2, 3, 5)
    const runs = sample({ nightly: 15, otherwise: 5 })
    const wrong = { told: 0, even: 0 }
    let held = 0
    for (let run = 0; run < runs; run++) {
      const middle = 4 + 12 * float(stream)
      for (const kind of ['told', 'even'] as const) {
        const levels = asked(stream, middle, 200, (now, step) =>
          kind === 'told' ? told(now) : (VALUES[(step * 7) % VALUES.length] as number),
        )
        const curve = psychometric(levels)
        if (curve.kind !== 'curve' || curve.x50.kind !== 'inside') {
          wrong[kind] += 5
          continue
        }
        wrong[kind] += Math.abs(curve.x50.value - middle) / runs
        if (kind === 'told' && curve.x50.low <= middle && middle <= curve.x50.high) held++
      }
    }
    expect(wrong.told).toBeLessThan(0.7 * wrong.even)
    // Two of fifteen may miss, and one more by chance.
    expect(held).toBeGreaterThanOrEqual(runs - 3)
  })

  it('goes where the answers point, whichever way the knob turns', () => {
    const level = (at: number, right: number): LevelCounts => ({ at, n: 20, right, chance: CHANCE })
    for (const [easy, hard, way] of [
      [1, 20, 1],
      [20, 1, -1],
    ] as const) {
      const ends = [level(easy, 20), level(hard, 5)]
      const inside = told(ends)
      expect(inside > 3 && inside < 18).toBe(true)
      expect(way * (told([...ends, level(inside, 20)]) - inside)).toBeGreaterThan(0)
      expect(way * (told([...ends, level(inside, 5)]) - inside)).toBeLessThan(0)
    }
  })

  it('asks near the middle of the curve, and rather where it is cheap', () => {
    const levels = VALUES.map((at) => ({ at, n: 40, right: Math.round(40 * chanceOfRight(at, 10)), chance: CHANCE }))
    expect(Math.abs(told(levels) - 10)).toBeLessThanOrEqual(2)
    const cheap = nextLevel(
      levels,
      askable((at) => (at >= 8 ? 100 : 1)),
    )
    expect(cheap).toBeLessThan(8)
  })

  it('ends where nothing is left', () => {
    const left = askable().map((one) => ({ ...one, left: 0 }))
    expect([nextLevel([], []), nextLevel([], left)]).toEqual([null, null])
  })

  it('refuses answers that cost nothing', () => {
    expect(() =>
      nextLevel(
        [],
        askable(() => 0),
      ),
    ).toThrow(/the cost at 1: expected a number above 0/u)
  })
})
