import { expect, it } from 'vitest'
import { makeReport } from '../../../src/report/index.ts'
import { referencesOf } from '../../../src/runner/scoring/item-references.ts'
import { families } from '../../../src/tasks/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask } from './invented.ts'

const rows = inventedRows(60)
const frames = await framesFromRows(rows)
const rule = 'invented/odd'
const task = { ...inventedTask(), heuristics: { [rule]: () => 'odd' } }

/** Chance is 1/2 on short items and 1/4 on long ones; the rule is right on every third item. */
const blind = new Map(
  rows.map((row, i) => [
    String(row['item']),
    { chance: Number(row['feature_length']) < 12 ? 0.5 : 0.25, guesses: { [rule]: Math.floor(i / 3) % 3 === 0 } },
  ]),
)
const report = makeReport({ run: 'r', frames, tasks: [task], references: blind })
const analysis = (id: string) => report.analyses.find((one) => one.id === id)

it('accuracy stands beside chance and the best rule of thumb, each item counted once', () => {
  const accuracy = analysis('core/accuracy')
  for (const row of accuracy?.tables[0]?.rows ?? [])
    expect(row).toMatchObject({ chance: 0.375, heuristic: 1 / 3, heuristicName: rule })
  expect(accuracy?.figures[0]?.marks.filter(({ kind }) => kind === 'reference')).toHaveLength(2)
})

it('chance follows the levels of a feature', () => {
  const [table] = analysis('core/by-feature/invented/parity')?.tables ?? []
  const chance = new Map(table?.rows.map((row) => [Number(row['level']), row['chance']]))
  expect([chance.get(2), chance.get(11), chance.get(12), chance.get(21)]).toEqual([0.5, 0.5, 0.25, 0.25])
})

it('without what is known of chance no column and no line is there', () => {
  const plain = makeReport({ run: 'r', frames, tasks: [task], only: ['core/accuracy'] })
  expect(plain.analyses[0]?.tables[0]?.columns.map(({ key }) => key)).not.toContain('chance')
})

it('figures of a task that show accuracies get the line where it is one, others do not', () => {
  const table = {
    id: 'invented/t',
    title: 't',
    columns: [],
    rows: [{ x: 1, y: 0.5 }],
  }
  const axis = { key: 'y', label: 'Accuracy', unit: 'share' }
  const figures = [axis, { key: 'y', label: 'Tokens' }].map((y, i) => ({
    id: `invented/${i}`,
    title: 't',
    table: table.id,
    x: { key: 'x', label: 'x' },
    y,
    marks: [{ kind: 'line' } as const],
  }))
  const own = { id: 'invented/own', title: 't', needs: [], run: () => ({ tables: [table], figures }) }
  const made = makeReport({
    run: 'r',
    frames,
    tasks: [{ ...task, analyses: [own] }],
    references: blind,
    only: ['invented'],
  })
  // Chance is 0.5 of some items and 0.25 of others: what a point is of, nobody knows here.
  expect(made.analyses[0]?.figures.map(({ marks }) => marks.length)).toEqual([1, 1])
  const half = new Map([...blind].map(([id, one]) => [id, { ...one, chance: 0.5 }]))
  const even = makeReport({
    run: 'r',
    frames,
    tasks: [{ ...task, analyses: [own] }],
    references: half,
    only: ['invented'],
  })
  expect(even.analyses[0]?.figures.map(({ marks }) => marks.length)).toEqual([2, 1])
  expect(even.analyses[0]?.tables[0]?.rows[0]).toMatchObject({ chanceOfTask: 0.5 })
  const [first] = half.keys()
  const few = new Map([...half].filter(([id]) => id === first))
  const known = makeReport({
    run: 'r',
    frames,
    tasks: [{ ...task, analyses: [own] }],
    references: few,
    only: ['invented'],
  })
  expect(known.analyses[0]?.figures[0]?.marks.length).toBe(2)
})

it('a table that knows the chance of its rows has it drawn as it is', () => {
  const table = {
    id: 'invented/t',
    title: 't',
    columns: [{ key: 'chance', label: 'Chance', kind: 'share' } as const],
    rows: [
      { x: 1, y: 0.5, chance: 0.5 },
      { x: 2, y: 0.5, chance: 0.25 },
    ],
  }
  const x = { key: 'x', label: 'x' }
  const y = { key: 'y', label: 'Accuracy', unit: 'share' }
  const figure = { id: 'invented/f', title: 't', table: table.id, x, y, marks: [{ kind: 'line' } as const] }
  const own = { id: 'invented/own', title: 't', needs: [], run: () => ({ tables: [table], figures: [figure] }) }
  const made = makeReport({
    run: 'r',
    frames,
    tasks: [{ ...task, analyses: [own] }],
    references: blind,
    only: ['invented'],
  })
  expect(made.analyses[0]?.figures[0]?.marks).toEqual([{ kind: 'reference', y: 'chance' }, { kind: 'line' }])
  expect(made.analyses[0]?.tables[0]).toEqual(table)
})

it('chance of an item is what its own grader says of its choices', () => {
  const relic = families.flatMap(({ tasks }) => tasks).find(({ name }) => name === 'relic/recognize')
  if (relic === undefined) throw new Error('relic/recognize is gone')
  const source = relic.source(relic.preset('relic-demo').config, { split: 'test', seed: 1 })
  const item = source.item(0)
  if (item.kind === 'hole') throw new Error('item 0 is a hole')
  const found = referencesOf(relic, { shared: item.shared, given: item.given, answer: item.answer })
  expect(found?.chance).toBe(0.5)
  expect(Object.keys(found?.guesses ?? {})).toEqual(Object.keys(relic.heuristics ?? {}))
  const broken = {
    ...relic,
    heuristics: {
      'a/rule': () => {
        throw new Error('no')
      },
    },
  }
  expect(referencesOf(broken, { shared: item.shared, given: item.given, answer: item.answer })).toBeNull()
})
