import { type Analysis, column, type Estimate, type Table } from '../../../../core/index.ts'
import { moments, rowsWhere } from '../../../../libraries/statistics/index.ts'
import { accuracyByLength } from './accuracy-by-length.ts'
import { byLength, clusteredAccuracy } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses, responses } from './responses.ts'

/** Which class is got right, and which answer is given, at each length. */
export const figure3: Analysis = {
  id: 'relic/figure3',
  title: 'Accuracy by class, and what models answer',
  source: { paper: PAPER, item: 'Figure 3' },
  notes: [
    'Top: mean correctness of each class at each length; as published with the standard error over responses, corrected with intervals clustered by grammar and strictly read answers only.',
    'Bottom: share of each answer, unread ones included, among all responses of a length.',
  ],
  needs,
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const top = classTable('relic/figure3-classes', 'as published', published, standard)
    const corrected = classTable(
      'relic/figure3-classes-corrected',
      'corrected',
      responses(frame, 'correct'),
      clusteredAccuracy,
    )
    const bottom = answerTable(published)
    return {
      tables: [top, corrected, bottom],
      figures: [
        accuracyByLength(
          'relic/figure3-top',
          'Accuracy by class and length, as published (one standard error)',
          top.id,
          marks,
        ),
        accuracyByLength('relic/figure3-top-corrected', 'Accuracy by class and length', corrected.id, marks),
        {
          id: 'relic/figure3-bottom',
          title: 'Share of each answer by length',
          table: bottom.id,
          x: { key: 'length', label: 'Length', unit: 'tokens', scale: 'linear' },
          y: { key: 'share', label: 'Share of answers', unit: 'share' },
          facet: 'model',
          marks: [{ kind: 'bar', series: 'answer' }],
        },
      ],
    }
  },
}

const marks = [
  { kind: 'interval', series: 'class' },
  { kind: 'line', series: 'class' },
] as const

type Interval = (data: Responses, entries: Int32Array) => Estimate | null

/** Mean with one standard error on either side. */
const standard: Interval = (data, entries) => {
  if (entries.length === 0) return null
  const { mean, variance, n } = moments(entries.map((k) => data.correct[k] as number))
  const error = Math.sqrt(variance / n)
  return {
    value: mean,
    low: Math.max(0, mean - error),
    high: Math.min(1, mean + error),
    n,
    method: 'one standard error over responses',
  }
}

function classTable(id: string, variant: string, data: Responses, interval: Interval): Table {
  return {
    id,
    title: `Accuracy by class and length, ${variant}`,
    columns: [
      column.text('model', 'Model'),
      column.text('class', 'Class'),
      column.number('length', 'Length', 'tokens'),
      column.estimate('accuracy', 'Accuracy'),
    ],
    rows: byArm(data).flatMap(({ model, entries }) =>
      [1, 0].flatMap((label) =>
        byLength(
          data,
          rowsWhere(entries, (k) => data.label[k] === label),
        ).map(([length, inside]) => ({
          model,
          class: label === 1 ? 'positive' : 'negative',
          length,
          accuracy: interval(data, inside),
        })),
      ),
    ),
  }
}

const ANSWERS = [
  ['yes', 1],
  ['no', 0],
  ['unknown', -1],
] as const

const answerTable = (data: Responses): Table => ({
  id: 'relic/figure3-answers',
  title: 'Share of each answer by length',
  columns: [
    column.text('model', 'Model'),
    column.number('length', 'Length', 'tokens'),
    column.text('answer', 'Answer'),
    column.number('n', 'Answers'),
    column.share('share', 'Share'),
  ],
  rows: byArm(data).flatMap(({ model, entries }) =>
    byLength(data, entries).flatMap(([length, inside]) =>
      ANSWERS.map(([answer, code]) => {
        const n = rowsWhere(inside, (k) => data.said[k] === code).length
        return { model, length, answer, n, share: n / inside.length }
      }),
    ),
  ),
})
