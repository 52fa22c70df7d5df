import { type Analysis, column } from '../../../../core/index.ts'
import { pearson } from '../../../../libraries/statistics/index.ts'
import { grammarRows } from './items.ts'
import { PAPER } from './paper.ts'
import { STATISTICS } from './statistics.ts'

const SIZES = [
  ['terminals', 'Terminals'],
  ['lexical', 'Lexical rules'],
  ['nonterminals', 'Nonterminals'],
  ['nonlexical', 'Binary rules'],
] as const

/** How the sizes of the grammars of a run go together. */
export const figure7: Analysis = {
  id: 'relic/figure7',
  title: 'Correlations between the sizes of the grammars',
  source: { paper: PAPER, item: 'Figure 7' },
  notes: [
    'Pearson over the grammars of the run, each counted once. As published: of the sizes themselves. Corrected: of their logarithms, the scale of the other tables, with Fisher intervals; the paper averages the matrices of its small and its large grammars.',
  ],
  needs: ['group', ...STATISTICS.map(([name]) => `feature_${name}`)],
  run(frame) {
    const rows = grammarRows(frame)
    const values = new Map(
      SIZES.map(([key]) => [key, rows.map((row) => frame.number(`feature_${key}`)[row] as number)]),
    )
    const pairs = SIZES.flatMap(([x, xLabel], i) => SIZES.slice(i + 1).map(([y, yLabel]) => ({ x, xLabel, y, yLabel })))
    const found = pairs.flatMap(({ x, xLabel, y, yLabel }) => {
      const [a, b] = [values.get(x) as number[], values.get(y) as number[]]
      const raw = pearson(a, b)
      const log = pearson(a.map(Math.log10), b.map(Math.log10))
      return raw === null || log === null
        ? []
        : [{ x: xLabel, y: yLabel, published: raw.r, corrected: log.estimate ?? log.r, grammars: raw.n }]
    })
    if (found.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'relic/figure7',
          title: 'Correlations between the sizes of the grammars',
          columns: [
            column.text('x', 'Size'),
            column.text('y', 'With'),
            column.number('published', 'r, as published'),
            column.estimate('corrected', 'r of logarithms', null),
            column.number('grammars', 'Grammars'),
          ],
          rows: found,
        },
      ],
      figures: [
        {
          id: 'relic/figure7',
          title: 'Correlations between the sizes of the grammars',
          table: 'relic/figure7',
          x: { key: 'x', label: 'Size', scale: 'category' },
          y: { key: 'y', label: 'With', scale: 'category' },
          marks: [{ kind: 'cell', series: 'published' }],
        },
      ],
    }
  },
}
