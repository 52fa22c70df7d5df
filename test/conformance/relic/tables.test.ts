import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Analysis, Table } from '../../../src/core/index.ts'
import { framesFromRows, type ReportFrames } from '../../../src/report/index.ts'
import { analyses } from '../../../src/tasks/relic/recognize/analyses/index.ts'
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
    for (const { id } of analyses) {
      const { tables, figures = [] } = run(id)
      const ids = tables.map((one) => one.id)
      expect(new Set(ids).size, id).toBe(ids.length)
      for (const figure of figures) expect(ids, figure.id).toContain(figure.table)
    }
  })
})
