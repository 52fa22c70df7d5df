import { type Analysis, column, type Frame, figure, marksBy, table } from '../../../../core/index.ts'
import { systemsIn } from '../../../../libraries/statistics/index.ts'
import { PAPER } from '../../recognize/analyses/tallies.ts'
import { strategies as named } from '../prompt.ts'
import { bands, byJudgedModel, numbersIn, rowsWith, shareOf } from './judgements.ts'

const UNPARSED = 'unparsed'
const LABELS = [...named, UNPARSED] as const

const { text, number, estimate } = column

/** Strategies of chains of thought, by the length of the string. */
export const strategies: Analysis = {
  id: 'relic/strategies',
  title: 'Strategies of chains of thought',
  source: { paper: PAPER, item: 'Figure 6 (bottom)' },
  notes: [
    'Shares of the judged responses, unparsed judgements included; CIs clustered by grammar. Equal numbers per judged model, length and class.',
    'The paper counts code with the rules, and joins judgements by a number that restarts in each grammar; here they stay with their response.',
  ],
  needs: ['item', 'model', 'group', 'status', 'prediction', 'feature_respondent', 'feature_length'],
  run(frame) {
    const judges = systemsIn(frame)
    const sets = judges.flatMap(({ model: judge, rows }) =>
      byJudgedModel(frame, rows).map(([judgedModel, inside]) => ({ judge, judgedModel, rows: inside })),
    )
    const labelOf = labelsIn(frame)
    const hasLabel = new Map(
      LABELS.map((label) => [
        label,
        Float64Array.from({ length: frame.length }, (_, row) => Number(labelOf(row) === label)),
      ]),
    )
    const shareWith = (rows: Int32Array, label: (typeof LABELS)[number]) =>
      shareOf(frame, hasLabel.get(label) as Float64Array, rows)
    const correct = numbersIn(frame, 'feature_right')
    const overall = table(
      'relic/strategies-overall',
      'Strategies, and their accuracy',
      [
        text('judge', 'Judge'),
        text('judgedModel', 'Judged model'),
        text('strategy', 'Strategy'),
        number('responses', 'Responses'),
        estimate('share', 'Share'),
        estimate('accuracy', 'Accuracy (parsed only)'),
      ],
      sets.flatMap(({ rows, ...key }) =>
        LABELS.flatMap((strategy) => {
          const inside = rows.filter((row) => labelOf(row) === strategy)
          if (inside.length === 0) return []
          const accuracy = shareOf(frame, correct, rowsWith(frame, inside, 'feature_right'))
          return [{ ...key, strategy, responses: inside.length, share: shareWith(rows, strategy), accuracy }]
        }),
      ),
    )
    const byLength = table(
      'relic/strategies',
      'Strategies by length',
      [
        text('judge', 'Judge'),
        text('judgedModel', 'Judged model'),
        text('panel', 'Panel'),
        text('lengths', 'Lengths'),
        number('length', 'Middle', 'tokens'),
        text('strategy', 'Strategy'),
        estimate('share', 'Share'),
      ],
      sets.flatMap(({ rows, ...key }) => {
        const panel = judges.length === 1 ? key.judgedModel : `${key.judgedModel} (${key.judge})`
        const anyUnparsed = rows.some((row) => labelOf(row) === UNPARSED)
        return bands(frame, rows).flatMap(({ rows: inside, ...band }) =>
          LABELS.filter((label) => label !== UNPARSED || anyUnparsed).map((strategy) => ({
            ...key,
            panel,
            ...band,
            strategy,
            share: shareWith(inside, strategy),
          })),
        )
      }),
    )
    const curve = figure(byLength, {
      id: 'relic/figure6-bottom',
      x: { key: 'length', label: 'Length' },
      y: { key: 'share', label: 'Share of responses' },
      facet: 'panel',
      marks: marksBy('strategy', 'interval', 'line'),
    })
    return { tables: [overall, byLength], figures: [curve] }
  },
}

/** The label of each row; `unparsed` where the judgement was not parsed. */
function labelsIn(frame: Frame): (row: number) => string {
  const [state, answer] = [frame.category('status'), frame.category('prediction')]
  const graded = state.levels.indexOf('graded')
  return (row) => (state.codes[row] === graded ? (answer.levels[answer.codes[row] as number] ?? UNPARSED) : UNPARSED)
}
