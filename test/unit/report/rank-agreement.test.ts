import { expect, it } from 'vitest'
import type { Estimate } from '../../../src/core/index.ts'
import { makeReport } from '../../../src/report/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedTask, type Row } from './invented.ts'

/** Model k of a config is right on `rights[k]` of 20 items of 5 groups. */
const rowsOf = (config: string, rights: readonly number[], task = 'invented/parity'): Row[] =>
  rights.flatMap((right, k) =>
    Array.from({ length: 20 }, (_, i) => ({
      task,
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

it('ranks tasks with all of their items, and says which predicts another one better, with an interval', async () => {
  const order = [2, 4, 6, 8, 10, 12, 14, 16]
  const input = {
    run: 'invented',
    frames: await framesFromRows([
      ...rowsOf('a', order),
      ...rowsOf('b', order),
      ...rowsOf('c', order, 'other/same'),
      ...rowsOf('d', order.toReversed(), 'other/reversed'),
    ]),
    tasks: [inventedTask()],
    only: ['core/rank-agreement'],
  }
  const tables = new Map(
    makeReport(input).analyses.flatMap((one) => one.tables.map((table) => [table.id, table.rows] as const)),
  )
  const rho = (tables.get('core/rank-agreement-tasks') ?? []).map(({ a, b, rho }) => [a, b, rho])
  expect(rho).toEqual([
    ['invented/parity', 'other/same', 1],
    ['invented/parity', 'other/reversed', -1],
    ['other/same', 'other/reversed', -1],
  ])
  const [row] = tables.get('core/rank-agreement-predictors') ?? []
  expect(row).toMatchObject({ target: 'invented/parity', a: 'other/same', b: 'other/reversed', rhoA: 1, rhoB: -1 })
  const difference = row?.['difference'] as Estimate
  expect(difference).toMatchObject({ value: 2 })
  expect(difference.low).toBeGreaterThan(0)
})
