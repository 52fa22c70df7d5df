import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analysisStream, auc } from '../../../src/libraries/statistics/index.ts'
import { averageRoc, grid, hitsAt, rocOf } from '../../../src/tasks/proficiency/analyses/roc.ts'

const labelled = fc
  .array(fc.record({ score: fc.integer({ min: 0, max: 6 }), positive: fc.boolean() }), { minLength: 2, maxLength: 40 })
  .filter((all) => all.some(({ positive }) => positive) && all.some(({ positive }) => !positive))
  .map((all) => ({ scores: all.map(({ score }) => score), positive: all.map(({ positive }) => positive) }))

describe('ROC curves', () => {
  it('have the AUC below them, rise from corner to corner, and are read between their points', () => {
    fc.assert(
      fc.property(labelled, fc.double({ min: 0, max: 1, noNaN: true }), (data, share) => {
        const curve = rocOf(data) ?? []
        const area = curve.slice(1).reduce((sum, point, i) => {
          const before = curve[i] ?? point
          return sum + ((point.falseAlarms - before.falseAlarms) * (point.hits + before.hits)) / 2
        }, 0)
        expect(area).toBeCloseTo(auc(data.scores, data.positive) ?? Number.NaN, 9)
        expect([curve[0], curve.at(-1)]).toEqual([
          { falseAlarms: 0, hits: 0 },
          { falseAlarms: 1, hits: 1 },
        ])
        for (const { falseAlarms, hits } of curve)
          expect(hitsAt(curve, falseAlarms)).toBeGreaterThanOrEqual(hits - 1e-12)
        expect(hitsAt(curve, share)).toBeGreaterThanOrEqual(hitsAt(curve, share / 2) - 1e-12)
      }),
    )
  })

  it('are averaged at equal false alarms, with intervals that hold the mean of a fair coin', () => {
    const stream = analysisStream(1, 'roc')
    const perfect = { scores: [3, 2, 1, 0], positive: [true, true, false, false] }
    const wrong = { ...perfect, positive: [false, false, true, true] }
    const points = averageRoc([perfect, wrong], stream)
    expect(points.map(({ falseAlarms }) => falseAlarms)).toEqual(grid)
    expect(points.slice(0, -1).every(({ hits }) => hits.value === 0.5)).toBe(true)
    expect(points.at(-1)?.hits).toMatchObject({ value: 1, n: 8 })
    for (const { hits } of points) expect(hits.low <= hits.value && hits.value <= hits.high).toBe(true)
    expect(averageRoc([{ scores: [1], positive: [true] }], stream)).toEqual([])
  })
})
