import { describe, expect, it } from 'vitest'
import { framesFromRows, makeReport, SELECTED } from '../../../src/report/index.ts'

const row = (model: string, strict: number | null, lenient: number | null) => ({
  item: `t/${model}`,
  task: 'mock/t',
  model,
  settings: '{}',
  style: 'plain',
  group: `g/${model}`,
  config: 'c',
  sample: 0,
  finish_reason: 'stop',
  status: strict === null ? 'unparsed' : 'graded',
  score: strict,
  'status@lenient': lenient === null ? 'unparsed' : 'graded',
  'score@lenient': lenient,
  subscore_only: 0.25,
})
const rows = [row('a', 0, 1), row('b', 0, 1), row('c', null, 1)]
const choice = (model: string, parser: string) => ({ task: 'mock/t', model, settings: '{}', style: 'plain', parser })
const selection = [choice('a', 'lenient'), choice('b', 'strict')]

const accuracies = (report: ReturnType<typeof makeReport>) =>
  report.analyses
    .find(({ id }) => id === 'core/accuracy')
    ?.tables[0]?.rows.map(({ model, accuracy }) => [model, (accuracy as { readonly value: number }).value])

describe('rows read by the parser chosen for each model', () => {
  it('each model is read by its own, a model without a choice by strict', async () => {
    const report = makeReport({ run: 'r', frames: await framesFromRows(rows), tasks: [], selection })
    expect(report.parser).toBe(SELECTED)
    expect(report.analyses[0]?.id).toBe('core/selection')
    expect(accuracies(report)).toEqual([
      ['a', 1],
      ['b', 0],
      ['c', 0],
    ])
  })

  it('a parser that is asked for goes before the chosen one', async () => {
    const frames = await framesFromRows(rows)
    const report = makeReport({ run: 'r', frames, tasks: [], selection, parser: 'lenient' })
    expect(accuracies(report)?.map(([, value]) => value)).toEqual([1, 1, 1])
  })

  it('says which parser is missing', async () => {
    const frames = await framesFromRows(rows)
    expect(() => makeReport({ run: 'r', frames, tasks: [], selection: [choice('a', 'none')] })).toThrow('parser "none"')
  })
})
