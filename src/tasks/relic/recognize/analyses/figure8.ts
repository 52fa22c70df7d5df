import type { Analysis, Frame, Table } from '../../../../core/index.ts'
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
      { key: 'positive', label: 'In the language', kind: 'number' },
      { key: 'negative', label: 'Not in the language', kind: 'number' },
      { key: 'share', label: 'Share in the language', kind: 'share', unit: 'share' },
    ]
    return {
      tables: [
        {
          id: 'relic/figure8',
          title: 'Strings by class',
          columns: [{ key: 'scope', label: 'Strings', kind: 'text' }, ...columns],
          rows: [all],
        },
        {
          id: 'relic/figure8-lengths',
          title: 'Strings by class and length',
          columns: [{ key: 'length', label: 'Length', unit: 'tokens', kind: 'number' }, ...columns],
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
