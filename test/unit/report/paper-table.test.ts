import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  column,
  figure,
  modelNames,
  type Paper,
  type PrintedTable,
  paperColumn,
  reportColumn,
  type Table,
} from '../../../src/core/index.ts'
import { figuresWithPaper, makeReport, paperTable } from '../../../src/report/index.ts'
import { families } from '../../../src/tasks/index.ts'
import { framesFromRows } from '../../mock/run-columns.ts'
import { inventedRows, inventedTask } from './invented.ts'

const row = (one: { readonly [key: string]: unknown }): string => String(one['model'])
const share = { key: 'right', label: 'Right', kind: 'share' } as const
const model = { key: 'model', label: 'Model', kind: 'text' } as const

const printedOf = (rows: PrintedTable['rows']): PrintedTable => ({
  id: 'x/table1',
  item: 'Table 1',
  place: 'section 5',
  title: 'Right',
  columns: [model, { key: 'right', label: 'Right', kind: 'number', unit: '%' }],
  rows,
})

const paper: Paper = {
  title: 'A paper',
  authors: 'Nobody',
  items: [],
  printed: [],
  paperComparisons: [
    {
      printed: 'x/table1',
      measure: 'Right, %',
      paper: paperColumn({ column: 'right', row }),
      published: reportColumn('x/ours', { column: 'right', row, times: 100 }),
      corrected: reportColumn('x/ours-corrected', { column: 'right', row, times: 100 }),
      reason: 'Half of it is luck.',
    },
  ],
}

const ours = (id: string, rows: Table['rows']): Table => ({ id, title: id, columns: [model, share], rows })

it('puts the three numbers of a model on one row, in the unit of the paper, with differences and the reason', () => {
  const estimate = { value: 0.25, low: 0.125, high: 0.5, n: 16, method: 'm' }
  const table = paperTable(
    paper,
    printedOf([
      { model: 'a', right: 54 },
      { model: 'b', right: 30 },
    ]),
    [
      ours('x/ours', [
        { model: 'a', right: 0.5 },
        { model: 'c', right: 1 },
      ]),
      ours('x/ours-corrected', [{ model: 'a', right: estimate }]),
    ],
  )
  expect(table?.rows).toEqual([
    {
      row: 'a',
      measure: 'Right, %',
      paper: 54,
      published: 50,
      corrected: { value: 25, low: 12.5, high: 50, n: 16, method: 'm' },
      publishedLess: -4,
      correctedLess: -25,
      reason: 'Half of it is luck.',
    },
    expect.objectContaining({ row: 'b', paper: 30, published: null, publishedLess: null }),
    expect.objectContaining({ row: 'c', paper: null, published: 100, corrected: null }),
  ])
  expect(table?.columns.find(({ key }) => key === 'paper')?.label).toBe('Paper: Table 1, section 5')
  expect(table?.rows.map(({ reason }) => reason)).toEqual([
    'Half of it is luck.',
    'This run has no such number.',
    'Not in the paper.',
  ])
})

it('keeps sets of items apart', () => {
  const sets = ours('x/ours', [
    { config: 'easy', model: 'a', right: 1 },
    { config: 'hard', model: 'a', right: 0 },
  ])
  const table = paperTable(paper, printedOf([{ model: 'a', right: 50 }]), [sets])
  expect(table?.rows.map(({ set, published, publishedLess }) => [set, published, publishedLess])).toEqual([
    ['easy', 100, 50],
    ['hard', 0, -50],
  ])
})

it('draws printed numbers as a series of a figure, beside ours, in its unit and apart from its table', () => {
  const over = { ...ours('x/ours', [{ model: 'a', right: 0.5 }]), columns: [model, column.share('right', 'Right')] }
  const drawn = figure(over, { id: 'x/drawn', x: 'model', y: 'right', marks: [{ kind: 'point' }] })
  const printed = printedOf([{ model: 'b', right: 50 }])
  const overlays = [
    {
      printed: 'x/table1',
      figure: 'x/drawn',
      row: ({ model: name, right }: Table['rows'][number]) => ({
        model: `${name} in the paper`,
        right: right ?? null,
      }),
    },
  ]
  const [found] = figuresWithPaper({ ...paper, overlays }, printed, [{ figures: [drawn], tables: [over] }])
  expect(found?.[0]).toMatchObject({ id: 'paper/x/table1-drawn', table: 'paper/x/table1-drawn', marks: drawn.marks })
  expect(found?.[1].rows).toEqual([...over.rows, { model: 'b in the paper', right: 0.5 }])
  expect(over.rows).toHaveLength(1)
  expect(figuresWithPaper(paper, printed, [{ figures: [drawn], tables: [over] }])).toEqual([])
})

it('is not there where the run has nothing to put beside', () => {
  expect(paperTable(paper, printedOf([{ model: 'a', right: 50 }]), [])).toBeNull()
  expect(paperTable(paper, printedOf([{ model: 'a', right: 50 }]), [ours('x/ours', [])])).toBeNull()
})

it('loses no number of the paper and none of ours, and mixes none', () => {
  const named = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 6 })
  fc.assert(
    fc.property(named, named, named, (printed, published, corrected) => {
      const rowsOf = (names: readonly string[], of: number) => names.map((name) => ({ model: name, right: of }))
      const table = paperTable(paper, printedOf(rowsOf(printed, 7)), [
        ours('x/ours', rowsOf(published, 0.01)),
        ours('x/ours-corrected', rowsOf(corrected, 0.02)),
      ])
      const found = (key: 'paper' | 'published' | 'corrected') =>
        (table?.rows ?? []).filter((one) => one[key] !== null).map((one) => [one['row'], one[key]])
      if (published.length + corrected.length === 0) {
        expect(table).toBeNull()
        return
      }
      const each = (names: readonly string[], value: number) => names.map((name) => [name, value])
      expect(found('paper')).toEqual(each(printed, 7))
      expect(new Map(found('published') as [string, number][])).toEqual(new Map(published.map((name) => [name, 1])))
      expect(new Map(found('corrected') as [string, number][])).toEqual(new Map(corrected.map((name) => [name, 2])))
      expect(table?.rows).toHaveLength(new Set([...printed, ...published, ...corrected]).size)
    }),
  )
})

it('names a model as the paper does whatever provider, organisation or date it comes with', () => {
  const named = modelNames({ 'DSR1-7B': ['deepseek-r1-distill-qwen-7b'], 'gpt-4.1': [], 'Gemini 2.5 Flash': [] })
  expect(
    [
      'deepseek-ai/DeepSeek-R1-Distill-Qwen-7B',
      'openai:gpt-4.1-2025-04-14',
      'google:gemini-2.5-flash',
      'gpt-4.1-mini',
      'baseline:random',
    ].map(named),
  ).toEqual(['DSR1-7B', 'gpt-4.1', 'Gemini 2.5 Flash', 'gpt-4.1-mini', 'baseline:random'])
})

it('changes nothing else of a report', async () => {
  const input = { run: 'r', frames: await framesFromRows(inventedRows(60)), tasks: [inventedTask()] }
  const without = makeReport(input)
  const printed = families.flatMap((family) =>
    (family.paper?.printed ?? []).map((table) => ({ paper: family.paper as Paper, printed: table, besideOnly: false })),
  )
  const { analyses, headline } = makeReport({ ...input, reference: printed })
  expect(analyses.filter(({ id }) => !id.startsWith('paper/'))).toEqual(without.analyses)
  expect(headline).toEqual(without.headline)
  expect(analyses.filter(({ id }) => id.startsWith('paper/'))).toHaveLength(printed.length)
})
