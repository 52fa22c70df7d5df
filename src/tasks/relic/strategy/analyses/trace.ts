import { type Analysis, type Column, column, type Frame, type Table } from '../../../../core/index.ts'
import { clusteredShare, pearson, take } from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/paper.ts'
import { bands, byRespondent, grammarsOf, numbersIn, responseRows } from './judgements.ts'

/** Do chains of thought with true steps come to right verdicts? */
export const trace: Analysis = {
  id: 'relic/trace',
  title: 'Stated steps that are true, and right verdicts',
  source: { paper: PAPER, item: 'Section 6.1' },
  notes: [
    'The trace checker looks up every rule that a response asserts, and checks lines of a derivation or chart against the exact chart. What is asked, denied or only thought of is no step; a step told in other words is not seen.',
    'True steps: the mean over responses that state any of the share that is true. Right verdicts are of the strict parser, of those it read. First false: where in the text it stands, 0 to 1, the mean over responses that have one.',
    'r: correlation of "every stated step is true" with "the verdict is right".',
  ],
  needs: ['item', 'group', 'feature_respondent', 'feature_length', 'feature_steps'],
  run(frame) {
    const all = byRespondent(frame, responseRows(frame))
    const stating = all.filter(([, rows]) => measured(frame, rows, 'feature_trueSteps').length > 0)
    if (stating.length === 0) return { tables: [] }
    const byLength: Table = {
      id: 'relic/trace',
      title: 'True steps and right verdicts by length',
      columns: [
        column.text('respondent', 'Respondent'),
        column.text('lengths', 'Lengths'),
        column.number('length', 'Middle', 'tokens'),
        ...COLUMNS,
      ],
      rows: stating.flatMap(([respondent, rows]) =>
        bands(frame, rows).map(({ lengths, length, rows: inside }) => ({
          respondent,
          lengths,
          length,
          ...measures(frame, inside),
        })),
      ),
    }
    const whole: Table = {
      id: 'relic/trace-overall',
      title: 'True steps and right verdicts',
      columns: [column.text('respondent', 'Respondent'), ...COLUMNS, column.estimate('r', 'r', null)],
      rows: all.map(([respondent, rows]) => ({ respondent, ...measures(frame, rows), r: association(frame, rows) })),
    }
    return {
      tables: [whole, byLength],
      figures: [
        {
          id: 'relic/trace',
          title: 'Share of stated steps that are true, by length',
          table: byLength.id,
          x: { key: 'length', label: 'Length', unit: 'tokens', scale: 'linear' },
          y: { key: 'trueSteps', label: 'True steps', unit: 'share' },
          marks: [
            { kind: 'interval', series: 'respondent' },
            { kind: 'line', series: 'respondent' },
          ],
        },
      ],
    }
  },
}

const COLUMNS: readonly Column[] = [
  column.number('responses', 'Responses'),
  column.number('stating', 'That state steps'),
  column.number('steps', 'Steps'),
  column.estimate('trueSteps', 'True steps'),
  column.share('firstFalse', 'First false'),
  column.number('allTrue', 'Responses with true steps only'),
  column.estimate('rightAllTrue', 'Right, true steps only'),
  column.estimate('rightSomeFalse', 'Right, some step false'),
]

/** The rows where a column has a number. */
const measured = (frame: Frame, rows: Int32Array, column: string): Int32Array => {
  const values = numbersIn(frame, column)
  return rows.filter((row) => !Number.isNaN(values[row]))
}

function measures(frame: Frame, rows: Int32Array) {
  const [steps, share, first] = [
    frame.number('feature_steps'),
    numbersIn(frame, 'feature_trueSteps'),
    numbersIn(frame, 'feature_firstFalse'),
  ]
  const stating = measured(frame, rows, 'feature_trueSteps')
  const failing = measured(frame, rows, 'feature_firstFalse')
  const allTrue = stating.filter((row) => share[row] === 1)
  return {
    responses: rows.length,
    stating: stating.length,
    steps: rows.reduce((sum, row) => sum + (steps[row] as number), 0),
    trueSteps: clusteredShare(take(share, stating), grammarsOf(frame, stating)),
    firstFalse:
      failing.length === 0 ? null : failing.reduce((sum, row) => sum + (first[row] as number), 0) / failing.length,
    allTrue: allTrue.length,
    rightAllTrue: rightOf(frame, allTrue),
    rightSomeFalse: rightOf(
      frame,
      stating.filter((row) => (share[row] as number) < 1),
    ),
  }
}

function rightOf(frame: Frame, rows: Int32Array) {
  const read = measured(frame, rows, 'feature_right')
  return clusteredShare(take(numbersIn(frame, 'feature_right'), read), grammarsOf(frame, read))
}

function association(frame: Frame, rows: Int32Array) {
  const read = measured(frame, measured(frame, rows, 'feature_trueSteps'), 'feature_right')
  const [share, right] = [numbersIn(frame, 'feature_trueSteps'), numbersIn(frame, 'feature_right')]
  return (
    pearson(
      Array.from(read, (row) => Number(share[row] === 1)),
      Array.from(take(right, read)),
    )?.estimate ?? null
  )
}
