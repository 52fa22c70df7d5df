import { expect, it } from 'vitest'
import { below, namedStream } from '../../../src/core/index.ts'
import { tTwoSided } from '../../../src/libraries/statistics/distributions/test-statistics.ts'
import { clusteredGap, design, linear } from '../../../src/libraries/statistics/index.ts'

it.each([
  ['clusters on both sides', 60, 9, (i: number) => i % 4 === 0],
  ['clusters on one side each', 60, 12, (i: number) => i % 12 < 5],
  ['rows of their own', 40, 40, (i: number) => i % 3 === 0],
  ['sizes far apart', 90, 5, (i: number) => i > 70 || i % 7 === 0],
])('a gap is the regression on one indicator: %s', (name, n, groups, isInside) => {
  const stream = namedStream('gap', name)
  const rows = Array.from({ length: n }, (_, i) => i)
  const y = rows.map(() => below(stream, 2))
  const inside = rows.map((i) => (isInside(i) ? 1 : 0))
  const clusters = rows.map((i) => (name === 'sizes far apart' ? Math.min(groups, Math.floor(i / 9)) : i % groups))
  const fit = linear(design({ inside: { kind: 'numeric', values: inside } }, [['inside']]), y, {
    clusters,
    confidence: 0.9,
  })
  const coefficient = fit.kind === 'linear' ? fit.coefficients[1] : undefined
  const found = clusteredGap(y, inside, clusters, 0.9)
  expect(found?.gap.value).toBeCloseTo(coefficient?.estimate as number, 10)
  const least = [0, 1].reduce((sum, side) => {
    const mine = y.filter((_, i) => inside[i] === side)
    const p = (mine.reduce((total, one) => total + one, 0) + 2) / (mine.length + 4)
    return sum + (p * (1 - p)) / mine.length
  }, 0)
  const error = Math.max(coefficient?.standardError as number, Math.sqrt(least))
  expect(found?.standardError).toBeCloseTo(error, 10)
  expect(found?.p).toBeCloseTo(tTwoSided((coefficient?.estimate as number) / error, found?.df as number), 9)
  if (error === coefficient?.standardError) expect(found?.gap.low).toBeCloseTo(coefficient.low, 9)
})

it.each([
  [0.9, 16, 104, 1],
  [0.97, 20, 60, 1],
  [0.6, 40, 80, 5],
])(
  'one sample of twenty at most shows a difference that is not there: %s right, %s and %s rows, groups of %s',
  (rate, inner, outer, size) => {
    const stream = namedStream('gap', `${rate}`)
    let wrong = 0
    for (let run = 0; run < 1500; run++) {
      const rows = Array.from({ length: inner + outer }, (_, i) => i)
      const y = rows.map(() => (below(stream, 1000) < 1000 * rate ? 1 : 0))
      const found = clusteredGap(
        y,
        rows.map((i) => i < inner),
        rows.map((i) => Math.floor(i / size)),
      )
      if ((found?.p ?? 1) < 0.05) wrong++
    }
    expect(wrong / 1500).toBeLessThanOrEqual(0.06)
  },
)

it('one cluster inside, or nobody outside: no gap', () => {
  expect(clusteredGap([1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 1, 2])).toBeNull()
  expect(clusteredGap([1, 0], [1, 1], [0, 1])).toBeNull()
  expect(clusteredGap([1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 2, 3])).toMatchObject({ gap: { value: 0 }, p: 1 })
  expect(clusteredGap([1, 1, 0, 0], [1, 1, 0, 0], [0, 1, 2, 3])?.p).toBeGreaterThan(0.05)
  expect(() => clusteredGap([1], [1, 0], [0])).toThrow(RangeError)
})
