import { type Analysis, type Column, column, type Frame, type Table } from '../../../../core/index.ts'
import { type Correlation, holm, pearson } from '../../../../libraries/statistics/index.ts'
import { balanced, byGrammar, plain, tally } from './cells.ts'
import { correctF1, matrix, publishedF1 } from './macro-f1.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses, responses } from './responses.ts'
import { byGrammarCode, STATISTICS, statisticsIn } from './statistics.ts'

/** How performance goes with the size of the grammar. */
export const table2: Analysis = {
  id: 'relic/table2',
  title: 'Correlation of performance with grammar statistics',
  source: { paper: PAPER, item: 'Table 2' },
  notes: [
    'As published: Pearson with log10 of each statistic; F1 over grammars (three-class macro F1), accuracy over (grammar, length) rows, although the caption says grammars.',
    'Corrected: both over grammars, two-class macro F1 and class-balanced accuracy of strictly read answers, with Fisher intervals; p values corrected by Holm over the table.',
    'Compression ratio: of the positives of a grammar (drawn: of those in the run), plain bytes over bytes of a gzip file with a name of 29 letters, as the release has them.',
  ],
  needs: [...needs, ...STATISTICS.map(([name]) => `feature_${name}`)],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const rows = byArm(published).flatMap(({ model, entries }) => [
      { model, measure: 'F1', ...publishedRow(frame, published, overGrammars(published, entries, f1Published)) },
      { model, measure: 'accuracy', ...publishedRow(frame, published, overLengths(published, entries)) },
    ])
    return { tables: [publishedTable(frame, rows), corrected(frame, responses(frame, 'correct'))] }
  },
}

/** Performance with the grammar it was seen on. */
interface Point {
  readonly grammar: number
  readonly value: number
}
type Measure = (data: Responses, entries: Int32Array) => number | null

const f1Published: Measure = (data, entries) => publishedF1(matrix(data, entries))
const f1Correct: Measure = (data, entries) => correctF1(matrix(data, entries))

function overGrammars(data: Responses, entries: Int32Array, measure: Measure): Point[] {
  return [...byGrammar(data, entries)].flatMap(([grammar, inside]) => {
    const value = measure(data, inside)
    return value === null ? [] : [{ grammar, value }]
  })
}

function overLengths(data: Responses, entries: Int32Array): Point[] {
  return [...byGrammar(data, entries)].flatMap(([grammar, inside]) => {
    const byLength = tally(
      inside,
      (k) => data.length[k],
      (k) => data.correct[k] as number,
    )
    return Array.from(byLength.values(), ({ n, sum }) => ({ grammar, value: sum / n }))
  })
}

function correlate(frame: Frame, data: Responses, points: readonly Point[]): readonly (Correlation | null)[] {
  return statisticsIn(frame).map(([name]) => {
    const values = byGrammarCode(frame, data, name)
    const known = points.filter(({ grammar }) => !Number.isNaN(values[grammar] as number))
    const x = known.map(({ grammar }) => Math.log10(values[grammar] as number))
    return pearson(
      x,
      known.map(({ value }) => value),
    )
  })
}

function publishedRow(frame: Frame, data: Responses, points: readonly Point[]) {
  const found = correlate(frame, data, points)
  return {
    n: points.length,
    ...Object.fromEntries(statisticsIn(frame).map(([name], i) => [name, found[i]?.r ?? null])),
  }
}

const publishedTable = (frame: Frame, rows: Table['rows']): Table => ({
  id: 'relic/table2',
  title: 'Pearson correlations with log10 of grammar statistics, as published',
  columns: [
    column.text('model', 'Model'),
    column.text('measure', 'Measure'),
    column.number('n', 'Points'),
    ...statisticsIn(frame).map(([key, label]): Column => column.number(key, label)),
  ],
  rows,
})

function corrected(frame: Frame, data: Responses): Table {
  const rows = byArm(data).flatMap(({ model, entries }) =>
    [
      ['F1', f1Correct] as const,
      ['accuracy', balanced as Measure] as const,
      ['accuracy, classes pooled', plain as Measure] as const,
    ].flatMap(([measure, of]) => {
      const points = overGrammars(data, entries, of)
      return correlate(frame, data, points).flatMap((found, i) =>
        found === null
          ? []
          : [
              {
                model,
                measure,
                statistic: statisticsIn(frame)[i]?.[1] as string,
                r: found.estimate ?? found.r,
                grammars: found.n,
                p: found.p,
              },
            ],
      )
    }),
  )
  const adjusted = holm(rows.map(({ p }) => p))
  return {
    id: 'relic/table2-corrected',
    title: 'Pearson correlations over grammars, corrected',
    columns: [
      column.text('model', 'Model'),
      column.text('measure', 'Measure'),
      column.text('statistic', 'Statistic'),
      column.estimate('r', 'r', null),
      column.number('grammars', 'Grammars'),
      column.number('p', 'p'),
      column.number('holm', 'p (Holm)'),
    ],
    rows: rows.map((row, i) => ({ ...row, holm: adjusted[i] as number })),
  }
}
