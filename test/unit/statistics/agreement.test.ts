import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  againstOthers,
  cohenKappa,
  fleissKappa,
  krippendorffAlpha,
  largestShare,
} from '../../../src/libraries/statistics/index.ts'

const none = -1

describe('agreement of raters', () => {
  it("Krippendorff's nominal example: four coders, twelve units, seven gaps", () => {
    const coders = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, none, none, none],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, none, 3],
      [none, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, none],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, none],
    ]
    expect(krippendorffAlpha(coders)).toBeCloseTo(0.743, 3)
  })

  it("Cohen's kappa of 50 proposals: 20 both yes, 15 both no, 5 and 10 otherwise (.4)", () => {
    const of = (yes: number, yesNo: number, noYes: number, no: number) =>
      [
        [...Array(yes + yesNo).fill(1), ...Array(noYes + no).fill(0)],
        [...Array(yes).fill(1), ...Array(yesNo).fill(0), ...Array(noYes).fill(1), ...Array(no).fill(0)],
      ] as [number[], number[]]
    expect(cohenKappa(...of(20, 5, 10, 15))).toBeCloseTo(0.4, 12)
    // The same agreement of 60, with other margins.
    expect(cohenKappa(...of(45, 15, 25, 15))).toBeCloseTo(0.1304, 4)
    expect(cohenKappa(...of(25, 35, 5, 35))).toBeCloseTo(0.2593, 4)
  })

  it("Fleiss' kappa of ten units, fourteen raters and five labels (.210)", () => {
    const table = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ]
    const units = table.map((counts) => counts.flatMap((count, label) => Array<number>(count).fill(label)))
    const raters = Array.from({ length: 14 }, (_, r) => units.map((labels) => labels[r] as number))
    expect(fleissKappa(raters)).toBeCloseTo(0.21, 3)
  })

  it('with two raters without gaps alpha is near kappa, and relabelling changes nothing', () => {
    const label = fc.integer({ min: 0, max: 3 })
    fc.assert(
      fc.property(fc.array(fc.tuple(label, label), { minLength: 2, maxLength: 40 }), (pairs) => {
        const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)]
        const moved = (list: readonly number[]) => list.map((x) => (x + 2) % 4)
        for (const of of [
          (x: number[], y: number[]) => krippendorffAlpha([x, y]),
          (x: number[], y: number[]) => fleissKappa([x, y]),
          cohenKappa,
        ]) {
          const found = of(a, b)
          expect(of(b, a)).toEqual(found === null ? null : expect.closeTo(found, 9))
          expect(of(moved(a), moved(b))).toEqual(found === null ? null : expect.closeTo(found, 9))
          if (found !== null) expect(found).toBeLessThanOrEqual(1 + 1e-12)
        }
        const [alpha, kappa] = [krippendorffAlpha([a, b]), fleissKappa([a, b])]
        // For two raters: 1 - alpha = (1 - kappa) (2n - 1) / 2n.
        const n = pairs.length
        if (alpha !== null && kappa !== null) expect(1 - alpha).toBeCloseTo(((1 - kappa) * (2 * n - 1)) / (2 * n), 9)
        expect(largestShare([a, b])).toBeGreaterThanOrEqual(0.5)
      }),
      { seed: 3 },
    )
  })

  it('is undefined where nothing could disagree', () => {
    const same = [
      [1, 1],
      [1, 1],
    ]
    expect([krippendorffAlpha(same), fleissKappa(same), cohenKappa([1, 1], [1, 1])]).toEqual([null, null, null])
    expect([krippendorffAlpha([[1, none]]), largestShare([[none]]), fleissKappa([[1]])]).toEqual([null, null, null])
    expect(() => krippendorffAlpha([[1], [1, 2]])).toThrow(/one entry per unit from every rater, got 1, 2/)
  })
})

it('a rater against the others: with a majority where there is one, and by shares everywhere', () => {
  const gap = -1
  const others = [
    [0, 0, 1, gap, 2, gap],
    [0, 1, 1, gap, 2, 0],
    [1, gap, 1, gap, 2, gap],
  ]
  // Two of three, a tie, all, nobody, all, one alone.
  expect(againstOthers([0, 0, 0, 0, gap, 0], others)).toEqual({
    majority: 2 / 3,
    units: 3,
    weighted: (2 / 3 + 1 / 2 + 0 + 1) / 4,
  })
  expect(againstOthers([1], [[0], [0], [1], [2]])).toEqual({ majority: null, units: 0, weighted: 1 / 4 })
  expect(againstOthers([gap, 1], [[0], []])).toEqual({ majority: null, units: 0, weighted: null })
})
