import { expect, it } from 'vitest'
import type { Estimate } from '../../../src/core/index.ts'
import { framesFromRows, makeReport } from '../../../src/report/index.ts'
import { inventedTask, type Row } from './invented.ts'

/** Model k of a config is right on `rights[k]` of 20 items of 5 groups. */
const rowsOf = (config: string, rights: readonly number[]): Row[] =>
  rights.flatMap((right, k) =>
    Array.from({ length: 20 }, (_, i) => ({
      task: 'invented/parity',
      config,
      style: 'plain',
      model: `model ${k}`,
      settings: '{}',
      item: `${config}-${i}`,
      draw: `${config}-${i}`,
      group: `g${i % 5}`,
      sample: 0,
      status: i >= 18 && k === 0 ? 'unparsed' : 'graded',
      score: i >= 18 && k === 0 ? null : i < right ? 1 : 0,
      prediction: null,
      target: null,
      feature_length: 1,
      feature_kind: 'plain',
      feature_noise: 0,
    })),
  )

const rowsIn = async (rows: readonly Row[]) => {
  const input = {
    run: 'invented',
    frames: await framesFromRows(rows),
    tasks: [inventedTask()],
    only: ['core/rank-agreement'],
  }
  return makeReport(input).analyses.flatMap(({ tables }) => tables[0]?.rows ?? [])
}

it('agrees wholly where one order is the other, whatever the accuracies', async () => {
  const [row] = await rowsIn([...rowsOf('a', [2, 6, 10, 14]), ...rowsOf('b', [9, 10, 11, 12])])
  expect(row).toMatchObject({ models: 4, rho: 1, tau: 1, p: 2 / 24 })
  const interval = row?.['interval'] as Estimate | undefined
  expect([interval?.value, interval?.high]).toEqual([1, 1])
  expect(interval?.low).toBeLessThan(1)
})

it('parts equal accuracies by what could be read', async () => {
  // Model 0 read two answers fewer, so that of equal accuracy it stands above model 1.
  const [row] = await rowsIn([...rowsOf('a', [6, 6, 10, 14]), ...rowsOf('b', [7, 6, 10, 14])])
  expect(row).toMatchObject({ rho: 1, breakerA: 'parsed-only accuracy' })
})

it('has nothing to say of three models, or of one set', async () => {
  expect(await rowsIn([...rowsOf('a', [2, 6, 10]), ...rowsOf('b', [9, 10, 11])])).toEqual([])
  expect(await rowsIn(rowsOf('a', [2, 6, 10, 14]))).toEqual([])
})
