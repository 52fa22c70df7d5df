import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Sfc32 } from '../../../src/core/index.ts'
import {
  classRates,
  clusterBootstrap,
  clusteredMean,
  confusion,
  signFlipTest,
  tQuantile,
} from '../../../src/libraries/statistics/index.ts'

const stream = () => new Sfc32(1, 2, 3, 4)

it('rates of a class are shares of the rows that definitions name', () => {
  const label = fc.constantFrom('a', 'b', 'c')
  fc.assert(
    fc.property(fc.array(fc.tuple(label, label), { minLength: 1, maxLength: 12 }), (rows) => {
      const found = classRates(
        confusion(
          rows.map(([truth]) => truth),
          rows.map(([, said]) => said),
        ),
      )
      const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)
      for (const { label: x, truths, predictions, hits, precision, recall, falsePositiveRate, f1 } of found) {
        const of = (test: (truth: string, said: string) => boolean) => rows.filter(([t, s]) => test(t, s)).length
        const [true_, said, hit] = [of((t) => t === x), of((_, s) => s === x), of((t, s) => t === x && s === x)]
        expect([truths, predictions, hits]).toEqual([true_, said, hit])
        expect(precision).toBe(share(hit, said))
        expect(recall).toBe(share(hit, true_))
        expect(falsePositiveRate).toBe(share(said - hit, rows.length - true_))
        const [p, r] = [precision ?? 0, recall ?? 0]
        expect(f1).toBeCloseTo(p + r === 0 ? 0 : (2 * p * r) / (p + r), 12)
      }
    }),
  )
})

describe('Student’s t', () => {
  it('has quantiles at 0 and 1, and none beside', () => {
    expect([tQuantile(0, 3), tQuantile(1, 3)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    for (const p of [-0.01, 1.01, 2, Number.NaN]) expect(() => tQuantile(p, 3)).toThrow(/needs 0 <= p <= 1/)
  })
})

it('one cluster has a mean, no error and no degrees of freedom', () => {
  expect(clusteredMean([1, 2, 6], [7, 7, 7])).toEqual({
    n: 3,
    clusters: 1,
    mean: 3,
    standardError: null,
    df: 0,
  })
})

it('a sign flip reports the mean difference, whichever way it is tested', () => {
  const few = [1, -1, 0.5, 0.25]
  expect(signFlipTest(few, [0, 1, 2, 2], { stream: stream() })).toMatchObject({ statistic: 0.1875, method: 'exact' })
  const many = Array.from({ length: 60 }, (_, i) => i / 60)
  const found = signFlipTest(many, Array.from(many.keys()), { stream: stream(), draws: 500 })
  expect(found).toMatchObject({ draws: 500, method: 'sampled' })
  expect(found.statistic).toBeCloseTo(59 / 120, 12)
  expect(signFlipTest([], [], { stream: stream() })).toMatchObject({ statistic: 0, p: 1 })
  expect(() => signFlipTest([1, 2], [0], { stream: stream() })).toThrow(/differences and clusters/)
})

it('a bootstrap says what it did: 2000 draws unless told otherwise', () => {
  const mean = (counts: Int32Array) => counts[0] as number
  expect(clusterBootstrap(4, 9, mean, { stream: stream() })).toMatchObject({
    n: 9,
    method: 'cluster bootstrap 95 %, 4 groups, 2000 draws',
  })
  expect(clusterBootstrap(4, 9, mean, { stream: stream(), draws: 100 })?.method).toMatch(/100 draws$/)
  expect(() => clusterBootstrap(4, 9, mean, { stream: stream(), draws: 99 })).toThrow(/100 draws or more/)
})
