import { type PaperComparison, type PaperValue, paperColumn, type Table } from '../../../core/index.ts'
import { text } from './columns.ts'

/** The benchmarks of Table 14 by how the names of their tasks begin, and what stands for its real sound laws. */
const BENCHMARKS = [
  ['clutrr/', 'CLUTRR'],
  ['slr-bench/', 'SLR-Bench'],
  ['pbebench/induce', 'PBEbench-Lite'],
] as const
const TARGETS: readonly string[] = ['pbebench/sound-change', 'pbebench/sound-laws']

/** A column of the correlations of each benchmark with each target. */
const ofTargets =
  (column: string) =>
  (tables: readonly Table[]): readonly PaperValue[] =>
    tables
      .filter(({ id }) => id === 'core/rank-agreement-tasks')
      .flatMap(({ rows }) =>
        rows.flatMap((row) => {
          const pair = [text(row, 'a'), text(row, 'b')]
          const [target, benchmark] = TARGETS.includes(pair[0] ?? '') ? pair : pair.toReversed()
          const [, named] = BENCHMARKS.find(([start]) => benchmark?.startsWith(start)) ?? []
          if (named === undefined || !TARGETS.includes(target ?? '')) return []
          return [{ row: named, set: `with ${target}`, value: row[column] as PaperValue['value'] }]
        }),
      )

const OTHERS =
  'Other models; generated languages stand for real sound laws. Corrected: with an interval over models and items.'

/** Table 14: how well each benchmark ranks models as sound laws do. */
export const rankCorrelations: readonly PaperComparison[] = [
  {
    printed: 'pbebench/table14',
    measure: 'Spearman',
    paper: paperColumn({ column: 'r', row: (row) => text(row, 'dataset') }),
    published: ofTargets('rho'),
    corrected: ofTargets('interval'),
    reason: OTHERS,
  },
  {
    printed: 'pbebench/table14',
    measure: 'p',
    paper: paperColumn({ column: 'p', row: (row) => text(row, 'dataset') }),
    published: ofTargets('p'),
    reason: OTHERS,
  },
]
