import { expect, test } from 'vitest'
import { runAnalysis } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { figure13 } from '../../../src/tasks/relic/recognize/analyses/figure13.ts'

/** Two grammars, one model: right answers end, wrong ones are cut off at 100 tokens. */
const rows = Array.from({ length: 40 }, (_, i) => ({
  item: `item ${i}`,
  model: i < 32 ? 'm' : 'short',
  group: i % 2 === 0 ? 'g1' : 'g2',
  status: 'graded',
  prediction: String(i % 4 < 2 || i >= 32),
  finish_reason: i % 4 < 2 || i >= 32 ? 'stop' : 'truncated',
  output_tokens: i >= 32 ? 3 : i % 4 < 2 ? 10 + i : 100,
  feature_length: 5,
  feature_label: true,
  score: 1,
}))

const made = (chosen: readonly { readonly [column: string]: string | number | boolean }[]) => {
  const names = Object.keys(chosen[0] ?? {})
  const frame = memoryFrame(Object.fromEntries(names.map((name) => [name, chosen.map((row) => row[name] ?? null)])))
  return runAnalysis(figure13, frame, { parser: 'strict', seed: 1, frameOf: () => frame })
}

test('figure 13 has both rows of the paper: how long responses are, and each grammar by how they ended', () => {
  const { tables, figures } = made(rows)
  expect(figures?.map(({ id }) => id)).toEqual(['relic/figure13-top', 'relic/figure13-bottom'])
  const lengths = tables.find(({ id }) => id === 'relic/figure13-lengths')?.rows ?? []
  for (const model of ['m', 'short']) {
    const own = lengths.filter((row) => row['model'] === model)
    expect(own.length, 'one axis for all models').toBe(lengths.length / 2)
    expect(own.reduce((sum, row) => sum + Number(row['share']), 0)).toBeCloseTo(1, 12)
  }
  // Sixteen of 32 are as long as the longest.
  expect(lengths.filter((row) => row['model'] === 'm').at(-1)).toMatchObject({ responses: 16, share: 0.5 })
  const grammars = tables.find(({ id }) => id === 'relic/figure13-grammars')?.rows ?? []
  expect(grammars.map((row) => [row['grammar'], row['end'], row['accuracy']])).toEqual([
    ['g1', 'finished', 1],
    ['g2', 'finished', 1],
    ['g1', 'truncated', 0],
    ['g2', 'truncated', 0],
  ])
})

test('without tokens there is no histogram, and where nothing was cut off only that', () => {
  expect(made(rows.map((row) => ({ ...row, output_tokens: Number.NaN }))).figures?.map(({ id }) => id)).toEqual([
    'relic/figure13-bottom',
  ])
  expect(made(rows.filter(({ finish_reason }) => finish_reason === 'stop')).figures?.map(({ id }) => id)).toEqual([
    'relic/figure13-top',
  ])
})
