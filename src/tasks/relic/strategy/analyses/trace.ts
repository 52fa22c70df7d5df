import { type Analysis, type Column, column, type Frame, figure, marksBy, table } from '../../../../core/index.ts'
import { meanOrNull, pearson, sum, take } from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/tallies.ts'
import { bands, byJudgedModel, numbersIn, responseRows, rowsWith, shareOf } from './judgements.ts'

const { text, number, share, estimate } = column

/** Do chains of thought with true steps come to correct answers? */
export const trace: Analysis = {
  id: 'relic/trace',
  title: 'Truth of stated steps, and correct answers',
  source: { paper: PAPER, item: 'Section 6.1' },
  notes: [
    'The trace checker looks up every asserted rule, and checks lines of a derivation or chart against the exact chart; questions and denials are no steps.',
    'True steps: mean share over responses that state steps. Correct: strict parser, parsed only. First false: position in the text, 0 to 1 (mean).',
    'r: correlation of "every stated step is true" with "the answer is correct".',
  ],
  needs: ['item', 'group', 'feature_respondent', 'feature_length', 'feature_steps'],
  run(frame) {
    const all = byJudgedModel(frame, responseRows(frame))
    const stating = all.filter(([, rows]) => rowsWith(frame, rows, 'feature_trueSteps').length > 0)
    if (stating.length === 0) return { tables: [] }
    const byLength = table(
      'relic/trace',
      'True steps and correct answers by length',
      [
        text('judgedModel', 'Judged model'),
        text('lengths', 'Lengths'),
        number('length', 'Middle', 'tokens'),
        ...COLUMNS,
      ],
      stating.flatMap(([judgedModel, rows]) =>
        bands(frame, rows).map(({ rows: inside, ...band }) => ({ judgedModel, ...band, ...stepsOf(frame, inside) })),
      ),
    )
    const overall = table(
      'relic/trace-overall',
      'True steps and correct answers',
      [text('judgedModel', 'Judged model'), ...COLUMNS, estimate('r', 'r', null)],
      all.map(([judgedModel, rows]) => ({ judgedModel, ...stepsOf(frame, rows), r: correlation(frame, rows) })),
    )
    const curve = figure(byLength, {
      title: 'Share of stated steps that are true, by length',
      x: { key: 'length', label: 'Length' },
      y: 'trueSteps',
      marks: marksBy('judgedModel', 'interval', 'line'),
    })
    return { tables: [overall, byLength], figures: [curve] }
  },
}

const COLUMNS: readonly Column[] = [
  number('responses', 'Responses'),
  number('stating', 'With stated steps'),
  number('steps', 'Steps'),
  estimate('trueSteps', 'True steps'),
  share('firstFalse', 'First false'),
  number('allTrue', 'Responses with true steps only'),
  estimate('rightAllTrue', 'Correct, true steps only'),
  estimate('rightSomeFalse', 'Correct, some step false'),
]

function stepsOf(frame: Frame, rows: Int32Array) {
  const trueSteps = numbersIn(frame, 'feature_trueSteps')
  const stating = rowsWith(frame, rows, 'feature_trueSteps')
  const failing = rowsWith(frame, rows, 'feature_firstFalse')
  const allTrue = stating.filter((row) => trueSteps[row] === 1)
  const someFalse = stating.filter((row) => (trueSteps[row] as number) < 1)
  const correct = (own: Int32Array) =>
    shareOf(frame, numbersIn(frame, 'feature_right'), rowsWith(frame, own, 'feature_right'))
  return {
    responses: rows.length,
    stating: stating.length,
    steps: sum(take(frame.number('feature_steps'), rows)),
    trueSteps: shareOf(frame, trueSteps, stating),
    firstFalse: meanOrNull(take(numbersIn(frame, 'feature_firstFalse'), failing)),
    allTrue: allTrue.length,
    rightAllTrue: correct(allTrue),
    rightSomeFalse: correct(someFalse),
  }
}

function correlation(frame: Frame, rows: Int32Array) {
  const parsed = rowsWith(frame, rowsWith(frame, rows, 'feature_trueSteps'), 'feature_right')
  const trueSteps = take(numbersIn(frame, 'feature_trueSteps'), parsed)
  const allTrue = Array.from(trueSteps, (part) => Number(part === 1))
  return pearson(allTrue, take(numbersIn(frame, 'feature_right'), parsed))?.estimate ?? null
}
