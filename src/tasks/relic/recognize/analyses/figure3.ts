import { type Analysis, column, type Estimate, marksBy, type Table, table } from '../../../../core/index.ts'
import { moments, rowsWhere, take } from '../../../../libraries/statistics/index.ts'
import { byArm, needs, publishedResponses, type Responses, strictResponses } from './responses.ts'
import { byLength, clusteredAccuracy, overLength, PAPER } from './tallies.ts'

const { text, number, share, estimate } = column

/** Which class is correct, and which answer is given, at each length. */
export const figure3: Analysis = {
  id: 'relic/figure3',
  title: 'Accuracy by class, and answers of models',
  source: { paper: PAPER, item: 'Figure 3' },
  notes: [
    'Top: mean correctness of each class and length. As published: standard error over responses. Corrected: CIs clustered by grammar, strict parser.',
    'Bottom: share of each answer among all responses of a length, unparsed ones included.',
  ],
  needs,
  run(frame, options) {
    const published = publishedResponses(frame, options)
    const top = classTable('relic/figure3-classes', 'as published', published, standardErrors)
    const strict = strictResponses(frame)
    const corrected = classTable('relic/figure3-classes-corrected', 'corrected', strict, clusteredAccuracy)
    const bottom = answerTable(published)
    const title = 'Accuracy by class and length'
    const marks = marksBy('class', 'interval', 'line')
    return {
      tables: [top, corrected, bottom],
      figures: [
        overLength(top, 'relic/figure3-top', `${title}, as published (one standard error)`, 'accuracy', marks),
        overLength(corrected, 'relic/figure3-top-corrected', title, 'accuracy', marks),
        overLength(bottom, 'relic/figure3-bottom', bottom.title, 'share', marksBy('answer', 'bar')),
      ],
    }
  },
}

type Interval = (data: Responses, entries: Int32Array) => Estimate | null

/** Mean plus and minus one standard error. */
const standardErrors: Interval = (data, entries) => {
  if (entries.length === 0) return null
  const { mean, variance, n } = moments(take(data.correct, entries))
  const error = Math.sqrt(variance / n)
  const [low, high] = [Math.max(0, mean - error), Math.min(1, mean + error)]
  return { value: mean, low, high, n, method: 'one standard error over responses' }
}

const CLASSES = [
  ['positive', 1],
  ['negative', 0],
] as const

const classTable = (id: string, variant: string, data: Responses, interval: Interval): Table =>
  table(
    id,
    `Accuracy by class and length, ${variant}`,
    [
      text('model', 'Model'),
      text('class', 'Class'),
      number('length', 'Length', 'tokens'),
      estimate('accuracy', 'Accuracy'),
    ],
    byArm(data).flatMap(({ model, entries }) =>
      CLASSES.flatMap(([name, label]) => {
        const own = rowsWhere(entries, (k) => data.label[k] === label)
        return byLength(data, own).map(([length, inside]) => ({
          model,
          class: name,
          length,
          accuracy: interval(data, inside),
        }))
      }),
    ),
  )

const ANSWERS = [
  ['yes', 1],
  ['no', 0],
  ['unknown', -1],
] as const

const answerTable = (data: Responses): Table =>
  table(
    'relic/figure3-answers',
    'Share of each answer by length',
    [
      text('model', 'Model'),
      number('length', 'Length', 'tokens'),
      text('answer', 'Answer'),
      number('n', 'Responses'),
      share('share', 'Share'),
    ],
    byArm(data).flatMap(({ model, entries }) =>
      byLength(data, entries).flatMap(([length, inside]) =>
        ANSWERS.map(([answer, code]) => {
          const n = rowsWhere(inside, (k) => data.said[k] === code).length
          return { model, length, answer, n, share: n / inside.length }
        }),
      ),
    ),
  )
