import { beforeAll, describe, expect, it } from 'vitest'
import type { Estimate, Table } from '../../../src/core/index.ts'
import { framesFromRows, makeReport, type Report } from '../../../src/report/index.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

const reported = async (rows: readonly Row[]): Promise<Report> =>
  makeReport({
    run: 'invented',
    frames: await framesFromRows(rows),
    tasks: [inventedTask()],
    only: ['core/mixed-model'],
  })

const tableOf = (report: Report, id: string): Table => {
  const found = report.analyses.flatMap(({ tables }) => tables).find((table) => table.id === id)
  if (found === undefined) throw new Error(`no table ${id}`)
  return found
}

describe('models, items and groups of a report', () => {
  const rows = inventedRows(400)
  let report: Report
  beforeAll(async () => {
    report = await reported(rows)
  })

  it('rank models as accuracy does, on one scale', () => {
    const table = tableOf(report, 'core/mixed-model/models')
    const sorted = table.rows.toSorted((a, b) => (b['ability'] as Estimate).value - (a['ability'] as Estimate).value)
    expect(sorted.map(({ model }) => model)).toEqual(['good-one', 'fair-one', '=weak|<b>one'])
    for (const row of table.rows) {
      const [ability, typical] = [row['ability'] as Estimate, row['typical'] as Estimate]
      expect(ability.low < ability.value && ability.value < ability.high).toBe(true)
      expect(typical.value).toBeCloseTo(1 / (1 + Math.exp(-ability.value)), 12)
    }
  })

  it('name the hardest items with what was answered there', () => {
    const table = tableOf(report, 'core/mixed-model/items')
    expect(table.rows).toHaveLength(5)
    for (const row of table.rows) {
      const mine = rows.filter((one) => one['item'] === row['item'] && one['status'] !== 'error')
      expect(row['answers']).toBe(mine.length)
      expect(row['correct']).toBe(mine.filter((one) => one['score'] === 1).length)
    }
  })

  it('leave out by name a model that has everything right', async () => {
    const perfect = rows.map((row) => (row['model'] === 'good-one' ? { ...row, status: 'graded', score: 1 } : row))
    const twice = [...perfect, ...perfect.map((row): Row => ({ ...row, sample: 1 }))]
    const [row] = tableOf(await reported(twice), 'core/mixed-model').rows
    expect(row?.['note']).toMatch(/omitted, .+: good-one/u)
  })

  it('of very many rows are fitted to one group in so many, and it is said', async () => {
    const many = await reported(inventedRows(20_000))
    const [row] = tableOf(many, 'core/mixed-model').rows
    expect(row?.['note']).toMatch(/one group in 2/u)
    expect(row?.['items']).toBe(10_000)
  })

  it('are not there for one model', async () => {
    const one = await reported(rows.filter((row) => row['model'] === 'good-one'))
    expect(one.analyses).toEqual([])
    expect(one.skipped.map(({ id }) => id)).toContain('core/mixed-model')
  })
})
