import { type Analysis, column, everyTwo, figure, table } from '../../../../core/index.ts'
import { pearson } from '../../../../libraries/statistics/index.ts'
import { grammarRows } from './responses.ts'
import { STATISTICS } from './statistics.ts'
import { PAPER } from './tallies.ts'

const SIZES = [
  ['terminals', 'Terminals'],
  ['lexical', 'Lexical rules'],
  ['nonterminals', 'Nonterminals'],
  ['nonlexical', 'Binary rules'],
] as const

/** Correlations between the sizes of the grammars of a run. */
export const figure7: Analysis = {
  id: 'relic/figure7',
  title: 'Correlations between the sizes of the grammars',
  source: { paper: PAPER, item: 'Figure 7' },
  notes: [
    'Pearson over the grammars of the run, each once. As published: of the sizes. Corrected: of their logarithms, with Fisher CIs.',
    'The paper averages the matrices of its small and its large grammars.',
  ],
  needs: ['group', ...STATISTICS.map(([name]) => `feature_${name}`)],
  run(frame) {
    const grammars = grammarRows(frame)
    const sizes = SIZES.map(([key, label]) => {
      const values = frame.number(`feature_${key}`)
      return { label, values: grammars.map((row) => values[row] as number) }
    })
    const correlations = table(
      'relic/figure7',
      'Correlations between the sizes of the grammars',
      [
        column.text('x', 'Size'),
        column.text('y', 'With'),
        column.number('published', 'r, as published'),
        column.estimate('corrected', 'r of logarithms', null),
        column.number('grammars', 'Grammars'),
      ],
      everyTwo(sizes).flatMap(([x, y]) => {
        const raw = pearson(x.values, y.values)
        const log = pearson(x.values.map(Math.log10), y.values.map(Math.log10))
        return raw === null || log === null
          ? []
          : [{ x: x.label, y: y.label, published: raw.r, corrected: log.estimate ?? log.r, grammars: raw.n }]
      }),
    )
    const heatMap = figure(correlations, {
      x: { key: 'x', scale: 'category' },
      y: { key: 'y', scale: 'category' },
      marks: [{ kind: 'cell', series: 'published' }],
    })
    return { tables: [correlations], figures: [heatMap] }
  },
}
