import { type Analysis, column } from '../../../../core/index.ts'
import { grammarRows } from './items.ts'
import { PAPER } from './paper.ts'

/** Width of a bar of the histogram. */
const BIN = 0.05

/** At how many of the lengths the languages of a run have strings. */
export const figure9: Analysis = {
  id: 'relic/figure9',
  title: 'Grammars by coverage',
  source: { paper: PAPER, item: 'Figure 9' },
  notes: [
    'Coverage here is the share of lengths at which the language has a string, computed from the grammar. The paper divides what its sampler found by 1,000, which mixes short languages with failed draws.',
  ],
  needs: ['group', 'feature_coverage'],
  run(frame) {
    const coverage = frame.number('feature_coverage')
    const values = grammarRows(frame).map((row) => coverage[row] as number)
    if (values.length === 0) return { tables: [] }
    const last = Math.round(1 / BIN) - 1
    const bins = Map.groupBy(values, (value) => Math.min(last, Math.floor(value / BIN + 1e-9)))
    let below = 0
    const rows = Array.from({ length: last + 1 }, (_, bin) => {
      const grammars = bins.get(bin)?.length ?? 0
      below += grammars
      return { coverage: Number(((bin + 1) * BIN).toFixed(2)), grammars, cumulative: below / values.length }
    })
    const x = { key: 'coverage', label: 'Coverage, up to', unit: 'share', scale: 'linear' } as const
    return {
      tables: [
        {
          id: 'relic/figure9',
          title: 'Grammars by coverage',
          columns: [
            column.share('coverage', 'Coverage, up to'),
            column.number('grammars', 'Grammars'),
            column.share('cumulative', 'Share of grammars up to there'),
          ],
          rows,
        },
      ],
      figures: [
        {
          id: 'relic/figure9-top',
          title: 'Grammars by coverage',
          table: 'relic/figure9',
          x,
          y: { key: 'grammars', label: 'Grammars' },
          marks: [{ kind: 'bar' }],
        },
        {
          id: 'relic/figure9-bottom',
          title: 'Share of grammars up to a coverage',
          table: 'relic/figure9',
          x,
          y: { key: 'cumulative', label: 'Share of grammars', unit: 'share' },
          marks: [{ kind: 'line' }],
        },
      ],
    }
  },
}
