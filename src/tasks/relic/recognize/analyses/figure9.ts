import { type Analysis, column, figure, table } from '../../../../core/index.ts'
import { grammarRows } from './responses.ts'
import { PAPER } from './tallies.ts'

/** Width of a bar of the histogram. */
const BIN = 0.05
const BINS = Math.round(1 / BIN)

/** The share of lengths at which the languages of a run have strings. */
export const figure9: Analysis = {
  id: 'relic/figure9',
  title: 'Grammars by coverage',
  source: { paper: PAPER, item: 'Figure 9' },
  notes: [
    'Coverage: share of lengths at which the language has a string, from the grammar. The paper divides the strings of its sampler by 1,000.',
  ],
  needs: ['group', 'feature_coverage'],
  run(frame) {
    const coverage = frame.number('feature_coverage')
    const values = grammarRows(frame).map((row) => coverage[row] as number)
    const bins = Map.groupBy(values, (value) => Math.min(BINS - 1, Math.floor(value / BIN + 1e-9)))
    let below = 0
    const rows = Array.from({ length: values.length === 0 ? 0 : BINS }, (_, bin) => {
      const grammars = bins.get(bin)?.length ?? 0
      below += grammars
      return { coverage: Number(((bin + 1) * BIN).toFixed(2)), grammars, cumulative: below / values.length }
    })
    const histogram = table(
      'relic/figure9',
      'Grammars by coverage',
      [
        column.share('coverage', 'Coverage, up to'),
        column.number('grammars', 'Grammars'),
        column.share('cumulative', 'Share of grammars'),
      ],
      rows,
    )
    return {
      tables: [histogram],
      figures: [
        figure(histogram, { id: 'relic/figure9-top', x: 'coverage', y: 'grammars', marks: [{ kind: 'bar' }] }),
        figure(histogram, {
          id: 'relic/figure9-bottom',
          title: 'Share of grammars up to a coverage',
          x: 'coverage',
          y: 'cumulative',
          marks: [{ kind: 'line' }],
        }),
      ],
    }
  },
}
