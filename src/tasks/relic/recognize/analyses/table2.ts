import { type Analysis, column, type Frame, table } from '../../../../core/index.ts'
import { holm, pearson } from '../../../../libraries/statistics/index.ts'
import {
  byArm,
  confusionOf,
  correctF1,
  needs,
  publishedF1,
  publishedResponses,
  type Responses,
  strictResponses,
} from './responses.ts'
import { byGrammarCode, STATISTICS, statisticsIn } from './statistics.ts'
import { balanced, byGrammar, type Measure, means, PAPER, plain, tally } from './tallies.ts'

const { text, number, estimate } = column

/** Performance against the size of the grammar. */
export const table2: Analysis = {
  id: 'relic/table2',
  title: 'Correlation of performance with grammar statistics',
  source: { paper: PAPER, item: 'Table 2' },
  notes: [
    'As published: Pearson with log10 of each statistic; three-class F1 over grammars, accuracy over (grammar, length) rows despite the caption.',
    'Corrected: both over grammars, two-class F1 and balanced accuracy, strict parser, Fisher CIs, Holm over the table.',
    'Compression ratio: positives of a grammar (those in the run), plain bytes / bytes of a gzip file with a name of 29 letters, as released.',
  ],
  needs: [...needs, ...STATISTICS.map(([name]) => `feature_${name}`)],
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const strict = strictResponses(frame)
    const correlations = byArm(strict).flatMap(({ model, entries }) =>
      CORRECTED.flatMap(([measure, of]) =>
        correlate(frame, strict, overGrammars(strict, entries, of)).flatMap(({ label, found }) =>
          found === null
            ? []
            : [
                {
                  model,
                  measure,
                  statistic: label,
                  r: found.estimate ?? found.r,
                  grammars: found.n,
                  p: found.p,
                },
              ],
        ),
      ),
    )
    const adjusted = holm(correlations.map(({ p }) => p))
    return {
      tables: [
        table(
          'relic/table2',
          'Pearson correlations with log10 of grammar statistics, as published',
          [
            text('model', 'Model'),
            text('measure', 'Measure'),
            number('n', 'Points'),
            ...statisticsIn(frame).map(([key, label]) => number(key, label)),
          ],
          byArm(published).flatMap(({ model, entries }) =>
            [
              ['F1', overGrammars(published, entries, f1Published)] as const,
              ['accuracy', overLengths(published, entries)] as const,
            ].map(([measure, points]) => ({
              model,
              measure,
              n: points.length,
              ...Object.fromEntries(
                correlate(frame, published, points).map(({ name, found }) => [name, found?.r ?? null]),
              ),
            })),
          ),
        ),
        table(
          'relic/table2-corrected',
          'Pearson correlations over grammars, corrected',
          [
            text('model', 'Model'),
            text('measure', 'Measure'),
            text('statistic', 'Statistic'),
            estimate('r', 'r', null),
            number('grammars', 'Grammars'),
            number('p', 'p'),
            number('holm', 'p (Holm)'),
          ],
          correlations.map((row, i) => ({ ...row, holm: adjusted[i] as number })),
        ),
      ],
    }
  },
}

const f1Published: Measure = (data, entries) => publishedF1(confusionOf(data, entries))
const f1Correct: Measure = (data, entries) => correctF1(confusionOf(data, entries))

const CORRECTED = [
  ['F1', f1Correct],
  ['accuracy', balanced],
  ['accuracy, classes pooled', plain],
] as const

/** A performance on some grammar. */
interface Point {
  readonly grammar: number
  readonly value: number
}

const overGrammars = (data: Responses, entries: Int32Array, measure: Measure): Point[] =>
  [...byGrammar(data, entries)].flatMap(([grammar, inside]) => {
    const value = measure(data, inside)
    return value === null ? [] : [{ grammar, value }]
  })

const overLengths = (data: Responses, entries: Int32Array): Point[] =>
  [...byGrammar(data, entries)].flatMap(([grammar, inside]) => {
    const byLength = tally(
      inside,
      (k) => data.length[k],
      (k) => data.correct[k] as number,
    )
    return means(byLength.values()).map((value) => ({ grammar, value }))
  })

/** The correlation with each statistic of the grammars. */
const correlate = (frame: Frame, data: Responses, points: readonly Point[]) =>
  statisticsIn(frame).map(([name, label]) => {
    const values = byGrammarCode(frame, data, name)
    const known = points.filter(({ grammar }) => !Number.isNaN(values[grammar] as number))
    const found = pearson(
      known.map(({ grammar }) => Math.log10(values[grammar] as number)),
      known.map(({ value }) => value),
    )
    return { name, label, found }
  })
