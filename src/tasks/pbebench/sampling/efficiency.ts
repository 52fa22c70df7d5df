import { type AnalysisResult, type Column, column } from '../../../core/index.ts'
import { kl, smoothed, uniform } from '../../../libraries/statistics/index.ts'

export interface Efficiency {
  readonly efficiencyPercent: number
  /** KL(uniform || accepted categories) in nats with the published smoothing (1e-8 a category): large values are mostly it. */
  readonly klPublished: number
  /** The same with half a count a category. */
  readonly kl: number
  readonly empty: number
}

/** Efficiency and balance of a sampling run, as the paper's Figures 13 to 17 define them. */
export function efficiencyOf(run: {
  readonly counts: readonly number[]
  readonly steps: number
  readonly accepted: number | readonly unknown[]
}): Efficiency {
  const accepted = typeof run.accepted === 'number' ? run.accepted : run.accepted.length
  const even = uniform(run.counts.length)
  return {
    efficiencyPercent: run.steps === 0 ? 0 : (100 * accepted) / run.steps,
    klPublished: kl(even, smoothed(run.counts, 1e-8)),
    kl: kl(even, smoothed(run.counts, 0.5)),
    empty: run.counts.filter((count) => count === 0).length,
  }
}

/** One sampler at one length and patience. */
export interface EfficiencyRow extends Efficiency {
  readonly sampler: string
  readonly length: number
  readonly patience: number | null
  readonly steps: number
  readonly accepted: number
}

const { number } = column

/** What a row says, in the order of a table. */
export const efficiencyColumns: readonly Column[] = [
  column.text('sampler', 'Sampler'),
  number('length', 'Cascade length', 'rules'),
  number('patience', 'Patience', 'steps'),
  number('steps', 'Steps'),
  number('accepted', 'Accepted'),
  number('efficiencyPercent', 'Efficiency', 'percent'),
  number('klPublished', 'KL, published smoothing', 'nats'),
  number('kl', 'KL, half a count', 'nats'),
  number('empty', 'Empty categories'),
]

/** One of Figures 13 to 17, with the KL divergence at every point; the conditional sampler stands in the table only. */
export function efficiencyReport(id: string, length: number, rows: readonly EfficiencyRow[]): AnalysisResult {
  const title = `Efficiency of sampling against patience, cascades of ${length} rules`
  return {
    tables: [{ id, title, columns: efficiencyColumns, rows: rows.map((row) => ({ ...row })) }],
    figures: [
      {
        id,
        title,
        table: id,
        x: { key: 'patience', label: 'Patience', unit: 'steps', scale: 'log' },
        y: { key: 'efficiencyPercent', label: 'Efficiency', unit: 'percent', scale: 'log' },
        marks: [
          { kind: 'point', x: 'patience', y: 'efficiencyPercent', series: 'sampler' },
          { kind: 'line', x: 'patience', y: 'efficiencyPercent', series: 'sampler' },
          { kind: 'text', x: 'patience', y: 'efficiencyPercent', series: 'klPublished' },
        ],
      },
    ],
  }
}
