import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { below, float, pick, Sfc32 } from '../../../src/core/index.ts'
import {
  clusteredMean,
  clusteredMeanEstimate,
  clusteredShare,
  moments,
  pairedDifference,
  tQuantile,
} from '../../../src/libraries/statistics/index.ts'
import { wildTest } from '../../../src/libraries/statistics/wild-bootstrap.ts'
import { wilsonBounds } from '../../../src/libraries/statistics/wilson.ts'
import { sample } from '../../nightly.ts'
import { expectClose } from './close.ts'

/**
 * CR2 and its degrees of freedom by their definition, with whole matrices and no shortcut: A_g = (I - H_gg)^(-1/2) by
 * Newton's iteration, V = sum (x_g' A_g r_g)^2 / n^2, and Satterthwaite's tr(P)^2 / tr(P^2) of the working model.
 */
function byDefinition(values: readonly number[], clusters: readonly number[]): { error: number; df: number } {
  const n = values.length
  const mean = values.reduce((sum, x) => sum + x, 0) / n
  const names = [...new Set(clusters)]
  const rows = names.map((name) => clusters.flatMap((cluster, i) => (cluster === name ? [i] : [])))
  let variance = 0
  const vectors: number[][] = []
  for (const group of rows) {
    const size = group.length
    const adjust = inverseRoot(group.map((_, i) => group.map((__, j) => (i === j ? 1 : 0) - 1 / n)))
    const residuals = group.map((i) => (values[i] as number) - mean)
    const adjusted = adjust.map((row) => row.reduce((sum, a, j) => sum + a * (residuals[j] as number), 0))
    variance += (adjusted.reduce((sum, x) => sum + x, 0) / n) ** 2
    const weight = adjust.map((_, j) => adjust.reduce((sum, row) => sum + (row[j] as number), 0) / n)
    const vector = new Array<number>(n).fill(0)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < size; j++)
        vector[i] = (vector[i] as number) + ((i === group[j] ? 1 : 0) - 1 / n) * (weight[j] as number)
    vectors.push(vector)
  }
  const p = vectors.map((a) => vectors.map((b) => a.reduce((sum, x, i) => sum + x * (b[i] as number), 0)))
  const trace = p.reduce((sum, row, g) => sum + (row[g] as number), 0)
  const squares = p.flat().reduce((sum, x) => sum + x * x, 0)
  return { error: Math.sqrt(variance), df: (trace * trace) / squares }
}

type Square = readonly (readonly number[])[]
const times = (a: Square, b: Square): number[][] =>
  a.map((row) =>
    (b[0] ?? []).map((_, j) => row.reduce((sum, x, k) => sum + x * ((b[k] as readonly number[])[j] as number), 0)),
  )

/** Of a symmetric matrix with eigenvalues in 0..1, by the coupled Newton iteration of Denman and Beavers in Schulz's form. */
function inverseRoot(matrix: Square): Square {
  const n = matrix.length
  const identity = matrix.map((_, i) => matrix.map((__, j) => (i === j ? 1 : 0)))
  let y: Square = matrix
  let z: Square = identity
  for (let step = 0; step < 60; step++) {
    const zy = times(z, y)
    const half = zy.map((row, i) => row.map((x, j) => ((i === j ? 3 : 0) - x) / 2))
    y = times(y, half)
    z = times(half, z)
  }
  expect(n).toBeGreaterThan(0)
  return z
}

describe('errors of a mean over groups of any sizes', () => {
  it('are CR2, with the degrees of freedom of Bell and McCaffrey', () => {
    const sets = fc
      .array(
        fc.tuple(
          fc.integer({ min: 1, max: 6 }),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        ),
        {
          minLength: 2,
          maxLength: 6,
        },
      )
      .map((groups) => groups.flatMap(([size, values], g) => values.slice(0, size).map((value) => ({ value, g }))))
    fc.assert(
      fc.property(sets, (rows) => {
        const [values, clusters] = [rows.map(({ value }) => value), rows.map(({ g }) => g)]
        const found = clusteredMean(values, clusters)
        const expected = byDefinition(values, clusters)
        expectClose(found.standardError as number, expected.error, 1e-8, 1e-12)
        expectClose(found.df, expected.df, 1e-8)
      }),
      { numRuns: 60 },
    )
  })
  it('of groups of one size are CR1 with G - 1 degrees of freedom', () => {
    const { df } = clusteredMean([1, 0, 1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 2, 2, 3, 3])
    expectClose(df, 3, 1e-12)
  })
  it('a group that holds nearly all rows leaves hardly any', () => {
    const clusters = [...new Array<number>(1000).fill(0), 1, 2, 3]
    expect(clusteredMean(clusters, clusters).df).toBeLessThan(1.1)
  })
})

it('of scores in few groups reach as far as Wilson with CR2 errors: the bootstrap alone is too narrow near 1', () => {
  // Seven groups of 20 with one or no score of .1, and one of 120 with six; the other scores are 1.
  const wrong = [0, 0, 1, 0, 1, 0, 1, 6]
  const sizes = [20, 20, 20, 20, 20, 20, 20, 120]
  const rows = sizes.flatMap((size, g) =>
    Array.from({ length: size }, (_, i) => [g, i < (wrong[g] as number) ? 0.1 : 1]),
  )
  const values = rows.map(([, value]) => value as number)
  const clusters = rows.map(([group]) => group as number)
  const share = clusteredShare(values, clusters)
  const { mean, standardError, df, n } = clusteredMean(values, clusters)
  const variance = Math.max((standardError as number) ** 2, moments(values).variance / n)
  const wilson = wilsonBounds(mean, (n * mean * (1 - mean)) / (n - 1) / variance, tQuantile(0.975, df))
  expect(wildTest(values, clusters)?.interval(0.95, [0, 1]).low).toBeGreaterThan(wilson.low + 0.01)
  expectClose(share?.low ?? Number.NaN, wilson.low, 1e-9)
})

/** Nearly normal: the sum of twelve uniform numbers. */
const normal = (stream: Sfc32): number => Array.from({ length: 12 }, () => float(stream)).reduce((a, b) => a + b, -6)

/** Groups with their own share of right answers, mean .6 and standard deviation .15. */
function drawn(stream: Sfc32, groups: number, sizeOf: () => number) {
  const values: number[] = []
  const clusters: number[] = []
  for (let g = 0; g < groups; g++) {
    const share = Math.min(1, Math.max(0, 0.6 + 0.15 * normal(stream)))
    for (let k = sizeOf(); k > 0; k--) {
      values.push(float(stream) < share ? 1 : 0)
      clusters.push(g)
    }
  }
  return { values, clusters }
}

const RUNS = sample({ nightly: 600, otherwise: 80 })
/** Three standard errors of a share of .95 in so many runs. */
const NOISE = 3 * Math.sqrt((0.95 * 0.05) / RUNS)

/** Version 0.1.0 (CR1, t on G - 1) covered 88.9 % and 90.9 % of unequal groups at G = 8 and 16. */
test.each([
  [8, 'equal'],
  [16, 'equal'],
  [40, 'equal'],
  [8, 'unequal'],
  [16, 'unequal'],
  [40, 'unequal'],
] as const)('95 per cent intervals hold the truth: %i groups of %s sizes', (groups, sizes) => {
  const stream = new Sfc32(groups, sizes.length, 3, 4)
  const hits = { share: 0, mean: 0, difference: 0 }
  for (let run = 0; run < RUNS; run++) {
    const sizeOf = (): number => (sizes === 'equal' ? 40 : pick(stream, [10, 20, 40, 120]))
    const { values, clusters } = drawn(stream, groups, sizeOf)
    const share = clusteredShare(values, clusters)
    const mean = clusteredMeanEstimate(values, clusters)
    const other = clusters.map(() => below(stream, 2))
    const difference = pairedDifference(values, other, clusters)?.difference
    if (share === null || mean === null || difference === undefined) throw new Error('there is always an interval')
    if (share.low <= 0.6 && 0.6 <= share.high) hits.share++
    if (mean.low <= 0.6 && 0.6 <= mean.high) hits.mean++
    if (difference.low <= 0.1 && 0.1 <= difference.high) hits.difference++
  }
  for (const [name, hit] of Object.entries(hits)) {
    expect(hit / RUNS, name).toBeGreaterThan(0.94 - NOISE)
    expect(hit / RUNS, name).toBeLessThan(0.97 + NOISE)
  }
})
