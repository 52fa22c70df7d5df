import { describe, expect, it } from 'vitest'
import type { Estimate, Table } from '../../../src/core/index.ts'
import { type Effect, randomEffects } from '../../../src/libraries/statistics/index.ts'
import { compareSides, makeReport } from '../../../src/report/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

/** The same models on so many tasks, each with items and groups of its own. */
const over = (tasks: number, items = 200): Row[] =>
  Array.from({ length: tasks }, (_, t) =>
    inventedRows(items, 7 + t).map((row) => ({
      ...row,
      task: `invented/task-${t}`,
      item: `${t}/${row['item']}`,
      group: `${t}/${row['group']}`,
    })),
  ).flat()

const tasksOf = (rows: readonly Row[]) =>
  [...new Set(rows.map(({ task }) => String(task)))].map((name) => ({ ...inventedTask(), name }))

async function tableOf(rows: readonly Row[]): Promise<Table | undefined> {
  const report = makeReport({ run: 'invented', frames: await framesFromRows(rows), tasks: tasksOf(rows) })
  return report.analyses.find(({ id }) => id === 'core/across-tasks')?.tables[0]
}

const estimate = (row: Table['rows'][number] | undefined, key: string) => row?.[key] as Estimate

describe('models over several tasks', () => {
  it.each([1, 4])(
    'of %i tasks: compare and report say the same verdict in the same words, whichever comes first',
    async (count) => {
      const rows = over(count).filter(({ model }) => model === 'good-one' || model === 'fair-one')
      const frames = await framesFromRows(rows)
      const { verdict, headline } = makeReport({ run: 'invented', frames, tasks: tasksOf(rows) })
      const said = [verdict?.title, verdict?.detail].filter((line) => line !== '')
      expect(headline.slice(0, said.length)).toEqual(said)
      const sides = ['good-one', 'fair-one'].map((model) => ({ name: model, frames, model })) as [never, never]
      expect(compareSides(...sides, 'model', tasksOf(rows))?.verdict).toMatchObject({
        kind: 'better',
        winner: 'a',
        text: said.join(' '),
      })
      const turned = compareSides(sides[1], sides[0], 'model', tasksOf(rows))?.verdict
      expect(turned).toMatchObject({ kind: 'better', winner: 'b', text: said.join(' ') })
    },
  )

  it('are compared with what compare says of the same two', async () => {
    const rows = over(4)
    const table = await tableOf(rows)
    expect(table?.rows).toHaveLength(3)
    const row = table?.rows.find(({ a, b }) => a === 'good-one' && b === 'fair-one')
    const frames = await framesFromRows(rows)
    const [a, b] = ['good-one', 'fair-one'].map((model) => ({ name: model, frames, model })) as [never, never]
    const found = compareSides(a, b, 'model', tasksOf(rows))
    expect(row).toMatchObject({ tasks: 4, p: expect.closeTo(found?.acrossTasks?.p ?? -1, 12) })
    const { value, low, high } = estimate(row, 'difference')
    const { effect } = found?.acrossTasks ?? { effect: null }
    expect([value, low, high]).toEqual([effect?.value, effect?.low, effect?.high].map((x) => expect.closeTo(x ?? 9, 9)))
    const prediction = estimate(row, 'prediction')
    expect(prediction.low < low && high < prediction.high).toBe(true)
  })

  it('are compared on what both answered, and how much only one did is said', async () => {
    const rows = over(1)
    const frames = await framesFromRows(rows)
    const few = await framesFromRows(rows.filter(({ model, item }) => model !== 'fair-one' || String(item).length < 5))
    const sides = [frames, few].map((one, i) => ({ name: 'x', frames: one, model: ['good-one', 'fair-one'][i] }))
    const found = compareSides(...(sides as unknown as [never, never]), 'model', tasksOf(rows))
    expect(found?.unpaired.b).toBe(0)
    expect(found?.unpaired.a).toBeGreaterThan(20)
    const whole = compareSides(
      { ...sides[0], frames } as never,
      { ...sides[1], frames } as never,
      'model',
      tasksOf(rows),
    )
    expect((found?.unpaired.a ?? 0) + (found?.overall.items ?? 0)).toBe(
      (whole?.unpaired.a ?? 0) + (whole?.overall.items ?? 0),
    )
  })

  it('two tasks say nothing of a third, and one is not pooled', async () => {
    const [row] = (await tableOf(over(2)))?.rows ?? []
    expect(row).toMatchObject({ tasks: 2, prediction: null, note: expect.stringMatching(/two tasks/u) })
    expect(await tableOf(over(1))).toBeUndefined()
  })

  it('a task on which all groups are even counts by what it rules out', async () => {
    const rows = over(3).map((row) =>
      row['task'] === 'invented/task-0' && row['status'] === 'graded' ? { ...row, score: 1 } : row,
    )
    const graded = rows.filter(({ status: state }) => state === 'graded')
    const [row] = (await tableOf(graded))?.rows ?? []
    expect(row).toMatchObject({ tasks: 3 })
    expect(Math.abs(estimate(row, 'difference').value)).toBeLessThan(0.5)
  })

  it('tasks weigh alike where they differ widely, whatever their items', async () => {
    const effects: Effect[] = [
      { value: 0.5, standardError: 0.001 },
      { value: -0.5, standardError: 0.05 },
    ]
    expect(randomEffects(effects)?.effect.value).toBeCloseTo(0, 2)
  })

  it('a headline says the verdict', async () => {
    const rows = over(5, 300)
    const { headline } = makeReport({ run: 'invented', frames: await framesFromRows(rows), tasks: tasksOf(rows) })
    expect(headline.join('\n')).toMatch(/on 5 of 5 tasks\.\nMean over these 5: .+ Such tasks in general: /u)
  })
})
