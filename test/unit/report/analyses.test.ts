import { beforeAll, describe, expect, it } from 'vitest'
import type { Estimate, Table } from '../../../src/core/index.ts'
import { makeReport, type Report } from '../../../src/report/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

const rows = inventedRows(400)
const reported = async (given: readonly Row[], only?: readonly string[]) =>
  makeReport({
    run: 'invented',
    frames: await framesFromRows(given),
    tasks: [inventedTask()],
    ...(only === undefined ? {} : { only }),
  })
const tableOf = (report: Report, id: string): Table => {
  const found = report.analyses.flatMap(({ tables }) => tables).find((table) => table.id === id)
  if (found === undefined) throw new Error(`no table ${id}`)
  return found
}
const estimateIn = (row: Table['rows'][number] | undefined, key: string): Estimate => row?.[key] as Estimate
const of = (model: string) => rows.filter((row) => row['model'] === model)

describe('generic analyses', () => {
  let report: Report
  beforeAll(async () => {
    report = await reported(rows)
  })

  it('the leaderboard counts every planned cell in one state', () => {
    for (const row of tableOf(report, 'core/accuracy').rows) {
      const mine = of(row['model'] as string)
      const count = (state: string) => mine.filter((one) => one['status'] === state).length
      expect(row).toMatchObject({
        planned: mine.length,
        graded: count('graded'),
        unparsed: count('unparsed'),
        truncated: count('truncated'),
        refused: count('refused'),
        failed: count('error'),
      })
      const right = mine.filter((one) => one['score'] === 1).length
      const { value, low, high, n } = row['accuracy'] as Estimate
      expect(row['correct']).toBe(right)
      expect(value).toBeCloseTo(right / (mine.length - count('error')), 12)
      expect(n).toBe(mine.length - count('error'))
      expect(low < value && value < high).toBe(true)
      expect(row['parsed']).toMatchObject({ value: right / count('graded'), n: count('graded') })
      // The lenient reading can only find more, and never in what was refused.
      expect(row['lenient'] as number).toBeGreaterThanOrEqual(value)
      const lenient = mine.filter((one) => one['status'] !== 'refused' && one['score@lenient'] === 1).length
      expect(mine.some((one) => one['status'] === 'refused' && one['score@lenient'] === 1)).toBe(true)
      expect(row['lenient'] as number).toBeCloseTo(lenient / n, 12)
    }
  })

  it('accuracy among read answers stands beside accuracy of all, where something was not read', async () => {
    const all = rows.filter((row) => row['status'] === 'graded')
    const shown = tableOf(await reported(all, ['core/accuracy']), 'core/accuracy')
    expect(shown.columns.map(({ key }) => key)).not.toContain('parsed')
    const none = all.map((row) =>
      row['model'] === all[0]?.['model'] ? { ...row, status: 'unparsed', score: null } : row,
    )
    const mixed = tableOf(await reported(none, ['core/accuracy']), 'core/accuracy')
    const label = (row: Table['rows'][number]) => row['parsed'] === null
    expect(mixed.columns.map(({ key }) => key)).toContain('parsed')
    expect(mixed.rows.filter(label)).toHaveLength(1)
    for (const row of mixed.rows.filter((one) => !label(one))) {
      const { low, value, high } = row['parsed'] as Estimate
      expect(low < value && value < high).toBe(true)
      expect((row['accuracy'] as Estimate).value).toBeCloseTo(value, 12)
    }
  })

  it('pairs use the shared items, and mirror', () => {
    const table = tableOf(report, 'core/paired')
    expect(table.rows).toHaveLength(3)
    for (const row of table.rows) {
      const answered = (model: string) =>
        new Map(
          of(model)
            .filter((one) => one['status'] !== 'error')
            .map((one) => [one['item'], one['score'] === 1 ? 1 : 0]),
        )
      const [a, b] = [answered(row['a'] as string), answered(row['b'] as string)]
      const shared = [...a.keys()].filter((item) => b.has(item))
      const gap = shared.map((item) => (a.get(item) as number) - (b.get(item) as number))
      expect(row['items']).toBe(shared.length)
      expect((row['difference'] as Estimate).value).toBeCloseTo(gap.reduce((s: number, x) => s + x, 0) / gap.length, 12)
      expect(row['onlyA']).toBe(gap.filter((x) => x > 0).length)
      expect(row['onlyB']).toBe(gap.filter((x) => x < 0).length)
      expect(row['holm'] as number).toBeGreaterThanOrEqual(row['p'] as number)
    }
  })

  it('by feature: levels add up to the whole, nuisances are not split by', () => {
    const whole = tableOf(report, 'core/accuracy')
    for (const feature of ['length', 'kind']) {
      const table = tableOf(report, `core/by-feature/invented/parity/${feature}`)
      for (const row of whole.rows) {
        const mine = table.rows.filter(({ model }) => model === row['model'])
        const n = mine.reduce((sum, one) => sum + (one['n'] as number), 0)
        const right = mine.reduce((sum, one) => sum + (one['n'] as number) * (one['accuracy'] as Estimate).value, 0)
        expect(n).toBe((row['accuracy'] as Estimate).n)
        expect(right).toBeCloseTo(row['correct'] as number, 8)
      }
    }
    expect(() => tableOf(report, 'core/by-feature/invented/parity/noise')).toThrow()
  })

  it('confusion rows sum to the true answers', () => {
    const cells = tableOf(report, 'core/confusion')
    for (const rates of tableOf(report, 'core/class-rates').rows) {
      const mine = cells.rows.filter((row) => row['model'] === rates['model'] && row['target'] === rates['class'])
      expect(mine.reduce((sum, row) => sum + (row['n'] as number), 0)).toBe(rates['truths'])
      expect(mine.reduce((sum, row) => sum + (row['share'] as number), 0)).toBeCloseTo(1, 12)
    }
  })
})

describe('what a report is made of', () => {
  it('two styles of one model are compared item by item', async () => {
    const worse: readonly Row[] = rows.map((row, i) => ({
      ...row,
      style: 'other',
      score: i % 4 === 0 ? 0 : (row['score'] ?? null),
    }))
    const table = tableOf(await reported([...rows, ...worse]), 'core/styles')
    expect(table.rows).toHaveLength(3)
    for (const row of table.rows) {
      const right = (style: string) =>
        new Map(
          (style === 'plain' ? rows : worse)
            .filter(({ model, status: state }) => model === row['model'] && state !== 'error')
            .map(({ item, score }) => [item, score === 1 ? 1 : 0]),
        )
      const [a, b] = [right(row['a'] as string), right(row['b'] as string)]
      const gap = [...a].map(([item, value]) => value - (b.get(item) as number))
      expect(row['items']).toBe(gap.length)
      expect(estimateIn(row, 'difference').value).toBeCloseTo(gap.reduce((s: number, x) => s + x, 0) / gap.length, 12)
    }
    expect((await reported(rows)).skipped.map(({ id }) => id)).not.toContain('core/styles')
  })

  it('several samples give pass@k and paired means instead of McNemar', async () => {
    const twice = rows.flatMap((row, i) => [
      row,
      { ...row, sample: 1, score: row['status'] === 'graded' ? Number(i % 3 === 0) : null },
    ])
    const report = await reported(twice)
    const table = tableOf(report, 'core/pass-at-k')
    expect([...new Set(table.rows.map((row) => row['k']))]).toEqual([1, 2])
    for (const model of new Set(table.rows.map((row) => row['model']))) {
      const [one, two] = table.rows.filter((row) => row['model'] === model)
      expect(estimateIn(two, 'pass').value).toBeGreaterThan(estimateIn(one, 'pass').value)
      expect(estimateIn(two, 'all').value).toBeLessThan(estimateIn(one, 'all').value)
    }
    expect(tableOf(report, 'core/paired').rows.every((row) => row['mcnemar'] === null)).toBe(true)
    const shares = table.rows.flatMap((row) => [estimateIn(row, 'pass'), estimateIn(row, 'all')])
    for (const { value, low, high } of shares) expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true)
  })

  it('pass@1 is the accuracy, with its interval, at the ends too', async () => {
    const sampled = (value: (item: number) => number) =>
      Array.from({ length: 90 }, (_, i) => ({
        ...rows[0],
        item: `i${i % 30}`,
        draw: `d${i % 30}`,
        group: `0/${i % 10}`,
        sample: Math.floor(i / 30),
        status: 'graded',
        score: value(i),
      }))
    for (const value of [() => 0, () => 1, (i: number) => Number(i % 7 > 0)]) {
      const report = await reported(sampled(value))
      const [first] = tableOf(report, 'core/pass-at-k').rows
      const pass = estimateIn(first, 'pass')
      const accuracy = estimateIn(tableOf(report, 'core/accuracy').rows[0], 'accuracy')
      expect(pass.value).toBeCloseTo(accuracy.value, 12)
      for (const end of ['low', 'high'] as const) expect(Math.abs(pass[end] - accuracy[end])).toBeLessThan(0.05)
      expect(pass.low).toBeLessThan(pass.high)
      expect(0 <= pass.low && pass.high <= 1).toBe(true)
    }
  })

  it('one model always right, the other never: no p of 0 and no interval without width', async () => {
    const both = Array.from({ length: 40 }, (_, i) => ({
      ...rows[0],
      item: `i${i >> 1}`,
      draw: `d${i >> 1}`,
      group: `0/${i >> 1}`,
      status: 'graded',
      model: i % 2 === 0 ? 'a' : 'b',
      score: i % 2,
    }))
    const [row] = tableOf(await reported(both), 'core/paired').rows
    const { value, low, high } = estimateIn(row, 'difference')
    expect(value).toBe(-1)
    expect(low).toBeCloseTo(-1, 2)
    expect(high).toBeGreaterThan(-0.9)
    // McNemar's mid-p of 20 to none.
    expect(row).toMatchObject({ p: expect.closeTo(2 ** -20, 8), holm: row?.['p'] })
    expect(row?.['p']).toBeGreaterThan(0)
    expect(row?.['verdict']).toMatch(/^b is better than a: \+/u)
    expect(row?.['flips']).toBeLessThan(0.001)
  })

  it('several settings of a model are told apart, several styles and configs are blocks', async () => {
    const more = rows.flatMap((row) => [row, { ...row, settings: '{"effort":"high"}' }, { ...row, style: 'terse' }])
    const table = tableOf(await reported(more), 'core/accuracy')
    expect(table.rows.map((row) => `${row['style']}: ${row['model']}`)).toContain('plain: good-one, effort high')
    expect(table.rows.map((row) => `${row['style']}: ${row['model']}`)).toContain('terse: good-one, as it comes')
  })

  it('configs of two tasks that share a name have panels of their own', async () => {
    const more = ['one/task', 'other/task'].flatMap((task) =>
      ['c0', 'c1'].flatMap((config) => rows.map((row) => ({ ...row, task, config }))),
    )
    const { analyses } = await reported(more, ['core/accuracy'])
    const [figure] = analyses[0]?.figures ?? []
    const panels = analyses[0]?.tables[0]?.rows.map((row) => row[figure?.facet ?? ''])
    expect(new Set(panels)).toEqual(new Set(['one/task, c0', 'one/task, c1', 'other/task, c0', 'other/task, c1']))
  })

  it('measured rows have means, and no accuracy', async () => {
    const measured = Array.from({ length: 30 }, (_, i) => ({
      item: `i${i}`,
      group: `0/${i % 5}`,
      task: 'invented/parity',
      config: 'c0',
      style: 'plain',
      model: 'scorer',
      settings: '{}',
      status: 'loglikelihood',
      metric_loss: i / 10,
    }))
    const report = await reported(measured)
    expect(report.analyses.map(({ id }) => id)).toEqual(['core/measures'])
    expect(estimateIn(tableOf(report, 'core/measures').rows[0], 'loss').value).toBeCloseTo(1.45, 12)
    expect(report.analyses[0]?.tables[1]?.rows[0]).toMatchObject({ metric: 'Loss', n: 30 })
    expect(report.parser).toBeNull()
    expect(report.headline.slice(0, 2)).toEqual([
      '1 model: scorer; 30 loglikelihood items on invented/parity.',
      expect.stringMatching(/^invented\/parity plain: loss \(mean\) of scorer 1\.450 \[/u),
    ])
  })

  it('can be asked for some analyses only, and says what it leaves out', async () => {
    const few = await reported(rows, ['core/accuracy'])
    expect(few.analyses.map(({ id }) => id)).toEqual(['core/accuracy'])
    const bare = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'target')))
    expect((await reported(bare)).skipped).toContainEqual({
      id: 'core/confusion',
      task: null,
      cause: 'no-data',
      reason: 'the rows have no target',
    })
  })

  it("a task's own analysis reads its own rows, by any parser", async () => {
    const seen: number[] = []
    const task = inventedTask([
      {
        id: 'invented/own',
        title: 'Own',
        needs: ['score'],
        run(frame, { frameOf }) {
          seen.push(frame.length, frameOf('lenient')?.length ?? -1, frameOf('nobody')?.length ?? -1)
          return { tables: [{ id: 'invented/own', title: 'Own', columns: [], rows: [{}] }] }
        },
      },
    ])
    const other = rows.slice(0, 50).map((row) => ({ ...row, task: 'other/task' }))
    const report = makeReport({ run: 'r', frames: await framesFromRows([...rows, ...other]), tasks: [task] })
    expect(seen).toEqual([rows.length, rows.length, -1])
    expect(report.analyses.at(-1)?.id).toBe('invented/own')
  })

  it('an analysis that breaks off is left out by name, and costs no other', async () => {
    const analysis = (id: string, tables: readonly Table[] | null) => ({
      id,
      title: id,
      needs: [],
      run: () => {
        if (tables === null) throw new RangeError('no such level')
        return { tables }
      },
    })
    const after = [{ id: 'invented/after', title: 'After', columns: [], rows: [{}] }]
    const task = inventedTask([analysis('invented/broken', null), analysis('invented/after', after)])
    const report = makeReport({ run: 'r', frames: await framesFromRows(rows), tasks: [task] })
    expect(report.skipped).toContainEqual({
      id: 'invented/broken',
      task: 'invented/parity',
      cause: 'error',
      reason: 'it failed: RangeError: no such level',
    })
    const made = report.analyses.map(({ id }) => id)
    expect(made).toEqual(expect.arrayContaining(['core/accuracy', 'invented/after']))
    expect(made).not.toContain('invented/broken')
  })

  it('an empty run is a report without analyses', async () => {
    const report = await reported([])
    expect(report).toMatchObject({ rows: 0, analyses: [] })
  })

  it('an unknown parser is named with those there are', async () => {
    const frames = await framesFromRows(rows)
    expect(() => makeReport({ run: 'r', frames, tasks: [], parser: 'loose' })).toThrow(
      /"loose"\. Parsers of this run: strict, lenient/,
    )
  })
})
