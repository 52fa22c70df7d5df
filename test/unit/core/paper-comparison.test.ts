import { describe, expect, it } from 'vitest'
import { column, modelNames, paperColumn, reportColumn, type Table } from '../../../src/core/index.ts'

const table = (id: string, ...rows: Table['rows']): Table => ({
  id,
  title: id,
  columns: [column.text('model', 'Model'), column.estimate('accuracy', 'Accuracy')],
  rows,
})
const place = {
  column: 'accuracy',
  row: ({ model }: Table['rows'][number]) => (typeof model === 'string' ? model : null),
}
const estimate = { value: 0.5, low: 0.25, high: 0.75, n: 40, method: 'wilson' }

describe('the values of a column', () => {
  it('are numbers, words or estimates in the unit of the paper; anything else is no value', () => {
    const rows = [0.125, 'high', estimate, null, ['x'], { value: 1 }, undefined]
    const printed = table(
      't',
      ...rows.map((accuracy, i) => ({ model: `m${i}`, ...(accuracy === undefined ? {} : { accuracy }) })),
    )
    expect(paperColumn({ ...place, times: 100 })(printed).map(({ value }) => value)).toEqual([
      12.5,
      'high',
      { ...estimate, value: 50, low: 25, high: 75 },
      null,
      null,
      null,
      null,
    ])
    expect(paperColumn(place)(printed)[0]).toEqual({ row: 'm0', value: 0.125 })
  })

  it('are of rows that have a place beside the paper, and that count', () => {
    const rows = [
      { model: 'a', accuracy: 1 },
      { model: null, accuracy: 2 },
      { model: 'b', accuracy: 3 },
    ]
    expect(paperColumn(place)(table('t', ...rows))).toEqual([
      { row: 'a', value: 1 },
      { row: 'b', value: 3 },
    ])
    expect(paperColumn({ ...place, rows: (all) => all.slice(1) })(table('t', ...rows))).toEqual([
      { row: 'b', value: 3 },
    ])
  })

  it('say the set of items where a run has several, and come from every table of the id', () => {
    const ours = reportColumn('t', place)
    expect(
      ours([
        table(
          't',
          { model: 'a', accuracy: 1, config: 'small', style: 'cot' },
          { model: 'b', accuracy: 2, style: 'cot' },
        ),
        table('u', { model: 'c', accuracy: 3 }),
        table('t', { model: 'd', accuracy: 4, config: null }),
      ]),
    ).toEqual([
      { row: 'a', set: 'small cot', value: 1 },
      { row: 'b', set: 'cot', value: 2 },
      { row: 'd', value: 4 },
    ])
  })
})

it('models go by the names of the paper, whoever serves them and when they were made', () => {
  const name = modelNames({ 'GPT-4o': ['chatgpt'], 'Gemma 2 9B': [] })
  for (const model of [
    'gpt-4o',
    'openai:gpt-4o-2024-11-20',
    'openrouter:openai/gpt-4o',
    'GPT 4o',
    'gpt_4o-20240806',
    'chatgpt',
  ])
    expect([model, name(model)]).toEqual([model, 'GPT-4o'])
  expect(name('vllm:google/gemma-2-9b-it')).toBe('Gemma 2 9B')
  for (const model of ['gpt-4o-mini', 'gpt-4', 'baseline:gpt-4o', 'tiny:gemma-2-9b', 'x:other'])
    expect(name(model)).toBe(model)
})
