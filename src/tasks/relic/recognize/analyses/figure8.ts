import { type Analysis, column, type Frame, type Table } from '../../../../core/index.ts'
import { tally } from './cells.ts'
import { itemRows } from './items.ts'
import { PAPER } from './paper.ts'

/** How many strings of each class a run asks about, altogether and by length. */
export const figure8: Analysis = {
  id: 'relic/figure8',
  title: 'Strings by class and length',
  source: { paper: PAPER, item: 'Figure 8' },
  notes: [
    'Counts of items, each once. Where positives and negatives are unmatched (as released: 41 % and 59 %), length alone tells something of the answer.',
  ],
  needs: ['item', 'feature_length', 'feature_label'],
  run(frame) {
    const lengths = frame.number('feature_length')
    const rows = itemRows(frame)
    const all = { scope: 'all lengths', ...counts(frame, rows) }
    const byLength = [...Map.groupBy(rows, (row) => lengths[row] as number)]
      .sort(([a], [b]) => a - b)
      .map(([length, inside]) => ({ length, ...counts(frame, inside) }))
    const columns: Table['columns'] = [
      column.number('positive', 'In the language'),
      column.number('negative', 'Not in the language'),
      column.share('share', 'Share in the language'),
    ]
    return {
      tables: [
        {
          id: 'relic/figure8',
          title: 'Strings by class',
          columns: [column.text('scope', 'Strings'), ...columns],
          rows: [all],
        },
        {
          id: 'relic/figure8-lengths',
          title: 'Strings by class and length',
          columns: [column.number('length', 'Length', 'tokens'), ...columns],
          rows: byLength,
        },
      ],
      figures: [
        {
          id: 'relic/figure8',
          title: 'Share of strings in the language, by length',
          table: 'relic/figure8-lengths',
          x: { key: 'length', label: 'Length', unit: 'tokens', scale: 'linear' },
          y: { key: 'share', label: 'Share in the language', unit: 'share' },
          marks: [{ kind: 'bar' }],
        },
      ],
    }
  },
}

function counts(frame: Frame, rows: readonly number[]) {
  const labels = frame.number('feature_label')
  const found = tally(
    rows,
    (row) => labels[row] as number,
    () => 1,
  )
  const [positive, negative] = [found.get(1)?.n ?? 0, found.get(0)?.n ?? 0]
  return { positive, negative, share: positive / (positive + negative) }
}
