import { JSDOM } from 'jsdom'
import { describe, expect, it } from 'vitest'
import type { Estimate, Figure, Table } from '../../../src/core/index.ts'
import { drawableTable } from '../../../src/report/figures/drawable.ts'
import { figureSvg, htmlPage, makeReport, type Report } from '../../../src/report/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

const tasks = ['a/one', 'b/two', 'c/three'].map((name) => ({ ...inventedTask(), name, groupNoun: 'grammars' }))

async function reportOf(rows: readonly Row[]): Promise<Report> {
  return makeReport({ run: 'run', frames: await framesFromRows(rows), tasks })
}

async function pageOf(report: Report): Promise<Document> {
  const figures = new Map<string, string>()
  for (const { tables, figures: own } of report.analyses)
    for (const figure of own) {
      const table = tables.find(({ id }) => id === figure.table)
      const drawable = table === undefined ? null : drawableTable(figure, table)
      if (drawable !== null) figures.set(figure.id, await figureSvg(figure, [drawable]))
    }
  return new JSDOM(htmlPage(report, { mostRows: 50, csv: true, svg: true, figures })).window.document
}

const on = (task: string, items: number) => inventedRows(items).map((row) => ({ ...row, task }))
const isOpen = (element: Element): boolean => element.closest('details') === null

describe('a page of three models on three tasks', async () => {
  const report = await reportOf(tasks.flatMap(({ name }) => on(name, 200)))
  const page = await pageOf(report)
  const accuracy = report.analyses.find(({ id }) => id === 'core/accuracy')?.tables[0]?.rows ?? []

  it('opens with the verdict, in the words of the document, and the numbers of its tables', () => {
    const first = page.querySelector('main > section')
    expect(first?.querySelector('h2')?.textContent).toBe(report.verdict?.title)
    const rows = [...page.querySelectorAll('.matrix tbody tr')]
    expect(rows).toHaveLength(3)
    const percents = rows.flatMap((row) => [...row.querySelectorAll('td.n')].map((cell) => cell.textContent))
    const expected = accuracy.map(({ accuracy: one }) => {
      const { value, low, high } = one as Estimate
      return [value, low, high].map((x) => (100 * x).toFixed(0))
    })
    for (const [k, [value, low, high]] of expected.entries())
      expect(percents[k]).toMatch(new RegExp(`^${value} ${low}–${high}`, 'u'))
  })

  it('says what is counted as incorrect once, and how many of the parsed are correct where that differs', () => {
    expect(page.querySelector('main')?.textContent?.match(/responses are incorrect/gu)).toHaveLength(1)
    expect(page.querySelectorAll('.matrix .gap').length).toBeGreaterThan(0)
  })

  it('has one figure a task, few tables, and all else folded with what is inside', () => {
    expect([...page.querySelectorAll('figure')].filter(isOpen)).toHaveLength(3)
    expect([...page.querySelectorAll('table')].filter(isOpen).length).toBeLessThan(8)
    for (const { tables } of report.analyses)
      for (const { id, title } of tables)
        if (!/\/(?:curve|binned)$/u.test(id)) expect(page.body.textContent).toContain(title)
    for (const summary of page.querySelectorAll('section.task summary small'))
      expect(summary.textContent).toMatch(/\d+ (?:table|figure)|\w/u)
  })

  it('names groups as the tasks do, and lists skipped analyses in one folded line', () => {
    expect(page.querySelector('.matrix th small')?.textContent).toMatch(/^\d+ \w+ · 20 grammars$/u)
    const [skipped] = [...page.querySelectorAll('summary')].filter(({ textContent }) =>
      (textContent ?? '').startsWith('Skipped'),
    )
    expect(skipped?.textContent).toMatch(/^Skipped: \d+ analys[ei]s that do not apply$/u)
    expect(report.headline.join('\n')).toMatch(/ in 20 grammars\./u)
  })
})

it('nothing is drawn or said of fewer than ten responses; few groups are dotted, and no model over them is bold', async () => {
  const report = await reportOf([...on('a/one', 8), ...on('b/two', 60)])
  const page = await pageOf(report)
  const [few, some] = [...page.querySelectorAll('.matrix tbody tr')]
  expect(few?.querySelectorAll('.point')).toHaveLength(0)
  for (const cell of few?.querySelectorAll('td.n') ?? []) expect(cell.textContent).toMatch(/^n \d$/u)
  expect(some?.querySelectorAll('.bar.few').length).toBeGreaterThan(0)
  expect(some?.querySelectorAll('td.n b')).toHaveLength(0)
  const counts = [...page.querySelectorAll('td > i')].filter(({ textContent }) => / of /u.test(textContent ?? ''))
  expect(counts.length).toBeGreaterThan(0)
  for (const { textContent } of counts) expect(textContent).toMatch(/^\d of \d$/u)
})

describe('what is drawn', () => {
  const estimate = (n: number, width: number): Estimate => ({ value: 0.5, low: 0.5, high: 0.5 + width, n, method: 'm' })
  const table = (rows: Table['rows']): Table => ({
    id: 't',
    title: 'T',
    columns: [
      { key: 'model', label: 'Model', kind: 'text' },
      { key: 'at', label: 'At', kind: 'number' },
      { key: 'share', label: 'Share', kind: 'estimate', unit: 'share' },
    ],
    rows,
  })
  const figure: Figure = {
    id: 't',
    title: 'T',
    table: 't',
    x: { key: 'at', label: 'At', scale: 'linear' },
    y: { key: 'share', label: 'Share' },
    marks: [{ kind: 'point', series: 'model' }],
  }

  it('are shares of ten responses or more with intervals up to .5, where two of a series are left', () => {
    const [good, few, wide] = [estimate(10, 0.5), estimate(9, 0.1), estimate(100, 0.51)]
    const rows = [good, good, few, wide].map((share, at) => ({ model: 'x', at, share }))
    expect(drawableTable(figure, table(rows))?.rows).toEqual(rows.slice(0, 2))
    expect(drawableTable(figure, table(rows.slice(1)))).toBeNull()
    const single = [good, few].map((share, at) => ({ model: `m${at}`, at, share }))
    expect(drawableTable(figure, table(single))).toBeNull()
  })

  it('has ticks only at whole numbers where values are counts', async () => {
    for (const values of [[-1, 0, 2], [2, 3, 4, 5], Array.from({ length: 40 }, (_, i) => 3 * i)]) {
      const rows = values.map((at) => ({ model: 'x', at, share: estimate(20, 0.2) }))
      const { document } = new JSDOM(await figureSvg(figure, [table(rows)])).window
      const ticks = [...document.querySelectorAll('[aria-label="x-axis tick label"] text')].map(({ textContent }) =>
        Number(textContent?.replace('\u2212', '-')),
      )
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(Math.min(...ticks)).toBeGreaterThanOrEqual(Math.min(...values))
      expect(Math.max(...ticks)).toBeLessThanOrEqual(Math.max(...values))
    }
  })

  it('is a number in bins where its values have too few responses, all of which stay in the table', async () => {
    const report = await reportOf(on('a/one', 60))
    const [features] = report.analyses.filter(({ id }) => id.startsWith('core/by-feature/'))
    const [each, bins] = features?.tables.filter(({ id }) => id.includes('/length')) ?? []
    const n = (rows: Table['rows'] = []) => rows.reduce((sum, row) => sum + Number(row['n']), 0)
    expect(bins?.id).toMatch(/\/length\/binned$/u)
    expect(n(bins?.rows)).toBe(n(each?.rows))
    expect(new Set(bins?.rows.map((row) => row['level'])).size).toBeLessThanOrEqual(6)
    expect(features?.figures.some(({ table: of }) => of === bins?.id)).toBe(true)
  })
})

it('models stand side by side, and what they share or what all rows say stands once', async () => {
  const report = await reportOf(on('a/one', 60))
  const page = await pageOf(report)
  const [each] = report.analyses.filter(({ id }) => id.startsWith('core/by-feature/')).flatMap(({ tables }) => tables)
  const shown = page.querySelector(`.scroll[aria-label="${each?.title}"]`)
  const heads = [...(shown?.querySelectorAll('thead th') ?? [])].map(({ textContent }) => textContent ?? '')
  expect(heads.filter((head) => head.startsWith('Accuracy, '))).toHaveLength(3)
  expect(heads).not.toContain('Model')
  const levels = new Set(each?.rows.map(({ level }) => level)).size
  expect(shown?.querySelectorAll('tbody tr')).toHaveLength(levels)
  expect((each?.rows.length ?? 0) / levels).toBe(3)
})
