import { describe, expect, it } from 'vitest'
import type { Estimate, JsonObject, Task } from '../../../src/core/index.ts'
import { makeReport } from '../../../src/report/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { SLOW_PLANS } from '../../contract/tasks/slow-presets.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { nightly, sample } from '../../nightly.ts'
import { inventedRows, inventedTask, type Row } from './invented.ts'

interface Cell {
  readonly draw: string
  readonly item: string
  readonly right: boolean | 'error' | 'unparsed'
  readonly group?: string
  readonly sample?: number
  readonly model?: string
  readonly config?: string
}

const rowOf = ({ draw, item, right, group = 'g', sample = 0, model = 'm', config = 'c' }: Cell): Row => ({
  task: 'invented/parity',
  config,
  style: 'plain',
  model,
  settings: '{}',
  item,
  draw,
  group,
  sample,
  status: typeof right === 'boolean' ? 'graded' : right,
  score: typeof right === 'boolean' ? Number(right) : null,
  prediction: null,
  target: null,
  feature_length: 1,
  feature_kind: 'plain',
  feature_noise: 0,
})

/** A set a letter, an item a digit: `R` right, `w` wrong, `x` failed, `u` unparsed. */
const setsOf = (marks: readonly string[], more: Partial<Cell> = {}): Row[] =>
  marks.flatMap((set, s) =>
    [...set].map((mark, i) => {
      const right = mark === 'x' ? 'error' : mark === 'u' ? 'unparsed' : mark === 'R'
      return rowOf({ draw: `d${s}`, item: `i${s}-${i}`, right, ...more })
    }),
  )

async function tableOf(rows: readonly Row[]) {
  const report = makeReport({
    run: 'invented',
    frames: await framesFromRows(rows),
    tasks: [inventedTask()],
    only: ['core/contrast-sets'],
  })
  const [found] = report.analyses
  return { rows: found?.tables[0]?.rows ?? [], figures: found?.figures ?? [] }
}
const estimateOf = (row: { readonly [key: string]: unknown } | undefined) => row?.['accuracy'] as Estimate

describe('accuracy on whole sets of twins', () => {
  it('counts sets of which all items are right, beside their items, by hand', async () => {
    const { rows, figures } = await tableOf(setsOf(['RR', 'Rw', 'wR', 'ww', 'RR', 'Ru', 'Rx', 'xx']))
    const common = { size: 2, sets: 6, omitted: 2 }
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ of: 'items', ...common, chance: 1 / 2 })
    expect(rows[1]).toMatchObject({ of: 'whole sets', ...common, chance: 1 / 4 })
    expect(estimateOf(rows[0])).toMatchObject({ value: 7 / 12, n: 12 })
    expect(estimateOf(rows[1])).toMatchObject({ value: 2 / 6, n: 6 })
    expect(figures).toHaveLength(1)
  })

  it('one answer to all has one in m of the items, no set, and chance is m to the power -m', async () => {
    const { rows } = await tableOf(setsOf(['Rwwww', 'wRwww', 'wwRww', 'wwwRw']))
    expect(estimateOf(rows[0]).value).toBeCloseTo(1 / 5, 12)
    expect(estimateOf(rows[1]).value).toBe(0)
    expect(rows.map((row) => row['chance'])).toEqual([1 / 5, 1 / 3125])
  })

  it('a set cut short is left out', async () => {
    const { rows } = await tableOf(setsOf(['RRR', 'RRR', 'RR']))
    expect(rows[1]).toMatchObject({ size: 3, sets: 2, omitted: 1 })
    expect(estimateOf(rows[1]).value).toBe(1)
  })

  it('clusters by group, where each set is one and where there is one of all', async () => {
    const sets = ['RR', 'ww', 'RR', 'ww', 'RR', 'ww', 'RR', 'ww']
    expect(estimateOf((await tableOf(setsOf(sets))).rows[1]).method).toMatch(/1 group/u)
    const alone = await tableOf(setsOf(sets).map((row, i) => ({ ...row, group: `g${Math.floor(i / 2)}` })))
    const [items, whole] = alone.rows
    // Items of a set agree here: 16 independent ones would give .27, 8 of them .19.
    expect(Math.abs(estimateOf(items).low - estimateOf(whole).low)).toBeLessThan(0.03)
    expect(estimateOf(whole).groups).toBe(8)
    const grouped = setsOf(sets).map((row, i) => ({ ...row, group: Math.floor(i / 2) % 2 === 0 ? 'a' : 'b' }))
    expect(estimateOf((await tableOf(grouped)).rows[1]).method).toMatch(/2 groups/u)
  })

  it('samples of a set are sets, in one cluster', async () => {
    const marks = ['RR', 'Rw', 'RR', 'ww']
    const grouped = [...setsOf(marks), ...setsOf(marks, { sample: 1 })].map((row) => ({
      ...row,
      group: String(row['draw']),
    }))
    const { rows } = await tableOf(grouped)
    expect(rows[1]).toMatchObject({ sets: 8, omitted: 0 })
    expect(estimateOf(rows[1])).toMatchObject({ value: 1 / 2, n: 8 })
    expect(estimateOf(rows[1]).method).toMatch(/4 groups/u)
  })

  it('has each config and model by itself, and no table where no item has a twin', async () => {
    const { rows, figures } = await tableOf([
      ...setsOf(['RR', 'Rw'], { model: 'a' }),
      ...setsOf(['RR', 'RR'], { model: 'b' }),
      ...setsOf(['RRR', 'wwR'], { model: 'a', config: 'of three' }),
      ...setsOf(['R', 'w'], { model: 'a', config: 'alone' }),
    ])
    const found = rows.filter((row) => row['of'] === 'whole sets')
    expect(found.map((row) => [row['config'], row['model'], row['size'], estimateOf(row).value])).toEqual([
      ['c', 'a', 2, 0.5],
      ['c', 'b', 2, 1],
      ['of three', 'a', 3, 0.5],
    ])
    expect(figures[0]?.facet).toBe('panel')
    expect((await tableOf(inventedRows(40))).rows).toEqual([])
  })
})

/** A preset; of one with a slow plan, in a short run, as much of it as is soon planned, or null. */
function soon(task: Task, preset: string): JsonObject | null {
  const { config } = task.preset(preset)
  if (nightly || !SLOW_PLANS.includes(preset)) return config
  return 'pool' in config ? task.configure({ ...config, grammars: 6, pool: 24 }) : null
}

/** Every preset of every task whose items come in sets. */
const twinned = families
  .flatMap(({ tasks }) => tasks)
  .flatMap((task) =>
    Object.keys(task.presets).flatMap((preset) => {
      const config = soon(task, preset)
      if (config === null) return []
      const test = task.source(config, { split: 'test', seed: '1' })
      const size = test.layout.contrastSize
      return size === undefined ? [] : [{ name: `${task.name} ${preset}`, task, config, test, size }]
    }),
  )

const textOf = (source: ReturnType<Task['source']>, index: number, style: string): string => {
  const item = source.item(index)
  if (item.kind === 'hole') return ''
  const request = source.request(item, style)
  return request.kind === 'chat' ? request.messages.map(({ content }) => content).join('\n') : request.text
}

describe.each(twinned)('$name', ({ task, config, test, size }) => {
  it.each(nightly ? ['train', 'test'] : ['test'])(
    'has sets of one draw and one group, all answers different, in split %s',
    (split) => {
      const source = split === 'test' ? test : task.source(config, { split, seed: '1' })
      for (let first = 0; first < sample({ nightly: 20, otherwise: 6 }) * size; first += size) {
        const set = Array.from({ length: size }, (_, i) => source.item(first + i)).filter(({ kind }) => kind === 'item')
        const items = set.filter((item) => item.kind === 'item')
        expect([0, size]).toContain(items.length)
        expect(new Set(items.map(({ draw }) => draw)).size).toBeLessThanOrEqual(1)
        expect(new Set(items.map(({ group }) => group)).size).toBeLessThanOrEqual(1)
        for (const { twin } of items) expect(twin).toBe(first)
        expect(new Set(items.map(({ answer }) => JSON.stringify(answer))).size).toBe(items.length)
        // One key for the set: whatever is divided by it (splits, training sets) has the set on one side.
        expect(new Set(items.map((item) => task.partition?.key(item))).size).toBeLessThanOrEqual(1)
      }
    },
  )
})

/** Lines of a prompt that tell of the problem: those that the prompt of another set does not have. */
const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')
const occurrences = (lines: readonly string[], line: string): number => lines.filter((one) => one === line).length

describe.each(twinned.filter(({ task }) => task.styles.some((style) => style.startsWith('few-shot-'))))(
  'solved examples of $name',
  ({ task, test: source, size }) => {
    const styles = task.styles.filter((style) => style.startsWith('few-shot-'))

    it.each(styles)('in style %s are never from the item’s own set', (style) => {
      const alone = task.styles[0] as string
      const common = new Set(linesOf(textOf(source, 40 * size, alone)))
      for (let first = 0; first < sample({ nightly: 12, otherwise: 3 }) * size; first += size) {
        const set = Array.from({ length: size }, (_, i) => linesOf(textOf(source, first + i, alone)))
        const telling = new Set(set.flat().filter((line) => !common.has(line)))
        expect(telling.size).toBeGreaterThanOrEqual(size)
        for (const [i, own] of set.entries()) {
          const shown = linesOf(textOf(source, first + i, style))
          expect(shown.length).toBeGreaterThan(own.length)
          for (const line of telling) expect([line, occurrences(shown, line)]).toEqual([line, occurrences(own, line)])
        }
      }
    })
  },
)
