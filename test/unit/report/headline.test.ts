import { beforeAll, describe, expect, it } from 'vitest'
import { framesFromRows, makeReport, type Report } from '../../../src/report/index.ts'
import { byQuestion } from '../../../src/report/questions.ts'
import { inventedRows, inventedTask } from './invented.ts'

describe('the lines that open a report', () => {
  let report: Report
  beforeAll(async () => {
    report = makeReport({ run: 'invented', frames: await framesFromRows(inventedRows(400)), tasks: [inventedTask()] })
  })

  it('are about ten, and say who was asked what', () => {
    const { headline } = report
    expect(headline.length).toBeGreaterThan(3)
    expect(headline.length).toBeLessThanOrEqual(12)
    expect(headline[0]).toMatch(/^\d+ models: .+; \d+ answers on invented\/parity, read by the strict parser\.$/)
  })

  it('give the numbers of the tables, and no others', () => {
    const table = (id: string) => report.analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
    const all = report.headline.join('\n')
    const failed = table('core/accuracy').reduce((sum, row) => sum + Number(row['failed']), 0)
    expect(failed).toBeGreaterThan(0)
    expect(all).toContain(`${failed} failed`)
    const pairs = table('core/paired')
    const open = pairs.filter((row) => Number(row['holm']) >= 0.05).length
    expect(all).toContain(`${pairs.length - open} of ${pairs.length} pair`)
    const best = table('core/accuracy')
      .map((row) => (row['accuracy'] as { readonly value: number }).value)
      .reduce((a, b) => Math.max(a, b))
    expect(all).toContain(best.toFixed(3))
  })

  it('leave out what was not asked for', async () => {
    const input = { run: 'invented', frames: await framesFromRows(inventedRows(40)), tasks: [inventedTask()] }
    expect(makeReport({ ...input, only: ['core/usage'] }).headline.join('\n')).not.toMatch(/models|read by/)
  })

  it('are followed by analyses under the question that each answers, none lost and none twice', () => {
    const questions = byQuestion(report.analyses)
    expect(questions[0]?.title).toBe('How accurate?')
    const shown = questions.flatMap(({ analyses }) => analyses.map(({ id }) => id))
    expect([...shown].sort()).toEqual(report.analyses.map(({ id }) => id).sort())
  })
})
