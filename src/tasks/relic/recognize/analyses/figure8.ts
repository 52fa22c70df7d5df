import { type Analysis, column, figure, table } from '../../../../core/index.ts'
import { itemRows } from './responses.ts'
import { PAPER } from './tallies.ts'

/** Strings of each class in a run, overall and by length. */
export const figure8: Analysis = {
  id: 'relic/figure8',
  title: 'Strings by class and length',
  source: { paper: PAPER, item: 'Figure 8' },
  notes: ['Items, each once. Unmatched positives and negatives (as released: 41 % and 59 %) make length predictive.'],
  needs: ['item', 'feature_length', 'feature_label'],
  run(frame) {
    const [lengths, labels] = [frame.number('feature_length'), frame.number('feature_label')]
    const counts = (rows: readonly number[]) => {
      const positive = rows.filter((row) => labels[row] === 1).length
      const negative = rows.filter((row) => labels[row] === 0).length
      return { positive, negative, share: positive / (positive + negative) }
    }
    const columns = [
      column.number('positive', 'In the language'),
      column.number('negative', 'Not in the language'),
      column.share('share', 'Share in the language'),
    ]
    const rows = itemRows(frame)
    const overall = table(
      'relic/figure8',
      'Strings by class',
      [column.text('scope', 'Strings'), ...columns],
      [{ scope: 'all lengths', ...counts(rows) }],
    )
    const byLength = table(
      'relic/figure8-lengths',
      'Strings by class and length',
      [column.number('length', 'Length', 'tokens'), ...columns],
      [...Map.groupBy(rows, (row) => lengths[row] as number)]
        .sort(([a], [b]) => a - b)
        .map(([length, inside]) => ({ length, ...counts(inside) })),
    )
    const bars = figure(byLength, {
      id: 'relic/figure8',
      title: 'Share of strings in the language, by length',
      x: 'length',
      y: 'share',
      marks: [{ kind: 'bar' }],
    })
    return { tables: [overall, byLength], figures: [bars] }
  },
}
