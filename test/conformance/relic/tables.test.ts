import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Analysis, Estimate, Table } from '../../../src/core/index.ts'
import { paperTable, type ReportFrames } from '../../../src/report/index.ts'
import { relic } from '../../../src/tasks/relic/index.ts'
import { analyses } from '../../../src/tasks/relic/recognize/analyses/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { releaseRows } from './release-rows.ts'

const shared = process.env['TOUCHSTONE_SHARED'] ?? fileURLToPath(new URL('../../../../shared', import.meta.url))
const sample = join(shared, 'data/relic-500-sample')

describe.skipIf(!existsSync(sample))(`tables of the paper on the released sample (${sample})`, () => {
  let frames: ReportFrames
  beforeAll(async () => {
    frames = await framesFromRows(releaseRows(join(sample, 'data/grammars')))
  })
  const run = (id: string) => {
    const analysis = analyses.find((one) => one.id === id) as Analysis
    const frame = frames.frame('strict')
    if (frame === null) throw new Error('the strict parser reads every run')
    expect(analysis.needs.filter((name) => !frame.has(name))).toEqual([])
    return analysis.run(frame, { parser: 'strict', seed: 1, frameOf: (name) => frames.frame(name) })
  }
  const table = (id: string, which: string) => run(id).tables.find((one) => one.id === which) as Table

  it('relic/table1 has exactly the numbers computed independently', () => {
    const expected = JSON.parse(readFileSync(join(sample, 'expected.json'), 'utf8')) as {
      [model: string]: { [key: string]: number }
    }
    const found = table('relic/table1', 'relic/table1')
    expect(found.columns.map(({ key }) => key)).toEqual([
      'model',
      ...Object.keys(Object.values(expected)[0] as object),
      'unparsed',
      'truncated',
      'refused',
      'failed',
    ])
    expect(new Set(found.rows.map((row) => row['model']))).toEqual(new Set(Object.keys(expected)))
    for (const row of found.rows) {
      const wanted = expected[row['model'] as string] as { [key: string]: number }
      for (const [key, value] of Object.entries(wanted)) {
        expect(Math.abs((row[key] as number) - value), `${row['model']} ${key}`).toBeLessThan(1e-3)
      }
    }
  })

  it('the paper, the published reading and the corrected one stand on one row a model', () => {
    const expected = JSON.parse(readFileSync(join(sample, 'expected.json'), 'utf8')) as {
      [model: string]: { accuracy: number; macroF1Published: number }
    }
    const { paper } = relic
    const printed = paper?.printed.find(({ id }) => id === 'relic/table1')
    if (paper === undefined || printed === undefined) throw new Error('table 1 is printed')
    const rows = paperTable(paper, printed, run('relic/table1').tables)?.rows ?? []
    const of = (name: string, measure: string) =>
      rows.find(({ row, measure: what }) => row === name && String(what).startsWith(measure))
    // Printed on the page of the paper; computed on the sample by an independent script.
    for (const [name, model, accuracy, f1] of [
      ['o3', 'o3-2025-04-16', 70.4, 70.1],
      ['o4-mini', 'o4-mini-2025-04-16', 59.2, 58.1],
      ['gemma-3-1b', 'google/gemma-3-1b-it', 48.8, 30.9],
      ['DSR1-7B', 'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B', 47.9, 29.6],
    ] as const) {
      const [first, second] = [of(name, 'Accuracy, %'), of(name, 'Macro F1, %')]
      expect([first?.['paper'], second?.['paper']]).toEqual([accuracy, f1])
      expect(first?.['published']).toBeCloseTo(expected[model]?.accuracy as number, 3)
      expect(second?.['published']).toBeCloseTo(expected[model]?.macroF1Published as number, 3)
      expect(first?.['publishedLess']).toBeCloseTo((expected[model]?.accuracy as number) - accuracy, 3)
    }
    const unread = of('gemma-3-1b', 'Macro F1, %')
    const corrected = unread?.['corrected'] as Estimate | undefined
    expect(unread?.['correctedLess']).toBeCloseTo(
      (corrected?.value ?? Number.NaN) - (expected['google/gemma-3-1b-it']?.macroF1Published as number),
      3,
    )
  })

  it('the corrected table keeps the estimand and brackets it', () => {
    const published = table('relic/table1', 'relic/table1')
    for (const row of table('relic/table1', 'relic/table1-corrected').rows) {
      const { value, low, high } = row['accuracy'] as { value: number; low: number; high: number }
      expect(low <= value && value <= high).toBe(true)
      const other = published.rows.find(({ model }) => model === row['model'])
      if ((other?.['unparsed'] as number) + (other?.['truncated'] as number) === 0) {
        expect(100 * value).toBeCloseTo(other?.['accuracy'] as number, 6)
      }
    }
  })

  it('every analysis runs on the release', () => {
    // The rows have no work, which is computed from the items of a run, and no form of grammar.
    for (const { id } of analyses.filter((one) => !['relic/work', 'relic/forms'].includes(one.id))) {
      const { tables, figures = [] } = run(id)
      const ids = tables.map((one) => one.id)
      expect(new Set(ids).size, id).toBe(ids.length)
      for (const figure of figures) expect(ids, figure.id).toContain(figure.table)
    }
  })
})
