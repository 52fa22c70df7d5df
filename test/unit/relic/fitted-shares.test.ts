import { expect, test } from 'vitest'
import { type Analysis, float, namedStream, runAnalysis } from '../../../src/core/index.ts'
import { memoryFrame } from '../../../src/libraries/statistics/index.ts'
import { figure2 } from '../../../src/tasks/relic/recognize/analyses/figure2.ts'
import { inflection } from '../../../src/tasks/relic/recognize/analyses/growth.ts'

/** Responses of one model that is right with a chance by length and rules, to 30 grammars. */
function tablesOf(analysis: Analysis, chance: (length: number, rules: number) => number) {
  const stream = namedStream('fitted shares', '1')
  const rows = Array.from({ length: 6000 }, (_, k) => {
    const [group, length, label] = [k % 30, 2 + (Math.floor(k / 30) % 40), float(stream) < 0.5]
    const rules = 3 + group ** 2
    const isRight = float(stream) < chance(length, rules)
    return {
      item: `i${k}`,
      group: `g${group}`,
      model: 'm',
      status: 'graded',
      prediction: String(label === isRight),
      feature_length: length,
      feature_label: label,
      feature_nonlexical: rules,
    }
  })
  const names = Object.keys(rows[0] ?? {}) as (keyof (typeof rows)[number])[]
  const frame = memoryFrame(Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])))
  const { tables } = runAnalysis(analysis, frame, { parser: 'strict', seed: 1, frameOf: () => frame })
  return (id: string) => tables.find((table) => table.id === id)?.rows ?? []
}

test('a fitted accuracy stays in 0 to 1 where the curve leaves it', () => {
  const [row] = tablesOf(inflection, (length) => Math.max(0, Math.min(1, (30 - length) / 15)))('relic/inflection')
  expect(row).toMatchObject({ falls: 'yes', high: 1, low: 0, middle: { value: expect.any(Number) } })
  const fits = tablesOf(figure2, (_, rules) => (rules < 100 ? 1 : rules < 400 ? 0.5 : 0))('relic/figure2-grammars')
  const fitted = fits.map(({ fit }) => fit as number)
  expect([Math.min(...fitted), Math.max(...fitted)]).toEqual([expect.any(Number), 1])
  expect(Math.min(...fitted)).toBeGreaterThanOrEqual(0)
})

test('accuracy that does not fall has no middle of a fall', () => {
  const [row] = tablesOf(inflection, () => 0.6)('relic/inflection')
  expect(row).toMatchObject({ falls: 'no' })
  expect(row?.['middle'] ?? null).toBeNull()
})
